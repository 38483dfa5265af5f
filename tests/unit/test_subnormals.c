/* A driver may flush subnormals to zero, and every GPU may do so. The reference run with the
 * processor's own flush-to-zero switched on stands for such a driver: the same bits must come out,
 * also where a disturbance dies away in a flat sheet (each colour passes on a part of a part of
 * it). */
#include <string.h>

#include "cmocka_all.h"
#include "solver.h"

#if defined(__SSE__)
#include <xmmintrin.h>
static void flush_to_zero(bool on) {
  unsigned mode = _mm_getcsr() & ~0x8040u;
  _mm_setcsr(on ? mode | 0x8040u : mode); /* FTZ and DAZ */
}
#else
static void flush_to_zero(bool on) { (void)on; }
#endif

/* A flat sheet hung from its top, so that it is under tension, and poked by a small sphere. */
static weft_model *make_sheet(weft_bending bending) {
  weft_error err;
  weft_mesh mesh = {0};
  weft_grid_desc grid = {.rows = 48, .columns = 48, .width = 1, .height = 1};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
  weft_pin top = {.rule = WEFT_PIN_TOP};
  weft_material material = *weft_material_find("tablecloth");
  material.damping_time = 1e-3f;
  weft_model_desc desc = {
      .mesh = &mesh, .material = &material, .bending = bending, .pins = &top, .pin_count = 1};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
  weft_mesh_free(&mesh);
  return model;
}

static weft_solver *make_solver(const weft_model *model, weft_mode mode, uint32_t iterations) {
  weft_error err;
  weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                        .a = {0.013f, 0.007f, -0.03f},
                        .radius = 0.031f,
                        .friction_static = 0.3f,
                        .friction_dynamic = 0.2f};
  weft_params params = {.frame_dt = 1e-3f,
                        .substeps = 1,
                        .mode = mode,
                        .iterations = iterations,
                        .colliders = &ball,
                        .collider_count = 1,
                        .hybrid_min = 700};
  weft_solver *solver = NULL;
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, &err), WEFT_OK);
  return solver;
}

/* Steps two solvers, the second flushing, and compares after every substep: what dies away passes
 * through the subnormals at its front only. */
static void compare_runs(const weft_model *model, weft_mode mode, uint32_t iterations) {
  enum { SUBSTEPS = 40 };
  weft_error err;
  weft_solver *keeps = make_solver(model, mode, iterations);
  weft_solver *flushes = make_solver(model, mode, iterations);
  uint32_t n = weft_model_particle_count(model);
  vec4 *kept = weft_alloc(n, sizeof *kept), *flushed = weft_alloc(n, sizeof *flushed);
  uint32_t moved = 0;
  for (int substep = 0; substep < SUBSTEPS; ++substep) {
    weft_solver_step(keeps, &err);
    flush_to_zero(true);
    weft_solver_step(flushes, &err);
    flush_to_zero(false);
    weft_solver_read_buffer(keeps, WEFT_BUFFER_V, 0, n, kept);
    weft_solver_read_buffer(flushes, WEFT_BUFFER_V, 0, n, flushed);
    assert_memory_equal(kept, flushed, n * sizeof *kept);
    weft_solver_read_buffer(keeps, WEFT_BUFFER_X, 0, n, kept);
    weft_solver_read_buffer(flushes, WEFT_BUFFER_X, 0, n, flushed);
    assert_memory_equal(kept, flushed, n * sizeof *kept);
  }
  for (uint32_t i = 0; i < n; ++i) moved += kept[i].z != 0;
  assert_true(moved > 0);
  weft_free(kept);
  weft_free(flushed);
  weft_solver_destroy(keeps);
  weft_solver_destroy(flushes);
}

static void flushing_changes_no_bit(void **state) {
  (void)state;
#if !defined(__SSE__)
  print_message("skipped: no way to switch flush-to-zero on here\n");
  skip();
#endif
  const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  for (size_t b = 0; b < 2; ++b) {
    weft_model *model = make_sheet(bendings[b]);
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      compare_runs(model, (weft_mode)mode, 1);
      compare_runs(model, (weft_mode)mode, 4);
    }
    weft_model_destroy(model);
  }
}

/* A material too soft for float is switched off, not turned into NaN. */
static void absurdly_soft_cloth_stays_finite(void **state) {
  (void)state;
  weft_error err;
  weft_mesh mesh = {0};
  weft_grid_desc grid = {.rows = 4, .columns = 4};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
  weft_material material = *weft_material_find("tablecloth");
  material.stretch_warp = material.stretch_weft = 1e-34f;
  material.bending = 1e-37f;
  weft_model_desc desc = {.mesh = &mesh, .material = &material};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
  weft_params params = {.iterations = 3};
  weft_solver *solver;
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, &err), WEFT_OK);
  weft_solver_step(solver, &err);
  weft_metrics metrics;
  assert_int_equal(weft_solver_metrics(solver, &metrics, &err), WEFT_OK);
  assert_int_equal(metrics.nonfinite, 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
}

static void planes_that_turn_over_are_refused(void **state) {
  (void)state;
  weft_error err;
  weft_collider_key keys[2] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                               {1, {0, 0, 0}, {0, -1, 0}, {0, 0, 0}}};
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE, .keys = keys, .key_count = 2};
  weft_params params = {.colliders = &plane, .collider_count = 1}, resolved;
  assert_int_equal(weft_params_resolve(&params, &resolved, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "turns over"));
  keys[1].b = weft_v3(1, 0.1f, 0);
  assert_int_equal(weft_params_resolve(&params, &resolved, &err), WEFT_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flushing_changes_no_bit),
      cmocka_unit_test(absurdly_soft_cloth_stays_finite),
      cmocka_unit_test(planes_that_turn_over_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
