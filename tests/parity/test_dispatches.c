/* What the compute backend issues: a barrier for every pass that a later one depends on, no object
 * made inside a step and nothing read but whether lists of self-collision are empty, no message
 * from the driver, also when its limits are faked down to what GL 4.3 promises. */
#include "../physics/rig.h"
/* after rig.h */
#include "../physics/ball.h"
#include "gl.h"
#include "solver_gl.h"

/* Wind, pins, all kinds of constraints, a collider: every kind of pass. */
static weft_model *busy_model(uint32_t side, weft_bending bending) {
  weft_grid_desc grid = {.rows = side, .columns = side};
  return rig_sheet(&grid, "tshirt", bending, false, WEFT_PIN_CORNERS);
}

static const weft_collider round_shape = {
    .shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.1f, 0.32f}, .radius = 0.3f, .friction_static = 0.4f};

static weft_params busy_params(weft_mode mode) {
  return (weft_params){.schedule = WEFT_SCHEDULE_COLOURS,
                       .mode = mode,
                       .iterations = 2,
                       .substeps = 8,
                       .air_density = 1.2f,
                       .wind = {0, 0, 4},
                       .colliders = &round_shape,
                       .collider_count = 1};
}

/* ---- what really reaches the driver: glad's function pointers are ours for a while ---- */

static struct {
  PFNGLDISPATCHCOMPUTEPROC dispatch;
  PFNGLDISPATCHCOMPUTEINDIRECTPROC dispatch_indirect;
  PFNGLMEMORYBARRIERPROC barrier;
  PFNGLGENBUFFERSPROC gen_buffers;
  PFNGLGETBUFFERSUBDATAPROC get_data;
  PFNGLFINISHPROC finish;
  GLbitfield needed; /* by what reads: blocks, and buffer textures where rows come from those */
  bool unseen;       /* a dispatch has written what no barrier has made visible yet, */
  bool unseen_sizes; /* or what a dispatch takes its groups from */
  uint32_t dispatches, indirect, unguarded, forbidden, asked;
} spy;

/* A program that writes them has their block: reading is up to the driver. */
static bool writes_sizes(void) {
  GLint program = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &program);
  static const char *const blocks[] = {"b_self_sizes", "Groups"};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
    if (glGetProgramResourceIndex((GLuint)program, GL_SHADER_STORAGE_BLOCK, blocks[k]) !=
        GL_INVALID_INDEX) {
      return true;
    }
  }
  return false;
}
static void note_dispatch(void) {
  spy.unguarded += spy.unseen;
  spy.unseen = true;
  spy.dispatches++;
  if (writes_sizes()) spy.unseen_sizes = true;
}
static void GLAD_API_PTR spy_dispatch(GLuint x, GLuint y, GLuint z) {
  note_dispatch();
  spy.dispatch(x, y, z);
}
static void GLAD_API_PTR spy_dispatch_indirect(GLintptr offset) {
  spy.unguarded += spy.unseen_sizes;
  spy.indirect++;
  note_dispatch();
  spy.dispatch_indirect(offset);
}
static void GLAD_API_PTR spy_barrier(GLbitfield bits) {
  if ((bits & spy.needed) == spy.needed) spy.unseen = false;
  if (bits & GL_COMMAND_BARRIER_BIT) spy.unseen_sizes = false;
  spy.barrier(bits);
}
static void GLAD_API_PTR spy_gen_buffers(GLsizei count, GLuint *names) {
  spy.forbidden++;
  spy.gen_buffers(count, names);
}
static void GLAD_API_PTR spy_get_data(GLenum target, GLintptr at, GLsizeiptr size, void *data) {
  spy.asked++;
  spy.get_data(target, at, size, data);
}
static void GLAD_API_PTR spy_finish(void) {
  spy.forbidden++;
  spy.finish();
}

static void spy_on_step(const weft_gl *gl, weft_solver *solver) {
  memset(&spy, 0, sizeof spy);
  bool textured = gl->desc.reads == WEFT_GL_READS_TEXTURES;
  spy.needed = GL_SHADER_STORAGE_BARRIER_BIT | (textured ? GL_TEXTURE_FETCH_BARRIER_BIT : 0u);
  spy.dispatch = glad_glDispatchCompute;
  spy.dispatch_indirect = glad_glDispatchComputeIndirect;
  spy.barrier = glad_glMemoryBarrier;
  spy.gen_buffers = glad_glGenBuffers;
  spy.get_data = glad_glGetBufferSubData;
  spy.finish = glad_glFinish;
  glad_glDispatchCompute = spy_dispatch;
  glad_glDispatchComputeIndirect = spy_dispatch_indirect;
  glad_glMemoryBarrier = spy_barrier;
  glad_glGenBuffers = spy_gen_buffers;
  glad_glGetBufferSubData = spy_get_data;
  glad_glFinish = spy_finish;
  rig_step(solver, 1);
  glad_glDispatchCompute = spy.dispatch;
  glad_glDispatchComputeIndirect = spy.dispatch_indirect;
  glad_glMemoryBarrier = spy.barrier;
  glad_glGenBuffers = spy.gen_buffers;
  glad_glGetBufferSubData = spy.get_data;
  glad_glFinish = spy.finish;
}

/* llvmpipe runs dispatches one after the other, so a barrier left out changes no bit there; it
 * would on a GPU. So the calls themselves are watched. */
static void between_any_two_dispatches_stands_a_barrier(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_model *model = busy_model(16, WEFT_BENDING_ISOMETRIC);
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    weft_params params = busy_params((weft_mode)mode);
    weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
    spy_on_step(gl, solver);
    assert_true(spy.dispatches > 100);
    assert_int_equal(spy.unguarded, 0);
    assert_false(spy.unseen);
    assert_int_equal(spy.forbidden + spy.asked, 0);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* Of self-collision, whose passes count each other's work groups. */
static void what_counts_groups_is_seen_by_the_dispatches_of_them(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_model *model = busy_model(16, WEFT_BENDING_ISOMETRIC);
  weft_params params = busy_params(WEFT_MODE_GS);
  params.self_collision = true;
  weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
  spy_on_step(gl, solver);
  uint32_t indirect = 0;
  for (size_t k = 0; k < solver->passes.count; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    for (uint32_t s = 0; s < params.substeps; ++s) {
      indirect += pass->counted && weft_pass_runs(pass, s) ? 1 : 0;
    }
  }
  assert_true(indirect > 20 * params.substeps);
  assert_int_equal(spy.indirect, indirect);
  assert_int_equal(spy.unguarded, 0);
  assert_false(spy.unseen || spy.unseen_sizes);
  assert_int_equal(spy.forbidden, 0);
  assert_int_equal(spy.asked, 3); /* kept: how much; whether lists did, and what stood */
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* A pass that runs only while a body moves; what it writes is read by the next one that runs. The
 * first frame has all passes, those after it what looks alone. */
static void a_body_that_moves_is_seen_by_what_comes_after(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_model *model = busy_model(12, WEFT_BENDING_ISOMETRIC);
  weft_mesh egg = ball(6, 8, 0.2f, weft_v3(0, -0.1f, -0.4f));
  const weft_body body = {.mesh = &egg};
  weft_params params = busy_params(WEFT_MODE_GS);
  params.collider_count = 0; /* it would touch */
  params.bodies = &body;
  params.body_count = 1;
  weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
  weft_error err = {0};
  rig_step(solver, 1);
  spy_on_step(gl, solver);
  uint32_t still = spy.dispatches;
  assert_int_equal(spy.indirect + params.substeps + 1, still);
  assert_int_equal(spy.unguarded, 0);
  assert_int_equal(spy.asked, 6); /* as above; whether two lists are empty, and one still is */
  for (uint32_t i = 0; i < egg.vertex_count; ++i) egg.positions[i].z += 0.02f;
  assert_int_equal(weft_solver_move_body(solver, 0, egg.positions, &err), WEFT_OK);
  spy_on_step(gl, solver);
  assert_int_equal(spy.dispatches, still + params.substeps);
  assert_int_equal(spy.unguarded, 0);
  assert_false(spy.unseen || spy.unseen_sizes);
  assert_int_equal(spy.forbidden, 0);
  assert_int_equal(spy.asked, 4);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&egg);
  weft_gl_destroy(gl);
}

static void a_step_issues_a_barrier_for_every_pass_and_makes_nothing(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_model *model = busy_model(16, WEFT_BENDING_ISOMETRIC);
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    weft_params params = busy_params((weft_mode)mode);
    weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
    weft_gl_counts before = weft_solver_gl_counts(gl);
    rig_step(solver, 1);
    weft_gl_counts after = weft_solver_gl_counts(gl);
    uint64_t passes = 0;
    for (size_t k = 0; k < solver->passes.count; ++k) {
      const weft_pass *pass = &solver->passes.items[k];
      passes += pass->count > 0 && weft_solver_pass_active(solver, pass);
    }
    passes *= params.substeps;
    /* In this list every pass reads what an earlier one wrote. */
    assert_true(after.dispatches - before.dispatches >= passes);
    assert_true(after.barriers - before.barriers >= passes);
    assert_int_equal(after.buffers_created, before.buffers_created);
    assert_int_equal(after.programs_created, before.programs_created);
    assert_int_equal(after.reads, before.reads);
    weft_solver_destroy(solver);
  }
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

static uint64_t hash_after(const weft_model *model, const weft_backend *backend, weft_mode mode) {
  weft_params params = busy_params(mode);
  return rig_hash_after(model, &params, backend, 5);
}

static void promised_limits_give_the_same_bits(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true, .minimum_limits = true});
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  for (int k = 0; k < 2; ++k) {
    weft_model *model = busy_model(24, bendings[k]);
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      uint64_t ref = hash_after(model, weft_backend_ref(), (weft_mode)mode);
      assert_true(hash_after(model, rig_backend_on(gl), (weft_mode)mode) == ref);
    }
    weft_model_destroy(model);
  }
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_gl_destroy(gl);
}

/* Constraint rows beyond 16 MiB are streamed through windows; positions just fit. */
static void a_model_larger_than_a_block_is_split_and_stays_equal(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.minimum_limits = true});
  weft_grid_desc grid = {.rows = 640, .columns = 640};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  weft_params params = {.substeps = 2};
  weft_solver *on_ref = rig_solver(model, &params, weft_backend_ref());
  weft_solver *on_gl = rig_solver(model, &params, rig_backend_on(gl));
  uint64_t bytes =
      weft_solver_buffer_count(on_gl, WEFT_BUFFER_ISOMETRIC) * sizeof(weft_quad_element);
  assert_true(bytes > 16u << 20);
  rig_step(on_ref, 1);
  rig_step(on_gl, 1);
  assert_true(rig_hash(on_ref) == rig_hash(on_gl));
  weft_solver_destroy(on_ref);
  weft_solver_destroy(on_gl);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

static void a_model_that_cannot_be_split_is_refused_in_a_sentence(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.minimum_limits = true});
  weft_grid_desc grid = {.rows = 1100, .columns = 1100}; /* 1.2 million positions: 18 MiB */
  weft_model *model = rig_sheet(&grid, "inextensible", WEFT_BENDING_NONE, true, WEFT_PIN_NONE);
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &(weft_params){0}, rig_backend_on(gl), &solver, &err),
                   WEFT_ERROR_LIMIT);
  assert_null(solver);
  assert_non_null(strstr(err.message, "16.0 MiB"));
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* ---- what is too large for a driver ---- */

static weft_result try_sheet(weft_gl *gl, uint32_t side, const weft_params *params,
                             const weft_backend *backend, weft_error *err) {
  weft_grid_desc grid = {.rows = side, .columns = side};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  weft_solver *solver = NULL;
  weft_params plain = *params;
  plain.plain = true;
  weft_result result =
      weft_solver_create(model, &plain, backend ? backend : rig_backend_on(gl), &solver, err);
  if (result == WEFT_OK) result = weft_solver_step(solver, err);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return result;
}

/* The size in the advice runs, one a little larger does not, and the backend in it runs all. */
static void advice_on_size_holds(void **state) {
  (void)state;
  const struct {
    weft_params params;
    const char *remedy;
  } cases[] = {{{.substeps = 1}, NULL},
               {{.substeps = 1, .line_sweeps = 1, .lra = 2, .multilevel = WEFT_ALL_LEVELS}, NULL},
               {{.substeps = 1, .mode = WEFT_MODE_JACOBI}, NULL},
               {{.substeps = 1, .wind = {0, 0, 2}, .air_density = 1.2f}, NULL},
               {{.substeps = 1, .schedule = WEFT_SCHEDULE_PATCHES}, NULL}};
  weft_gl *gl = rig_context(NULL);
  gl->limits.max_storage_block = 64 * 64 * 16; /* positions just fit */
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_error err = {0};
    unsigned long long particles = 0;
    unsigned rows = 0, columns = 0;
    assert_int_equal(try_sheet(gl, 90, &cases[k].params, NULL, &err), WEFT_ERROR_LIMIT);
    print_message("  %s\n", err.message);
    const char *most = strstr(err.message, "--backend cpu, or at most ");
    assert_non_null(most);
    assert_int_equal(sscanf(most, "--backend cpu, or at most %llu particles, as a sheet of %u x %u",
                            &particles, &rows, &columns),
                     3);
    assert_true(rows == columns && rows * rows <= particles && (rows + 1) * (rows + 1) > particles);
    if (try_sheet(gl, rows, &cases[k].params, NULL, &err) != WEFT_OK) fail_msg("%s", err.message);
    assert_int_equal(try_sheet(gl, rows + 2 + rows / 25, &cases[k].params, NULL, &err),
                     WEFT_ERROR_LIMIT);
    if (try_sheet(gl, 90, &cases[k].params, weft_backend_cpu(0), &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
  }
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(advice_on_size_holds),
      cmocka_unit_test(between_any_two_dispatches_stands_a_barrier),
      cmocka_unit_test(what_counts_groups_is_seen_by_the_dispatches_of_them),
      cmocka_unit_test(a_body_that_moves_is_seen_by_what_comes_after),
      cmocka_unit_test(a_step_issues_a_barrier_for_every_pass_and_makes_nothing),
      cmocka_unit_test(promised_limits_give_the_same_bits),
      cmocka_unit_test(a_model_larger_than_a_block_is_split_and_stays_equal),
      cmocka_unit_test(a_model_that_cannot_be_split_is_refused_in_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
