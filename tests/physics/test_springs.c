/* Distance constraints against theory: pairs, springs and chains made by hand. */
#include "rig.h"

static void two_particles_meet_at_their_rest_length(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const weft_vec3 start[] = {{2, 2, 0}, {-2, -2, 0}};
  static const float masses[] = {1, 1};
  static const uint32_t pair[] = {0, 1};
  weft_model *model = rig_model(2, start, masses);
  rig_group(model, WEFT_CONSTRAINT_DISTANCE, 1, pair)->rest[0] = 1;
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    weft_params params = {.no_gravity = true, .substeps = 1, .mode = (weft_mode)mode};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_step(solver, 1);
    for (uint32_t i = 0; i < 2; ++i) {
      double side = i ? -0.35355339 : 0.35355339;
      rig_near((double)rig_position(solver, i).x, side, 2e-7, "x");
      rig_near((double)rig_position(solver, i).y, side, 2e-7, "y");
      assert_true(rig_position(solver, i).z == 0);
    }
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

static void a_heavy_particle_moves_less(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const weft_vec3 start[] = {{0, 0, 0}, {2, 0, 0}};
  static const float masses[] = {3, 1};
  static const uint32_t pair[] = {0, 1};
  weft_model *model = rig_model(2, start, masses);
  rig_group(model, WEFT_CONSTRAINT_DISTANCE, 1, pair)->rest[0] = 1;
  weft_params params = {.no_gravity = true, .substeps = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 1);
  rig_near((double)rig_position(solver, 0).x, 0.25, 2e-7, "the heavy one");
  rig_near((double)rig_position(solver, 1).x, 1.25, 2e-7, "the light one");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

static double stretch_of_tip(weft_solver *solver, uint32_t links, double length) {
  return -(double)rig_position(solver, links).y - length * links;
}

/* From the first and the eleventh downward crossing of the rest length, interpolated. */
static double period_of_spring(weft_solver *solver) {
  double before = 0.5, first = 0, last = 0, dt = (double)solver->params.frame_dt;
  int crossings = 0;
  for (int frame = 1; crossings < 11; ++frame) {
    assert_true(frame < 100000);
    rig_step(solver, 1);
    double now = stretch_of_tip(solver, 1, 1);
    if (before > 0 && now <= 0) {
      last = (frame - 1 + before / (before - now)) * dt;
      if (crossings++ == 0) first = last;
    }
    before = now;
  }
  return (last - first) / 10;
}

static weft_solver *stretched_spring(const weft_model *model, const weft_params *params,
                                     const weft_backend *backend) {
  weft_solver *solver = rig_solver(model, params, backend);
  static const weft_vec3 stretched[] = {{0, 0, 0}, {0, -1.5f, 0}};
  rig_write(solver, stretched, NULL);
  return solver;
}

/* Macklin 2016, section 6.1: 2 pi sqrt(m alpha). */
static void a_spring_keeps_its_period_at_any_iteration_count(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = rig_chain(1, 1, 1, 0.001f);
  static const uint32_t iterations[] = {1, 2, 5, 20};
  double first = 0;
  for (int k = 0; k < 4; ++k) {
    weft_params params = {
        .no_gravity = true, .frame_dt = 1e-3f, .substeps = 2, .iterations = iterations[k]};
    weft_solver *solver = stretched_spring(model, &params, backend);
    double period = period_of_spring(solver);
    if (k == 0) first = period;
    rig_near(period, 0.19869, 0.19869 * 1e-3, "period");
    rig_near(period, first, 1e-4 * first, "period against one iteration");
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

/* Damping of XPBD (Macklin 2016, eq. 26) makes the force -(C + alpha beta dC/dt)/alpha. */
static void a_damped_spring_decays_as_its_coefficient_says(void **state) {
  const weft_backend *backend = rig_backend(state);
  const double alpha = 0.001, time = 2e-3;
  weft_model *model = rig_chain(1, 1, 1, (float)alpha);
  model->groups[0].damping[0] = (float)(time / alpha);
  weft_params params = {.no_gravity = true, .frame_dt = 5e-4f, .substeps = 5};
  weft_solver *solver = stretched_spring(model, &params, backend);
  double rate = time / (2 * alpha), turn = sqrt(1 / alpha - rate * rate);
  for (int frame = 1; frame <= 600; ++frame) {
    rig_step(solver, 1);
    double t = frame * 5e-4;
    double exact = 0.5 * exp(-rate * t) * (cos(turn * t) + rate / turn * sin(turn * t));
    rig_near(stretch_of_tip(solver, 1, 1), exact, 0.01, "damped swing");
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* Link i carries the N-i particles below it: total stretch alpha m g N(N+1)/2. */
static void an_elastic_chain_stretches_by_alpha_m_g_n_n_plus_1_over_2(void **state) {
  const weft_backend *backend = rig_backend(state);
  const uint32_t links = 10;
  weft_model *model = rig_chain(links, 0.1f, 0.1f, 1e-3f);
  weft_params params = {.damping = 4, .substeps = 40, .iterations = 2};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 300);
  double expected = 1e-3 * 0.1 * 9.81 * links * (links + 1) / 2;
  rig_near(stretch_of_tip(solver, links, 0.1), expected, 0.01 * expected, "stretch of the tip");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* What one sweep leaves of a hard chain's stretch falls with the square of the step. */
static void a_hard_chain_stretches_by_a_quarter_at_half_the_step(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = rig_chain(20, 0.05f, 0.05f, 0);
  double before = 0;
  for (uint32_t substeps = 10; substeps <= 40; substeps *= 2) {
    weft_params params = {.damping = 5, .substeps = substeps};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_step(solver, 300);
    double stretch = stretch_of_tip(solver, 20, 0.05);
    assert_true(stretch > 0);
    if (before > 0) rig_near(stretch / before, 0.25, 0.02, "ratio of stretches");
    before = stretch;
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

/* Macklin 2016, section 6.2. The multiplier of the first link over dt^2 is the force on the pin,
 * and once the chain hangs still that is its weight. Damping acts on the weight of a step as well.
 */
static void the_top_force_of_a_stiff_chain_is_its_weight(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = rig_chain(20, 0.05f, 1, 1e-8f);
  static const struct {
    uint32_t iterations;
    double error;
  } cases[] = {{50, 0.06}, {100, 0.02}, {400, 0.005}};
  for (int k = 0; k < 3; ++k) {
    weft_params params = {.substeps = 1, .iterations = cases[k].iterations, .damping = 4};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_step(solver, 150);
    float lambda;
    weft_solver_read_buffer(solver, WEFT_BUFFER_DISTANCE_LAMBDA, 0, 1, &lambda);
    double dt = (double)solver->params.frame_dt, force = -(double)lambda / (dt * dt);
    double weight = 20 * 9.81 * exp(-4 * dt);
    rig_near(force, weight, cases[k].error * weight, "force at the top");
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(two_particles_meet_at_their_rest_length),
      RIG_BOTH(a_heavy_particle_moves_less),
      RIG_BOTH(a_spring_keeps_its_period_at_any_iteration_count),
      RIG_BOTH(a_damped_spring_decays_as_its_coefficient_says),
      RIG_BOTH(an_elastic_chain_stretches_by_alpha_m_g_n_n_plus_1_over_2),
      RIG_BOTH(a_hard_chain_stretches_by_a_quarter_at_half_the_step),
      RIG_BOTH(the_top_force_of_a_stiff_chain_is_its_weight),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
