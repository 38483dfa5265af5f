/* Joined models: every part goes the way it goes alone, bit for bit, on every backend and in every
 * schedule that takes them. */
#include "../physics/rig.h"
/* after rig.h */
#include "solver_gl.h"

enum { PARTS = 3 };

static weft_model *sheet(float compliance, float density) {
  weft_material material = *weft_material_find("tshirt");
  material.area_density = density;
  material.stretch_warp = material.stretch_weft = material.shear = 1 / compliance;
  weft_grid_desc grid = {.rows = 11, .columns = 9};
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  return rig_grid_model(&grid,
                        (weft_model_desc){.material = &material, .pins = &pin, .pin_count = 1});
}

static const weft_collider ball = {
    .shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.1f, 0.32f}, .radius = 0.3f, .friction_static = 0.4f};

/* All that parts may have. */
static weft_params busy(void) {
  return (weft_params){.substeps = 6,
                       .iterations = 2,
                       .air_density = 1.2f,
                       .wind = {0, 0, 4},
                       .lra = 2,
                       .multilevel = WEFT_ALL_LEVELS,
                       .line_sweeps = 2,
                       .colliders = &ball,
                       .collider_count = 1};
}

/* Each part's first pin is pulled away. */
static void run(weft_solver *solver, uint32_t parts) {
  uint32_t pins = solver->pinned_count / parts;
  rig_step(solver, 2);
  for (uint32_t p = 0; p < parts; ++p) {
    uint32_t pin = solver->pin_particles[p * pins];
    weft_vec3 to = weft_v3_add(weft_v3d_round(solver->pin_to[p * pins]), weft_v3(0.02f, 0.03f, 0));
    assert_int_equal(weft_solver_move_pins(solver, &pin, &to, 1, NULL), WEFT_OK);
  }
  rig_step(solver, 3);
}

static void expect_parts(weft_model *const *models, const weft_params *params,
                         const weft_backend *backend, weft_schedule schedule) {
  weft_params own = *params;
  own.schedule = schedule;
  weft_model *joined = NULL;
  weft_error err = {0};
  if (weft_model_join((const weft_model *const *)models, PARTS, &joined, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  assert_int_equal(weft_model_part_count(joined), PARTS);
  assert_int_equal(weft_model_validate(joined, &err), WEFT_OK);
  uint32_t n = models[0]->particle_count;
  weft_solver *all = rig_solver(joined, &own, backend);
  run(all, PARTS);
  weft_vec3 *x = weft_alloc((size_t)n * PARTS, sizeof *x),
            *v = weft_alloc((size_t)n * PARTS, sizeof *v);
  weft_vec3 *x_own = weft_alloc(n, sizeof *x), *v_own = weft_alloc(n, sizeof *v);
  assert_int_equal(weft_solver_read(all, x, v, NULL), WEFT_OK);
  for (uint32_t p = 0; p < PARTS; ++p) {
    weft_solver *alone = rig_solver(models[p], &own, backend);
    run(alone, 1);
    assert_int_equal(weft_solver_read(alone, x_own, v_own, NULL), WEFT_OK);
    assert_memory_equal(x_own, x + (size_t)p * n, n * sizeof *x);
    assert_memory_equal(v_own, v + (size_t)p * n, n * sizeof *v);
    weft_solver_destroy(alone);
  }
  weft_solver_destroy(all);
  weft_model_destroy(joined);
  weft_free(x);
  weft_free(v);
  weft_free(x_own);
  weft_free(v_own);
}

static void expect_parts_everywhere(weft_model *const *models, const weft_params *params) {
  expect_parts(models, params, weft_backend_ref(), WEFT_SCHEDULE_AUTO);
  expect_parts(models, params, weft_backend_cpu(2), WEFT_SCHEDULE_AUTO);
  expect_parts(models, params, weft_backend_f64(), WEFT_SCHEDULE_AUTO);
  weft_gl *gl = NULL;
  const weft_backend *backend = NULL;
  if (weft_gl_create_headless(&(weft_gl_desc){0}, &gl, NULL) != WEFT_OK) {
    print_message("no GL, that half is skipped\n");
    return;
  }
  assert_int_equal(weft_backend_gl(gl, &backend, NULL), WEFT_OK);
  expect_parts(models, params, backend, WEFT_SCHEDULE_COLOURS);
  expect_parts(models, params, backend, WEFT_SCHEDULE_SINGLE);
  weft_gl_destroy(gl);
}

static void parts_of_different_fabric_go_as_they_do_alone(void **state) {
  (void)state;
  weft_model *models[PARTS];
  for (int p = 0; p < PARTS; ++p)
    models[p] = sheet(1e-6f * (float)(1 + 20 * p), 0.1f * (float)(p + 1));
  weft_params params = busy();
  expect_parts_everywhere(models, &params);
  params = (weft_params){.substeps = 10};
  expect_parts_everywhere(models, &params);
  for (int p = 0; p < PARTS; ++p) weft_model_destroy(models[p]);
}

static void the_same_model_may_be_joined_with_itself(void **state) {
  (void)state;
  weft_model *one = sheet(1e-6f, 0.2f);
  weft_model *models[PARTS] = {one, one, one};
  weft_params params = busy();
  expect_parts_everywhere(models, &params);
  weft_model_destroy(one);
}

/* Constraints of a colour are one dispatch for all parts; single is one dispatch with a work group
 * each. */
static void parts_cost_no_dispatches(void **state) {
  (void)state;
  weft_gl *gl = NULL;
  const weft_backend *backend = NULL;
  if (weft_gl_create_headless(&(weft_gl_desc){0}, &gl, NULL) != WEFT_OK) skip();
  assert_int_equal(weft_backend_gl(gl, &backend, NULL), WEFT_OK);
  weft_model *one = sheet(1e-6f, 0.2f), *joined = NULL;
  const weft_model *models[PARTS] = {one, one, one};
  assert_int_equal(weft_model_join(models, PARTS, &joined, NULL), WEFT_OK);
  for (int s = WEFT_SCHEDULE_COLOURS; s <= WEFT_SCHEDULE_SINGLE; s += 2) {
    weft_params params = {.schedule = (weft_schedule)s, .substeps = 5};
    uint64_t dispatches[2];
    for (int k = 0; k < 2; ++k) {
      weft_solver *solver = rig_solver(k ? joined : one, &params, backend);
      rig_step(solver, 1); /* single times its first substeps one by one */
      uint64_t before = weft_solver_gl_counts(gl).dispatches;
      rig_step(solver, 1);
      dispatches[k] = weft_solver_gl_counts(gl).dispatches - before;
      weft_solver_destroy(solver);
    }
    assert_true(dispatches[0] == dispatches[1]);
    if (s == WEFT_SCHEDULE_SINGLE) assert_int_equal(dispatches[1], 1);
  }
  weft_model_destroy(joined);
  weft_model_destroy(one);
  weft_gl_destroy(gl);
}

static void expect_refused(const weft_model *joined, const weft_params *params, const char *word) {
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(joined, params, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, word));
}

static void what_couples_parts_is_refused_in_a_sentence(void **state) {
  (void)state;
  weft_model *a = sheet(1e-6f, 0.2f), *stiff = sheet(0, 0.2f), *joined = NULL;
  const weft_model *same[] = {a, a}, *differ[] = {a, stiff};
  assert_int_equal(weft_model_join(same, 2, &joined, NULL), WEFT_OK);
  expect_refused(joined, &(weft_params){.global_damping = 1}, "global damping");
  expect_refused(joined, &(weft_params){.mode = WEFT_MODE_JACOBI}, "mode");
  expect_refused(joined, &(weft_params){.grab = true}, "grab");
  expect_refused(joined, &(weft_params){.schedule = WEFT_SCHEDULE_PATCHES}, "patches");
  weft_model *again = NULL;
  weft_error err = {0};
  const weft_model *nested[] = {joined, joined};
  assert_int_equal(weft_model_join(nested, 2, &again, &err), WEFT_ERROR_ARGUMENT);
  uint32_t pin = 0;
  assert_int_equal(weft_model_with_pins(joined, &pin, 1, false, &again, &err), WEFT_ERROR_ARGUMENT);
  weft_model_destroy(joined);
  /* Only one of them keeps multipliers over two iterations. */
  assert_int_equal(weft_model_join(differ, 2, &joined, NULL), WEFT_OK);
  expect_refused(joined, &(weft_params){.iterations = 2}, "part 1");
  weft_model_destroy(joined);
  weft_grid_desc grid = {.rows = 5, .columns = 5};
  weft_model *other = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  const weft_model *unlike[] = {a, other};
  assert_int_equal(weft_model_join(unlike, 2, &joined, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "model 1"));
  weft_model_destroy(other);
  weft_model_destroy(a);
  weft_model_destroy(stiff);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_different_fabric_go_as_they_do_alone),
      cmocka_unit_test(the_same_model_may_be_joined_with_itself),
      cmocka_unit_test(parts_cost_no_dispatches),
      cmocka_unit_test(what_couples_parts_is_refused_in_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
