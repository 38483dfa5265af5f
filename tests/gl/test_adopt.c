/* A context of the caller's: what weft does in it leaves no trace in its state, its errors and what
 * is current. */
#include "caller.h"
/* after caller.h */
#include <stdlib.h>
#include <weft/weft.h>

#include "state.h"

/* ---- a small cloth with everything: pins that move, a body, itself ---- */

static weft_mesh body_mesh(void) {
  static weft_vec3 positions[] = {
      {-0.3f, -0.5f, -0.3f}, {0.3f, -0.5f, -0.3f}, {0, -0.5f, 0.3f}, {0, -0.1f, 0}};
  static uint32_t triangles[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
  return (weft_mesh){
      .vertex_count = 4, .triangle_count = 4, .positions = positions, .triangles = triangles};
}

typedef struct cloth {
  weft_gl *gl;
  weft_model *model;
  weft_solver *solver;
} cloth;

static weft_model *small_sheet(uint32_t side) {
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  weft_error err = {0};
  const weft_grid_desc grid = {
      .rows = side, .columns = side, .width = 1, .height = 1, .plane = WEFT_PLANE_XZ};
  const weft_pin pins = {.rule = WEFT_PIN_CORNERS};
  if (weft_mesh_grid(&grid, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  const weft_model_desc desc = {.mesh = &mesh, .pins = &pins, .pin_count = 1};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_mesh_free(&mesh);
  return model;
}

static weft_solver *small_solver(const weft_model *model, const weft_backend *backend) {
  const weft_mesh mesh = body_mesh();
  const weft_body body = {.mesh = &mesh};
  const weft_params params = {
      .substeps = 4, .self_collision = true, .bodies = &body, .body_count = 1, .grab = true};
  weft_solver *solver = NULL;
  weft_error err = {0};
  if (weft_solver_create(model, &params, backend, &solver, &err) != WEFT_OK)
    fail_msg("%s", err.message);
  return solver;
}

static weft_gl *adopt(weft_gl_desc desc) {
  weft_gl *gl = NULL;
  weft_error err = {0};
  unsigned asked = 0;
  if (weft_gl_adopt(&desc, caller_load, &asked, &gl, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_true(asked > 100);
  return gl;
}

static void done(weft_result result, const weft_error *err) {
  if (result != WEFT_OK) fail_msg("%s", err->message);
}

static const weft_backend *backend_of(weft_gl *gl) {
  const weft_backend *backend = NULL;
  weft_error err = {0};
  if (weft_backend_gl(gl, &backend, &err) != WEFT_OK) fail_msg("%s", err.message);
  return backend;
}

static void one_frame(weft_solver *solver, int frame) {
  weft_error err = {0};
  weft_vec3 body[4];
  const weft_mesh mesh = body_mesh();
  memcpy(body, mesh.positions, sizeof body);
  for (int k = 0; k < 4; ++k) body[k].y += 0.002f * (float)(frame % 100);
  const uint32_t pin = 0;
  const weft_vec3 to = {-0.5f, 0, -0.5f + 0.001f * (float)(frame % 50)};
  weft_result result = weft_solver_move_body(solver, 0, body, &err);
  if (result == WEFT_OK) result = weft_solver_move_pins(solver, &pin, &to, 1, &err);
  if (result == WEFT_OK) result = weft_solver_step(solver, &err);
  if (result != WEFT_OK) fail_msg("frame %d: %s", frame, err.message);
}

/* ---- state ---- */

static void everything_is_as_it_was(weft_gl_desc desc, int frames) {
  EGLContext context = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  caller_make_current(context);
  weft_gl *gl = adopt(desc); /* functions, for what follows */
  state_disturb();
  char *before = state_describe();
  assert_non_null(strstr(before, "TRANSFORM_FEEDBACK_ACTIVE: 1"));
  assert_non_null(strstr(before, "TRANSFORM_FEEDBACK_PAUSED: 0"));
  const weft_backend *backend = backend_of(gl);
  state_compare("weft_backend_gl", before);
  weft_gl_probe probe;
  assert_int_equal(weft_gl_run_probe(gl, &probe, NULL), WEFT_OK);
  state_compare("weft_gl_run_probe", before);
  weft_model *model = small_sheet(7);
  weft_solver *solver = small_solver(model, backend);
  state_compare("weft_solver_create", before);
  weft_vec3 *read = calloc(2 * 49, sizeof *read);
  weft_metrics metrics;
  weft_hit hit;
  const weft_ray ray = {.origin = {0.1f, 1, 0.1f}, .direction = {0, -1, 0}, .radius = 0.2f};
  uint64_t hash = 0, other = 0;
  weft_error err = {0};
  for (int f = 0; f < frames; ++f) {
    one_frame(solver, f);
    if (f < 20 || f % 100 == 0) state_compare("weft_solver_step", before);
    if (f == 10) done(weft_solver_grab(solver, 24, (weft_vec3){0, 0.3f, 0}, &err), &err);
    if (f == 30) weft_solver_release(solver);
  }
  state_compare("weft_solver_step", before);
  assert_int_equal(weft_solver_read(solver, read, read + 49, NULL), WEFT_OK);
  state_compare("weft_solver_read", before);
  assert_int_equal(weft_solver_hash(solver, &hash, NULL), WEFT_OK);
  assert_int_equal(weft_solver_metrics(solver, &metrics, NULL), WEFT_OK);
  assert_int_equal(metrics.nonfinite, 0);
  assert_int_equal(weft_solver_pick(solver, &ray, &hit, NULL), WEFT_OK);
  state_compare("weft_solver_pick", before);
  /* The same cloth elsewhere. */
  weft_solver *ref = small_solver(model, weft_backend_cpu(1));
  for (int f = 0; f < frames; ++f) {
    one_frame(ref, f);
    if (f == 10) done(weft_solver_grab(ref, 24, (weft_vec3){0, 0.3f, 0}, &err), &err);
    if (f == 30) weft_solver_release(ref);
  }
  assert_int_equal(weft_solver_hash(ref, &other, NULL), WEFT_OK);
  assert_true(hash == other);
  assert_int_equal(weft_solver_copy_state_from(solver, ref, NULL), WEFT_OK);
  assert_int_equal(weft_solver_reset(solver, NULL), WEFT_OK);
  assert_int_equal(weft_solver_write(solver, read, NULL, NULL), WEFT_OK);
  state_compare("weft_solver_write", before);
  weft_solver_destroy(ref);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
  state_compare("weft_gl_destroy", before);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  assert_ptr_equal(caller.GetCurrentContext(), context);
  weft_free(before);
  free(read);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, context);
}

static void a_thousand_frames_leave_no_trace(void **state) {
  (void)state;
  const char *frames = getenv("WEFT_TEST_FRAMES");
  everything_is_as_it_was((weft_gl_desc){.debug = true}, frames ? atoi(frames) : 1000);
}

static void nor_do_the_other_ways_to_read(void **state) {
  (void)state;
  everything_is_as_it_was((weft_gl_desc){.reads = WEFT_GL_READS_BUFFERS}, 20);
  everything_is_as_it_was((weft_gl_desc){.reads = WEFT_GL_READS_TEXTURES, .minimum_limits = true},
                          20);
}

static void a_single_dispatch_leaves_no_trace(void **state) {
  (void)state;
  EGLContext context = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  caller_make_current(context);
  weft_gl *gl = adopt((weft_gl_desc){0});
  state_disturb();
  char *before = state_describe();
  weft_model *model = small_sheet(9);
  weft_solver *solver = NULL;
  weft_error err = {0};
  const weft_params params = {.schedule = WEFT_SCHEDULE_SINGLE, .substeps = 4};
  if (weft_solver_create(model, &params, backend_of(gl), &solver, &err) != WEFT_OK)
    fail_msg("%s", err.message);
  for (int f = 0; f < 10; ++f) assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  state_compare("weft_solver_step", before);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
  weft_free(before);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, context);
}

/* What weft believes to be bound is what it bound in this call: every 16th frame begins with passes
 * that look where the cloth is. */
static void falling_cloth_has_its_bits(void **state) {
  (void)state;
  EGLContext context = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  weft_error err = {0};
  uint64_t hashes[2];
  caller_make_current(context);
  weft_gl *gl = adopt((weft_gl_desc){0});
  done(weft_mesh_grid(&(weft_grid_desc){.rows = 6, .columns = 5}, &mesh, &err), &err);
  done(weft_model_create(&(weft_model_desc){.mesh = &mesh}, &model, &err), &err);
  const weft_backend *backends[2] = {weft_backend_ref(), backend_of(gl)};
  state_disturb();
  char *before = state_describe();
  for (int b = 0; b < 2; ++b) {
    const weft_params params = {.substeps = 2, .schedule = WEFT_SCHEDULE_COLOURS};
    weft_solver *solver = NULL;
    done(weft_solver_create(model, &params, backends[b], &solver, &err), &err);
    for (int f = 0; f < 70; ++f) done(weft_solver_step(solver, &err), &err);
    done(weft_solver_hash(solver, &hashes[b], &err), &err);
    weft_solver_destroy(solver);
  }
  state_compare("falling", before);
  assert_true(hashes[0] == hashes[1]);
  weft_free(before);
  weft_mesh_free(&mesh);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, context);
}

/* ---- what is current ---- */

static void a_headless_context_of_wefts_leaves_the_callers_current(void **state) {
  (void)state;
  const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
  EGLContext context = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  EGLSurface draw = caller.CreatePbufferSurface(caller.display, caller.config, size);
  EGLSurface read = caller.CreatePbufferSurface(caller.display, caller.config, size);
  weft_model *model = small_sheet(5);
  /* Surfaces want a context of their configuration, which this driver does not ask for. */
  assert_true(caller.MakeCurrent(caller.display, draw, read, context));
  caller.BindAPI(EGL_OPENGL_ES_API);
  for (int given = 1; given >= 0; --given) {
    weft_gl *gl = NULL;
    weft_error err = {0};
    if (!given) caller_make_current(EGL_NO_CONTEXT);
    if (given) caller.BindAPI(EGL_OPENGL_ES_API);
    const EGLenum api = caller.QueryAPI();
    done(weft_gl_create_headless(NULL, &gl, &err), &err);
#define AS_BEFORE()                                                                    \
  assert_int_equal(caller.QueryAPI(), api);                                            \
  assert_ptr_equal(caller.GetCurrentContext(), given ? context : EGL_NO_CONTEXT);      \
  assert_ptr_equal(caller.GetCurrentSurface(EGL_DRAW), given ? draw : EGL_NO_SURFACE); \
  assert_ptr_equal(caller.GetCurrentSurface(EGL_READ), given ? read : EGL_NO_SURFACE)
    AS_BEFORE();
    weft_solver *solver = small_solver(model, backend_of(gl));
    AS_BEFORE();
    one_frame(solver, 1);
    AS_BEFORE();
    uint64_t hash;
    done(weft_solver_hash(solver, &hash, &err), &err);
    AS_BEFORE();
    weft_solver_destroy(solver);
    AS_BEFORE();
    weft_gl_destroy(gl);
    AS_BEFORE();
    weft_free(weft_gl_list_devices());
    AS_BEFORE();
#undef AS_BEFORE
  }
  weft_model_destroy(model);
  caller.DestroySurface(caller.display, draw);
  caller.DestroySurface(caller.display, read);
  caller.DestroyContext(caller.display, context);
}

static void without_a_context_nothing_is_adopted(void **state) {
  (void)state;
  weft_gl *gl = (weft_gl *)&state;
  weft_error err = {0};
  caller_make_current(EGL_NO_CONTEXT);
  assert_int_equal(weft_gl_adopt(NULL, caller_load, NULL, &gl, &err), WEFT_ERROR_NO_GL);
  assert_null(gl);
  assert_non_null(strstr(err.message, "context"));
}

static void one_without_4_3_is_not_adopted(void **state) {
  (void)state;
  weft_gl *gl = NULL;
  weft_error err = {0};
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION_KHR, 2, EGL_NONE};
  caller.BindAPI(EGL_OPENGL_ES_API);
  EGLContext context = caller.CreateContext(caller.display, caller.config, EGL_NO_CONTEXT, version);
  if (!context) skip();
  caller_make_current(context);
  assert_int_equal(weft_gl_adopt(NULL, caller_load, NULL, &gl, &err), WEFT_ERROR_NO_GL);
  assert_null(gl);
  assert_non_null(strstr(err.message, "4.3"));
  caller_make_current(EGL_NO_CONTEXT);
  caller.BindAPI(EGL_OPENGL_API);
  caller.DestroyContext(caller.display, context);
}

/* ---- which contexts ---- */

static uint64_t hash_of_frames(weft_solver *solver, int first, int frames) {
  uint64_t hash = 0;
  weft_error err = {0};
  for (int f = 0; f < frames; ++f) one_frame(solver, first + f);
  done(weft_solver_hash(solver, &hash, &err), &err);
  return hash;
}

static void a_compatibility_context_will_do(void **state) {
  (void)state;
  EGLContext context = caller_context(EGL_NO_CONTEXT, 4, 3, false);
  if (!context) skip();
  caller_make_current(context);
  weft_gl *gl = adopt((weft_gl_desc){0});
  GLint profile = 0;
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  assert_true(profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT);
  weft_model *model = small_sheet(5);
  weft_solver *solver = small_solver(model, backend_of(gl));
  weft_solver *ref = small_solver(model, weft_backend_ref());
  assert_true(hash_of_frames(solver, 0, 5) == hash_of_frames(ref, 0, 5));
  weft_solver_destroy(ref);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, context);
}

/* Frames go on in whichever of two is current; in a third that does not share they are refused. */
static void contexts_that_share_take_turns(void **state) {
  (void)state;
  EGLContext first = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  EGLContext second = caller_context(first, 4, 3, true);
  EGLContext stranger = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  weft_error err = {0};
  caller_make_current(second); /* an engine's context for work beside its drawing */
  weft_gl *gl = adopt((weft_gl_desc){0});
  weft_model *model = small_sheet(5);
  weft_solver *solver = small_solver(model, backend_of(gl));
  weft_solver *ref = small_solver(model, weft_backend_ref());
  assert_true(hash_of_frames(solver, 0, 3) == hash_of_frames(ref, 0, 3));
  glFinish();
  caller_make_current(first);
  assert_true(hash_of_frames(solver, 3, 3) == hash_of_frames(ref, 3, 3));
  assert_ptr_equal(caller.GetCurrentContext(), first);
  caller_make_current(stranger);
  assert_int_equal(weft_solver_step(solver, &err), WEFT_ERROR_GL);
  assert_non_null(strstr(err.message, "shares"));
  caller_make_current(EGL_NO_CONTEXT);
  assert_int_equal(weft_solver_step(solver, &err), WEFT_ERROR_GL);
  assert_non_null(strstr(err.message, "current"));
  caller_make_current(second);
  assert_true(hash_of_frames(solver, 6, 3) == hash_of_frames(ref, 6, 3));
  weft_solver_destroy(ref);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
  assert_ptr_equal(caller.GetCurrentContext(), second);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, first);
  caller.DestroyContext(caller.display, second);
  caller.DestroyContext(caller.display, stranger);
}

/* ---- errors ---- */

static void an_error_of_the_callers_stays_his(void **state) {
  (void)state;
  EGLContext context = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  weft_error err = {0};
  uint64_t hash;
  weft_log_set(NULL, NULL, WEFT_LOG_ERROR);
  caller_make_current(context);
  weft_gl *gl = adopt((weft_gl_desc){0});
  weft_model *model = small_sheet(5);
  weft_solver *solver = small_solver(model, backend_of(gl));
  assert_int_equal(weft_gl_caller_error(gl), GL_NO_ERROR);
  glEnable(0xdead);
  one_frame(solver, 0);
  done(weft_solver_hash(solver, &hash, &err), &err); /* not weft's, so no error of the solver */
  assert_int_equal(weft_gl_caller_error(gl), GL_INVALID_ENUM);
  assert_int_equal(weft_gl_caller_error(gl), GL_NO_ERROR);
  assert_int_equal(weft_gl_caller_error(NULL), GL_NO_ERROR);
  /* And weft's own do not become the caller's. */
  assert_int_equal(weft_gl_enter(gl, &err), WEFT_OK);
  glEnable(0xdead);
  weft_gl_leave(gl);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  assert_int_equal(weft_gl_caller_error(gl), GL_NO_ERROR);
  assert_int_equal(weft_solver_hash(solver, &hash, &err), WEFT_ERROR_GL);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
  weft_log_set(NULL, NULL, WEFT_LOG_WARNING);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, context);
}

int main(void) {
  caller_open();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thousand_frames_leave_no_trace),
      cmocka_unit_test(nor_do_the_other_ways_to_read),
      cmocka_unit_test(a_single_dispatch_leaves_no_trace),
      cmocka_unit_test(falling_cloth_has_its_bits),
      cmocka_unit_test(a_headless_context_of_wefts_leaves_the_callers_current),
      cmocka_unit_test(without_a_context_nothing_is_adopted),
      cmocka_unit_test(one_without_4_3_is_not_adopted),
      cmocka_unit_test(a_compatibility_context_will_do),
      cmocka_unit_test(contexts_that_share_take_turns),
      cmocka_unit_test(an_error_of_the_callers_stays_his),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
