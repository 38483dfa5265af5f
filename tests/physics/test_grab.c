/* A hand is the damped spring it says it is, never stronger than its limit, and no shaking of the
 * target gives the cloth more energy than that limit can. */
#include "rig.h"
/* after rig.h */
#include "base.h"

static void grab(weft_solver *solver, uint32_t particle, weft_vec3 target) {
  weft_error err = {0};
  if (weft_solver_grab(solver, particle, target, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static weft_model *bead(float mass) { return rig_model(1, &(weft_vec3){0, 0, 0}, &mass); }

/* ---- the spring ---- */

typedef struct spring {
  double m, k, c, target, g;
} spring;

/* x(t) of m x'' = k (target - x) - c x' - m g from rest at 0; underdamped. */
static double swing(const spring *s, double t) {
  double rate = s->c / (2 * s->m), middle = s->target - s->m * s->g / s->k;
  double w = sqrt(s->k / s->m - rate * rate);
  return middle * (1 - exp(-rate * t) * (cos(w * t) + rate / w * sin(w * t)));
}

static void a_free_particle_is_the_damped_spring_stated(void **state) {
  const spring s = {0.3, 50, 1.5, 0.4, 9.81};
  weft_model *model = bead(0.3f);
  double errors[2];
  for (int fine = 0; fine < 2; ++fine) {
    weft_params params = {.substeps = fine ? 400 : 200,
                          .grab = true,
                          .grab_stiffness = (float)s.k,
                          .grab_damping = (float)s.c,
                          .grab_limit = 1e6f};
    weft_solver *solver = rig_solver(model, &params, rig_backend(state));
    grab(solver, 0, weft_v3(0, (float)s.target, 0));
    errors[fine] = 0;
    for (int f = 1; f <= 60; ++f) {
      rig_step(solver, 1);
      double error = (double)rig_position(solver, 0).y - swing(&s, f / 60.0);
      if (fabs(error) > fabs(errors[fine])) errors[fine] = error;
    }
    /* Implicit Euler is off by a first order in dt, seen as damping: dt k/(2 m) of the rate. */
    double dt = 1 / (60.0 * params.substeps);
    rig_near(errors[fine], 0, 0.4 * 1.5 * dt * s.k / (2 * s.m), "way of the spring, m");
    weft_solver_destroy(solver);
  }
  print_message("furthest from the damped spring: %.3g m, half the step %.3g m\n", errors[0],
                errors[1]);
  rig_near(errors[1] / errors[0], 0.5, 0.05, "order of the error");
  rig_model_free(model);
}

/* Implicit Euler of that spring, worked out beside it. What is left is the rounding of the row. */
static void in_doubles_it_is_implicit_euler_of_that_spring(void **state) {
  (void)state;
  const double m = (double)0.3f, k = 50, c = 1.5, target = 0.5, dt = (double)(1.0f / 60) / 20;
  weft_model *model = bead(0.3f);
  weft_params params = {
      .grab = true, .grab_stiffness = 50, .grab_damping = 1.5f, .grab_limit = 1e6f};
  weft_solver *solver = rig_solver(model, &params, weft_backend_f64());
  grab(solver, 0, weft_v3(0.5f, 0, 0));
  double x = 0, v = 0, positions[3];
  for (int f = 0; f < 60; ++f) {
    for (int s = 0; s < 20; ++s) { /* v' = v + dt/m (k (target - x - dt v') - c v') */
      v = (v + dt / m * k * (target - x)) / (1 + dt / m * (c + dt * k));
      x += dt * v;
    }
    rig_step(solver, 1);
    assert_int_equal(weft_solver_read_f64(solver, positions, NULL, NULL), WEFT_OK);
    rig_near(positions[0], x, 3e-7, "way of the spring, m");
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

static void it_comes_to_rest_where_the_spring_holds_the_weight(void **state) {
  weft_model *model = bead(0.3f);
  weft_params params = {.grab = true, .grab_stiffness = 50, .grab_damping = 6};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  grab(solver, 0, weft_v3(0.2f, 0.4f, 0));
  rig_step(solver, 240);
  weft_vec3 x = rig_position(solver, 0);
  rig_near((double)x.x, 0.2, 1e-5, "x");
  rig_near((double)x.y, 0.4 - 0.3 * 9.81 / 50, 1e-5, "y");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* What the header says of a particle that others hold back. */
static void one_that_is_held_back_feels_a_softer_spring_by_what_is_stated(void **state) {
  const weft_vec3 positions[] = {{0, 0, 0}, {0.5f, 0, 0}};
  const float masses[] = {0, 0.1f};
  const weft_link link = {.a = 0, .b = 1, .rest_length = 0.5f};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create_particles(&(weft_particles_desc){.particle_count = 2,
                                                                      .positions = positions,
                                                                      .masses = masses,
                                                                      .links = &link,
                                                                      .link_count = 1},
                                               &model, NULL),
                   WEFT_OK);
  weft_params params = {.no_gravity = true,
                        .keep_multipliers = true,
                        .grab = true,
                        .grab_stiffness = 100,
                        .grab_damping = 20,
                        .grab_limit = 1e3f};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  grab(solver, 1, weft_v3(0.7f, 0, 0));
  rig_step(solver, 30);
  float newtons = 0;
  assert_int_equal(weft_solver_link_forces(solver, &newtons, NULL), WEFT_OK);
  double dt = 1 / 1200.0;
  rig_near((double)newtons, 100 * 0.2 / (1 + dt * (20 + dt * 100) / 0.1), 0.01, "force, N");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_point_that_moves_is_followed_substep_by_substep(void **state) {
  weft_model *model = bead(1);
  weft_params params = {.no_gravity = true,
                        .grab = true,
                        .grab_stiffness = 1e7f,
                        .grab_damping = 1e-3f,
                        .grab_limit = 1e9f};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  grab(solver, 0, weft_v3(0, 0, 0));
  rig_step(solver, 1);
  assert_int_equal(weft_solver_move_grab(solver, weft_v3(0.3f, 0, 0), NULL), WEFT_OK);
  weft_solver_begin_frame(solver);
  for (uint32_t s = 0; s < 20; ++s) {
    weft_solver_run_substep(solver, s);
    /* Stiff enough to arrive in each substep, but for v/(k dt) of it. */
    rig_near((double)rig_position(solver, 0).x, 0.3 * (s + 1) / 20, 0.003, "x on the way");
  }
  weft_solver_end_frame(solver);
  rig_step(solver, 20);
  rig_near((double)rig_position(solver, 0).x, 0.3, 1e-4, "x at the end");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* ---- the limit ---- */

static weft_model *shirt(uint32_t side, weft_pin_rule pins) {
  weft_grid_desc grid = {.rows = side, .columns = side};
  return rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, pins);
}

static weft_vec3 anywhere(weft_rng *rng, float reach) {
  float x = weft_rng_float(rng, -reach, reach), y = weft_rng_float(rng, -reach, reach);
  return weft_v3(x, y, weft_rng_float(rng, -reach, reach));
}

static double movable_mass(const weft_model *model) {
  double sum = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (model->inverse_masses[i] > 0) sum += 1 / (double)model->inverse_masses[i];
  }
  return sum;
}

/* Force is what changes momentum; constraints do not. */
static void its_force_never_passes_the_limit(void **state) {
  weft_rng rng = weft_rng_seed(5);
  static const float reaches[] = {0.05f, 1, 30, 1000, 9e5f};
  weft_model *model = shirt(48, WEFT_PIN_NONE);
  double limit = 40 * movable_mass(model), max = 0;
  weft_params params = {.no_gravity = true, .substeps = 4, .grab = true};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  grab(solver, 700, weft_v3(0, 0, 0));
  assert_true(solver->grab.count > 1); /* the shares add up */
  weft_metrics before, after;
  weft_solver_metrics(solver, &before, NULL);
  for (uint32_t f = 0; f < 40; ++f) {
    if (f % 8 == 0) weft_solver_reset(solver, NULL); /* keep floats fine */
    if (f % 8 == 0) grab(solver, 700, anywhere(&rng, reaches[f / 8]));
    if (f % 8 == 0) weft_solver_metrics(solver, &before, NULL);
    assert_int_equal(weft_solver_move_grab(solver, anywhere(&rng, reaches[f / 8]), NULL), WEFT_OK);
    rig_step(solver, 1);
    weft_solver_metrics(solver, &after, NULL);
    double change = 0;
    for (int k = 0; k < 3; ++k) change += pow(after.momentum[k] - before.momentum[k], 2);
    double force = sqrt(change) * 60;
    if (force > max) max = force;
    if (!(force <= limit * 1.001)) fail_msg("frame %u: %g N, the limit is %g N", f, force, limit);
    before = after;
  }
  print_message("largest force %.6f of the limit\n", max / limit);
  assert_true(max > 0.98 * limit);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void one_substep_never_passes_the_limit(void **state) {
  weft_rng rng = weft_rng_seed(6);
  weft_model *model = bead(0.02f);
  weft_params params = {.no_gravity = true, .substeps = 1, .grab = true, .grab_limit = 0.5f};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  grab(solver, 0, weft_v3(0, 0, 0));
  weft_vec3 rest = {0, 0, 0};
  for (uint32_t f = 0; f < 300; ++f) {
    float reach = powf(10, weft_rng_float(&rng, -4, 5));
    assert_int_equal(weft_solver_move_grab(solver, anywhere(&rng, reach), NULL), WEFT_OK);
    weft_vec3 v = anywhere(&rng, weft_rng_float(&rng, 0, 20));
    rig_write(solver, &rest, &v);
    rig_step(solver, 1);
    weft_vec3 kick = weft_v3_sub(rig_velocity(solver, 0), v);
    double force = 0.02 * 60 * (double)weft_v3_length(kick);
    if (!(force <= 0.5 * (1 + 1e-5))) fail_msg("%.9g N against %.9g", force, 0.5);
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* ---- shaken ---- */

static double energy_of(weft_solver *solver) {
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  assert_int_equal(m.nonfinite, 0);
  return m.kinetic_energy;
}

/* For 2 s the target jumps about in 4 m, 60 times a second. No more energy than the limit over the
 * longest way there is; and when the target stands still, it goes: slowly where the cloth is free
 * to spin, for there is no air. */
static uint64_t shake(const weft_backend *backend, weft_pin_rule pins) {
  weft_rng rng = weft_rng_seed(9);
  weft_model *model = shirt(32, pins);
  weft_params params = {.grab = true, .substeps = 10};
  weft_solver *solver = rig_solver(model, &params, backend);
  double way = 2 * sqrt(3.0) * 2 + sqrt(2.0), bound = 40 * movable_mass(model) * way, max = 0;
  grab(solver, 500, weft_v3(0, 0, 0));
  for (uint32_t f = 0; f < 120; ++f) {
    assert_int_equal(weft_solver_move_grab(solver, anywhere(&rng, 2), NULL), WEFT_OK);
    rig_step(solver, 1);
    double energy = energy_of(solver);
    max = energy > max ? energy : max;
    if (!(energy < bound)) fail_msg("frame %u: %g J, more than %g J", f, energy, bound);
  }
  uint64_t hash = rig_hash(solver);
  assert_int_equal(weft_solver_move_grab(solver, weft_v3(0, 0, 0), NULL), WEFT_OK);
  rig_step(solver, 60);
  double rest = energy_of(solver);
  print_message("shaken: at most %.4g J of %.4g J; 1 s later %.4g J\n", max, bound, rest);
  assert_true(rest < 0.5 * max);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return hash;
}

static void shaking_gives_no_more_energy_than_the_limit_over_the_way(void **state) {
  (void)state;
  rig_place place = RIG_GL;
  void *gl = &place;
  uint64_t free = shake(weft_backend_ref(), WEFT_PIN_NONE);
  uint64_t hung = shake(weft_backend_ref(), WEFT_PIN_CORNERS);
  const weft_backend *backend = rig_backend(&gl);
  assert_true(shake(backend, WEFT_PIN_NONE) == free);
  assert_true(shake(backend, WEFT_PIN_CORNERS) == hung);
}

static void a_stiff_spring_on_cloth_as_light_as_dust_stays_finite(void **state) {
  weft_rng rng = weft_rng_seed(2);
  static const float masses[] = {1e-18f, 1e-6f, 1e18f};
  for (int k = 0; k < 3; ++k) {
    for (int stiff = 0; stiff < 2; ++stiff) {
      weft_model *model = bead(masses[k]);
      weft_params params = {.grab = true,
                            .grab_stiffness = stiff ? 1e12f : 0,
                            .grab_damping = stiff ? 1e12f : 0,
                            .grab_limit = stiff ? 1e12f : 0};
      weft_solver *solver = rig_solver(model, &params, rig_backend(state));
      grab(solver, 0, anywhere(&rng, 1e6f));
      for (int f = 0; f < 20; ++f) {
        weft_solver_move_grab(solver, anywhere(&rng, 1e6f), NULL);
        rig_step(solver, 1);
      }
      energy_of(solver);
      weft_solver_destroy(solver);
      rig_model_free(model);
    }
  }
}

/* ---- what is held ---- */

/* But for the most particles that a grab can have. */
static void cloth_is_held_by_a_share_of_its_mass_that_does_not_depend_on_the_mesh(void **state) {
  (void)state;
  static const uint32_t sides[] = {16, 32, 64, 128, 256}, counts[] = {2, 8, 32, 64, 64};
  for (int k = 0; k < 5; ++k) {
    weft_model *model = shirt(sides[k], WEFT_PIN_NONE);
    weft_solver *solver = rig_solver(model, &(weft_params){.grab = true}, weft_backend_ref());
    grab(solver, sides[k] * (sides[k] / 2) + sides[k] / 2, weft_v3(0, 0, 0));
    assert_int_equal(solver->grab.count, counts[k]);
    weft_solver_destroy(solver);
    weft_model_destroy(model);
  }
}

/* Two beads beside each other, a third on a link to a pin: the mass of a piece is its own. */
static void the_limit_is_that_of_the_piece_not_of_all_that_is_there(void **state) {
  (void)state;
  const weft_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  const float masses[] = {5, 2, 0, 3, 7};
  const weft_link links[] = {{.a = 1, .b = 2, .rest_length = 1},
                             {.a = 2, .b = 3, .rest_length = 1},
                             {.a = 3, .b = 4, .rest_length = 1}};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create_particles(&(weft_particles_desc){.particle_count = 5,
                                                                      .positions = positions,
                                                                      .masses = masses,
                                                                      .links = links,
                                                                      .link_count = 3},
                                               &model, NULL),
                   WEFT_OK);
  weft_solver *solver = rig_solver(model, &(weft_params){.grab = true}, weft_backend_ref());
  static const double pieces[] = {5, 2, 0, 10, 10};
  for (uint32_t i = 0; i < 5; ++i) {
    if (i == 2) continue;
    grab(solver, i, weft_v3(0, 0, 0));
    double kick = 40 * pieces[i] / 1200 / (double)masses[i];
    rig_near((double)solver->grab.impulse_limit, kick, 1e-5 * kick, "largest kick, m/s");
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void what_is_released_falls_freely(void **state) {
  weft_model *model = bead(1);
  weft_solver *solver = rig_solver(model, &(weft_params){.grab = true}, rig_backend(state));
  grab(solver, 0, weft_v3(0, 1, 0));
  assert_int_equal(weft_solver_grabbed(solver), 0);
  rig_step(solver, 5);
  weft_solver_release(solver);
  assert_int_equal(weft_solver_grabbed(solver), WEFT_NO_PARTICLE);
  double v = (double)rig_velocity(solver, 0).y;
  rig_step(solver, 6);
  rig_near((double)rig_velocity(solver, 0).y, v - 0.981, 1e-4, "velocity");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

static void cloth_nobody_holds_does_not_feel_that_it_could_be_held(void **state) {
  weft_model *model = shirt(16, WEFT_PIN_CORNERS);
  uint64_t hashes[2];
  for (int k = 0; k < 2; ++k) {
    weft_params params = {.grab = k == 1};
    weft_solver *solver = rig_solver(model, &params, rig_backend(state));
    rig_step(solver, 5);
    hashes[k] = rig_hash(solver);
    weft_solver_destroy(solver);
  }
  assert_true(hashes[0] == hashes[1]);
  weft_model_destroy(model);
}

static void what_cannot_be_grabbed_is_refused_in_a_sentence(void **state) {
  (void)state;
  weft_error err = {0};
  weft_model *model = shirt(8, WEFT_PIN_CORNERS);
  weft_vec3 origin = {0, 0, 0};
  weft_solver *without = rig_solver(model, &(weft_params){0}, weft_backend_ref());
  assert_int_equal(weft_solver_grab(without, 20, origin, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "params.grab"));
  weft_solver *solver = rig_solver(model, &(weft_params){.grab = true}, weft_backend_ref());
  assert_int_equal(weft_solver_grab(solver, 0, origin, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "particle 0 is pinned"));
  assert_int_equal(weft_solver_grab(solver, 64, origin, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "64"));
  assert_int_equal(weft_solver_grab(solver, 20, weft_v3(NAN, 0, 0), &err), WEFT_ERROR_NOT_FINITE);
  assert_int_equal(weft_solver_grab(solver, 20, weft_v3(0, 2e6f, 0), &err), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_move_grab(solver, origin, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "nothing is grabbed"));
  assert_int_equal(weft_solver_grabbed(solver), WEFT_NO_PARTICLE);
  static const weft_params bad[] = {
      {.grab_stiffness = -1}, {.grab_damping = NAN}, {.grab_limit = INFINITY}, {.grab_patch = 65}};
  weft_params out;
  for (int k = 0; k < 4; ++k) {
    assert_int_equal(weft_params_resolve(&bad[k], &out, &err), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "of a grab"));
  }
  weft_solver_destroy(without);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_free_particle_is_the_damped_spring_stated),
      cmocka_unit_test(in_doubles_it_is_implicit_euler_of_that_spring),
      RIG_BOTH(it_comes_to_rest_where_the_spring_holds_the_weight),
      RIG_BOTH(one_that_is_held_back_feels_a_softer_spring_by_what_is_stated),
      RIG_BOTH(a_point_that_moves_is_followed_substep_by_substep),
      RIG_BOTH(its_force_never_passes_the_limit),
      RIG_BOTH(one_substep_never_passes_the_limit),
      cmocka_unit_test(shaking_gives_no_more_energy_than_the_limit_over_the_way),
      RIG_BOTH(a_stiff_spring_on_cloth_as_light_as_dust_stays_finite),
      cmocka_unit_test(cloth_is_held_by_a_share_of_its_mass_that_does_not_depend_on_the_mesh),
      cmocka_unit_test(the_limit_is_that_of_the_piece_not_of_all_that_is_there),
      RIG_BOTH(what_is_released_falls_freely),
      RIG_BOTH(cloth_nobody_holds_does_not_feel_that_it_could_be_held),
      cmocka_unit_test(what_cannot_be_grabbed_is_refused_in_a_sentence),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
