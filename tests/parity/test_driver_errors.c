/* An error that the driver raises at any call between making a solver and reading its state comes
 * back as an error, whichever call it was: never as success, and never with another state.
 *
 * Functions of the loader are replaced by ones that, at the n-th call, do nothing and raise
 * GL_OUT_OF_MEMORY, which like every error of OpenGL stays until glGetError. */
#include "../physics/rig.h"
/* after rig.h */
#include "solver_gl.h"

/* ---- the n-th call ---- */

static struct {
  int function;   /* of the table below; -1: none is spoiled */
  long left;      /* calls until the one that is */
  long calls;     /* of that function since it was watched */
  GLenum pending; /* raised and not asked for */
} fault = {.function = -1};

static bool strikes(int function) {
  if (function != fault.function) return false;
  fault.calls++;
  if (fault.left-- != 0) return false;
  fault.pending = GL_OUT_OF_MEMORY;
  return true;
}

static PFNGLGETERRORPROC real_glGetError;
static GLenum GLAD_API_PTR spoiled_glGetError(void) {
  GLenum error = fault.pending;
  fault.pending = GL_NO_ERROR;
  return error ? error : real_glGetError();
}

/* All that a solver calls; NAME, pointer type, parameters, arguments. */
#define FUNCTIONS(F)                                                                               \
  F(glGenBuffers, PFNGLGENBUFFERSPROC, (GLsizei n, GLuint * names), (n, names))                    \
  F(glBindBuffer, PFNGLBINDBUFFERPROC, (GLenum target, GLuint name), (target, name))               \
  F(glBufferData, PFNGLBUFFERDATAPROC,                                                             \
    (GLenum target, GLsizeiptr size, const void *data, GLenum usage), (target, size, data, usage)) \
  F(glClearBufferData, PFNGLCLEARBUFFERDATAPROC,                                                   \
    (GLenum target, GLenum inside, GLenum format, GLenum type, const void *data),                  \
    (target, inside, format, type, data))                                                          \
  F(glBufferSubData, PFNGLBUFFERSUBDATAPROC,                                                       \
    (GLenum target, GLintptr offset, GLsizeiptr size, const void *data),                           \
    (target, offset, size, data))                                                                  \
  F(glGetBufferSubData, PFNGLGETBUFFERSUBDATAPROC,                                                 \
    (GLenum target, GLintptr offset, GLsizeiptr size, void *data), (target, offset, size, data))   \
  F(glGenTextures, PFNGLGENTEXTURESPROC, (GLsizei n, GLuint * names), (n, names))                  \
  F(glActiveTexture, PFNGLACTIVETEXTUREPROC, (GLenum unit), (unit))                                \
  F(glBindTexture, PFNGLBINDTEXTUREPROC, (GLenum target, GLuint name), (target, name))             \
  F(glTexBufferRange, PFNGLTEXBUFFERRANGEPROC,                                                     \
    (GLenum target, GLenum format, GLuint name, GLintptr offset, GLsizeiptr size),                 \
    (target, format, name, offset, size))                                                          \
  F(glUseProgram, PFNGLUSEPROGRAMPROC, (GLuint program), (program))                                \
  F(glBindBufferRange, PFNGLBINDBUFFERRANGEPROC,                                                   \
    (GLenum target, GLuint slot, GLuint name, GLintptr offset, GLsizeiptr size),                   \
    (target, slot, name, offset, size))                                                            \
  F(glDispatchCompute, PFNGLDISPATCHCOMPUTEPROC, (GLuint x, GLuint y, GLuint z), (x, y, z))        \
  F(glMemoryBarrier, PFNGLMEMORYBARRIERPROC, (GLbitfield bits), (bits))

#define NUMBER(name, type, parameters, arguments) AT_##name,
enum { FUNCTIONS(NUMBER) FUNCTION_COUNT };

#define SPOIL(name, type, parameters, arguments)       \
  static type real_##name;                             \
  static void GLAD_API_PTR spoiled_##name parameters { \
    if (!strikes(AT_##name)) real_##name arguments;    \
  }
FUNCTIONS(SPOIL)

#define NAME(name, type, parameters, arguments) #name,
static const char *const names[] = {FUNCTIONS(NAME)};

static void stand_before(void) {
  real_glGetError = glad_glGetError;
  glad_glGetError = spoiled_glGetError;
#define REPLACE(name, type, parameters, arguments) \
  real_##name = glad_##name;                       \
  glad_##name = spoiled_##name;
  FUNCTIONS(REPLACE)
}

static void put_back(void) {
  glad_glGetError = real_glGetError;
#define RESTORE(name, type, parameters, arguments) glad_##name = real_##name;
  FUNCTIONS(RESTORE)
}

/* ---- a run ---- */

static const weft_collider ball = {
    .shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.1f, 0.32f}, .radius = 0.3f, .friction_static = 0.4f};

typedef struct run {
  const weft_model *model;
  weft_params params;
  const weft_backend *backend;
  uint64_t hash;
} run;

/* What comes of making a solver, two frames with pins and a hand that move, and reading it. */
static weft_result attempt(run *r, weft_error *err) {
  weft_solver *solver = NULL;
  weft_result result = weft_solver_create(r->model, &r->params, r->backend, &solver, err);
  uint32_t last = r->model->particle_count - 1;
  if (result == WEFT_OK) result = weft_solver_step(solver, err);
  if (result == WEFT_OK && r->params.grab) {
    result = weft_solver_grab(solver, last, weft_v3(0, -1, 0.2f), err);
  }
  weft_vec3 to = {-0.5f, 0.6f, 0.1f};
  if (result == WEFT_OK) {
    result = weft_solver_move_pins(solver, solver->pin_particles, &to, 1, err);
  }
  if (result == WEFT_OK) result = weft_solver_step(solver, err);
  if (result == WEFT_OK) result = weft_solver_hash(solver, &r->hash, err);
  weft_solver_destroy(solver);
  return result;
}

/* Every call while there are few of them, then ever fewer. */
static long next(long n) { return n < 24 ? n + 1 : n + n / 8; }

static long struck[FUNCTION_COUNT];

static void strike_each_call(run *r, int function) {
  const uint64_t sound = r->hash;
  weft_error err = {0};
  fault.function = function;
  fault.left = -1;
  fault.calls = 0;
  if (attempt(r, &err) != WEFT_OK) fail_msg("nothing was spoiled: %s", err.message);
  const long calls = fault.calls;
  long tried = 0;
  for (long n = 0; n < calls; n = next(n), ++tried) {
    fault.left = n;
    err = (weft_error){0};
    weft_result result = attempt(r, &err);
    if (fault.left >= 0) fail_msg("%s was called %ld times, not %ld", names[function], n, calls);
    if (result == WEFT_OK) {
      fail_msg("call %ld of %ld of %s failed and nobody said so; the state is %s", n + 1, calls,
               names[function], r->hash == sound ? "sound" : "another one");
    }
    assert_true(result == WEFT_ERROR_LIMIT || result == WEFT_ERROR_GL);
    if (!strstr(err.message, "memory")) fail_msg("\"%s\" is not the error", err.message);
    if (n == 0 || n == calls / 2) print_message("  %s: %s\n", names[function], err.message);
    fault.left = -1;
    fault.pending = GL_NO_ERROR;
  }
  struck[function] += tried;
  /* What failed has spoiled nothing for others. */
  if (attempt(r, &err) != WEFT_OK) fail_msg("after %s: %s", names[function], err.message);
  assert_true(r->hash == sound);
  fault.function = -1;
}

static void strike_all(weft_gl_reads reads, weft_params params) {
  weft_gl *gl = rig_context(&(weft_gl_desc){.reads = reads});
  const weft_grid_desc grid = {.rows = 8, .columns = 8};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  run r = {.model = model, .params = params, .backend = rig_backend_on(gl)};
  weft_error err = {0};
  if (attempt(&r, &err) != WEFT_OK) fail_msg("%s", err.message);
  stand_before();
  for (int function = 0; function < FUNCTION_COUNT; ++function) strike_each_call(&r, function);
  put_back();
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

static weft_params busy(weft_schedule schedule) {
  return (weft_params){.plain = true,
                       .schedule = schedule,
                       .substeps = 2,
                       .air_density = 1.2f,
                       .wind = {0, 0, 4},
                       .lra = 1,
                       .grab = true,
                       .colliders = &ball,
                       .collider_count = 1};
}

static void no_error_is_lost_with_a_dispatch_for_each_pass(void **state) {
  (void)state;
  strike_all(WEFT_GL_READS_BUFFERS, busy(WEFT_SCHEDULE_COLOURS));
}

static void no_error_is_lost_with_rows_read_from_textures(void **state) {
  (void)state;
  strike_all(WEFT_GL_READS_TEXTURES, busy(WEFT_SCHEDULE_COLOURS));
}

static void no_error_is_lost_with_one_dispatch_a_frame(void **state) {
  (void)state;
  strike_all(WEFT_GL_READS_BUFFERS, busy(WEFT_SCHEDULE_SINGLE));
}

static void all_of_them_were_struck(void **state) {
  (void)state;
  weft_gl_destroy(rig_context(NULL)); /* or there was nothing to strike */
  for (int k = 0; k < FUNCTION_COUNT; ++k) {
    if (struck[k] == 0) fail_msg("%s is never called", names[k]);
  }
}

/* ---- several on one context ---- */

static void raise_error(void) { glEnable(0xffff); }

/* Whose call it was is unknown, so none of them can be relied on; one made later can. */
static void an_error_concerns_every_solver_that_was_there(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  const weft_grid_desc grid = {.rows = 8, .columns = 8};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_NONE, false, WEFT_PIN_CORNERS);
  weft_solver *one = rig_solver(model, &(weft_params){0}, rig_backend_on(gl));
  weft_solver *two = rig_solver(model, &(weft_params){0}, rig_backend_on(gl));
  rig_step(one, 3);
  raise_error();
  uint64_t hash = 0;
  weft_error err = {0};
  assert_int_equal(weft_solver_hash(one, &hash, &err), WEFT_ERROR_GL);
  print_message("  %s\n", err.message);
  assert_non_null(strstr(err.message, "frames 1 to 3"));
  assert_int_equal(weft_solver_hash(two, &hash, &err), WEFT_ERROR_GL);
  assert_int_equal(weft_solver_hash(two, &hash, &err), WEFT_ERROR_GL); /* for good */
  weft_solver *three = rig_solver(model, &(weft_params){0}, rig_backend_on(gl));
  rig_hash(three);
  weft_solver_destroy(one);
  weft_solver_destroy(two);
  weft_solver_destroy(three);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* Making another solver, a renderer or a picture asks for errors too, and keeps what it finds. */
static void an_error_found_elsewhere_is_not_forgotten(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  const weft_grid_desc grid = {.rows = 8, .columns = 8};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_NONE, false, WEFT_PIN_CORNERS);
  weft_solver *solver = rig_solver(model, &(weft_params){0}, rig_backend_on(gl));
  rig_step(solver, 1);
  raise_error();
  weft_solver_destroy(rig_solver(model, &(weft_params){0}, rig_backend_on(gl)));
  uint64_t hash = 0;
  weft_error err = {0};
  assert_int_equal(weft_solver_hash(solver, &hash, &err), WEFT_ERROR_GL);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_error_is_lost_with_a_dispatch_for_each_pass),
      cmocka_unit_test(no_error_is_lost_with_rows_read_from_textures),
      cmocka_unit_test(no_error_is_lost_with_one_dispatch_a_frame),
      cmocka_unit_test(all_of_them_were_struck),
      cmocka_unit_test(an_error_concerns_every_solver_that_was_there),
      cmocka_unit_test(an_error_found_elsewhere_is_not_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
