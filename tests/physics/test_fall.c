/* Motion without constraints: gravity, damping, drag, pins. */
#include "rig.h"

/* n substeps of symplectic Euler fall by 1/2 g dt^2 n(n+1). Near rest the step is smaller than half
 * an ulp of a position far from the origin, so position errors grow by at most half an ulp a
 * substep; velocity must not feel the height at all. */
static void free_fall_is_half_g_dt2_n_n_plus_1_at_any_height(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const uint32_t substeps[] = {20, 50, 100, 200, 400};
  static const weft_vec3 start[] = {{0, 0, 0}, {0, 2, 0}, {0, 10, 0}};
  static const float masses[] = {1, 1, 1};
  weft_model *model = rig_model(3, start, masses);
  for (size_t k = 0; k < sizeof substeps / sizeof *substeps; ++k) {
    weft_params params = {.substeps = substeps[k]};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_step(solver, 12);
    double n = 12.0 * substeps[k], dt = (double)(1.0f / 60.0f) / substeps[k];
    double speed = 9.81 * n * dt, fall = 0.5 * 9.81 * dt * dt * n * (n + 1);
    for (uint32_t i = 0; i < 3; ++i) {
      double ulp = ldexp(1, ilogb(fmax((double)start[i].y, fall)) - 23);
      double ulp_speed = ldexp(1, ilogb(speed) - 23);
      rig_near((double)rig_velocity(solver, i).y, -speed, 0.5 * n * ulp_speed, "speed");
      rig_near((double)rig_position(solver, i).y - (double)start[i].y, -fall,
               0.5 * n * ulp + 0.5 * n * ulp_speed * n * dt, "height fallen");
      assert_true(rig_velocity(solver, i).y == rig_velocity(solver, 0).y);
    }
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

static void damping_decays_velocity_exponentially_at_any_substep_count(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_vec3 start = {0};
  float mass = 1;
  weft_model *model = rig_model(1, &start, &mass);
  for (uint32_t substeps = 1; substeps <= 100; substeps *= 10) {
    weft_params params = {.substeps = substeps, .no_gravity = true, .damping = 2};
    weft_solver *solver = rig_solver(model, &params, backend);
    weft_vec3 velocity = {3, 0, 0};
    rig_write(solver, NULL, &velocity);
    rig_step(solver, 60);
    rig_near((double)rig_velocity(solver, 0).x, 3 * exp(-2.0), 1e-4, "speed after a second");
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

/* Pressure drag rho Cd A v^2 / 2 balances weight m g. */
static void a_level_sheet_falls_at_its_terminal_velocity(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {.rows = 9, .columns = 9, .plane = WEFT_PLANE_XZ};
  weft_model *model = rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_params params = {.air_density = 1.2f, .drag = 1.2f};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 120);
  double density = (double)weft_material_find("tablecloth")->area_density;
  double terminal = sqrt(2 * density * 9.81 / (1.2 * 1.2));
  for (uint32_t i = 0; i < 81; ++i) {
    rig_near((double)rig_velocity(solver, i).y, -terminal, 0.005 * terminal, "terminal velocity");
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Drag works on the wind relative to the cloth: a free sheet takes up the speed of the air.
 * dv/dt = k (W - v)^2 from rest gives v = W (1 - 1/(1 + k W t)), k = rho Cd / (2 density). */
static void a_free_sheet_is_carried_along_by_the_wind(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {.rows = 9, .columns = 9};
  weft_model *model = rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_params params = {.air_density = 1.2f, .no_gravity = true, .wind = {0, 0, 5}};
  weft_solver *solver = rig_solver(model, &params, backend);
  double k = 0.5 * 1.2 * 1.2 / (double)weft_material_find("tablecloth")->area_density;
  for (int second = 1; second <= 3; ++second) {
    rig_step(solver, 60);
    double expected = 5 * (1 - 1 / (1 + k * 5 * second));
    rig_near((double)rig_velocity(solver, 40).z, expected, 0.01, "speed in wind");
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* A storm over a light sheet in few substeps, where explicit quadratic drag alone would throw the
 * cloth back faster than it came: nothing outruns the wind. */
static void a_storm_carries_cloth_no_faster_than_itself(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {.rows = 17, .columns = 17};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_params params = {
      .air_density = 1.2f, .no_gravity = true, .wind = {0, 0, 400}, .substeps = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  for (int frame = 0; frame < 30; ++frame) {
    rig_step(solver, 1);
    weft_metrics metrics;
    assert_int_equal(weft_solver_metrics(solver, &metrics, NULL), WEFT_OK);
    assert_int_equal(metrics.nonfinite, 0);
    assert_true(metrics.max_speed <= 1.01 * 400);
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void pins_end_each_frame_exactly_on_their_targets(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {.rows = 8, .columns = 8};
  weft_model *model =
      rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  weft_params params = {.substeps = 7}; /* sevenths are not exact in binary */
  weft_solver *solver = rig_solver(model, &params, backend);
  uint32_t moved = 0;
  weft_vec3 still = rig_position(solver, 7);
  weft_rng rng = weft_rng_seed(3);
  for (int frame = 0; frame < 20; ++frame) {
    weft_vec3 target = {weft_rng_float(&rng, -1, 1), weft_rng_float(&rng, -1, 1), 0.1f};
    assert_int_equal(weft_solver_move_pins(solver, &moved, &target, 1, NULL), WEFT_OK);
    rig_step(solver, 1);
    weft_vec3 got = rig_position(solver, 0);
    assert_memory_equal(&got, &target, sizeof got);
    got = rig_position(solver, 7);
    assert_memory_equal(&got, &still, sizeof got);
  }
  weft_vec3 there = rig_position(solver, 0);
  rig_step(solver, 5);
  weft_vec3 later = rig_position(solver, 0), velocity = rig_velocity(solver, 0);
  assert_memory_equal(&there, &later, sizeof there); /* and stay */
  assert_true(velocity.x == 0 && velocity.y == 0 && velocity.z == 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(free_fall_is_half_g_dt2_n_n_plus_1_at_any_height),
      RIG_BOTH(damping_decays_velocity_exponentially_at_any_substep_count),
      RIG_BOTH(a_level_sheet_falls_at_its_terminal_velocity),
      RIG_BOTH(a_free_sheet_is_carried_along_by_the_wind),
      RIG_BOTH(a_storm_carries_cloth_no_faster_than_itself),
      RIG_BOTH(pins_end_each_frame_exactly_on_their_targets),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
