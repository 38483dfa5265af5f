/* Inequality constraints, PBD stiffness and the forces in links, each against the law it stands
 * for.
 */
#include "rig.h"

static weft_model *particles(const weft_particles_desc *desc) {
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create_particles(desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

/* A pair at a distance, at rest, without gravity; its distance after one substep. */
static double settled(const weft_link *link, float distance, const weft_params *params,
                      const weft_backend *backend) {
  const weft_vec3 x[2] = {{0, 0, 0}, {distance, 0, 0}};
  const float m[2] = {1, 3};
  weft_model *model = particles(&(weft_particles_desc){
      .particle_count = 2, .positions = x, .masses = m, .links = link, .link_count = 1});
  weft_solver *solver = rig_solver(model, params, backend);
  rig_step(solver, 1);
  weft_vec3 a = rig_position(solver, 0), b = rig_position(solver, 1);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return hypot((double)b.x - (double)a.x, (double)b.y - (double)a.y);
}

static void inequalities_act_on_their_side_only(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_mode modes[] = {WEFT_MODE_GS, WEFT_MODE_JACOBI};
  for (int k = 0; k < 8; ++k) { /* mode, iterations (without and with multipliers) */
    weft_params p = {.frame_dt = 0.01f, .substeps = 1, .no_gravity = true, .mode = modes[k % 2]};
    p.iterations = k / 2 % 2 ? 3 : 1;
    p.keep_multipliers = k >= 4;
    weft_link link = {.a = 0, .b = 1, .rest_length = 1};
    link.sense = WEFT_SENSE_EQUAL;
    rig_near(settled(&link, 1.25f, &p, backend), 1, 1e-6, "equal, stretched");
    rig_near(settled(&link, 0.75f, &p, backend), 1, 1e-6, "equal, compressed");
    link.sense = WEFT_SENSE_AT_MOST;
    rig_near(settled(&link, 1.25f, &p, backend), 1, 1e-6, "at most, stretched");
    assert_true(settled(&link, 0.75f, &p, backend) == 0.75);
    link.sense = WEFT_SENSE_AT_LEAST;
    assert_true(settled(&link, 1.25f, &p, backend) == 1.25);
    rig_near(settled(&link, 0.75f, &p, backend), 1, 1e-6, "at least, compressed");
  }
}

/* A compliant inequality is half a spring: pulled 0.1 m it swings back like one, and then flies on
 * freely with the speed omega*0.1. */
static void compliant_inequality_is_half_a_spring(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_vec3 x[2] = {{0, 0, 0}, {1.1f, 0, 0}};
  const float m[2] = {0, 1};
  const weft_link link = {
      .a = 0, .b = 1, .rest_length = 1, .compliance = 0.01f, .sense = WEFT_SENSE_AT_MOST};
  weft_model *model = particles(&(weft_particles_desc){
      .particle_count = 2, .positions = x, .masses = m, .links = &link, .link_count = 1});
  weft_params p = {.frame_dt = 0.01f, .substeps = 10, .no_gravity = true};
  weft_solver *solver = rig_solver(model, &p, backend);
  rig_step(solver, 25); /* a quarter period is pi/2/10 = 0.157 s */
  rig_near((double)rig_velocity(solver, 1).x, -1.0, 0.015, "speed after the pull");
  double here = (double)rig_position(solver, 1).x;
  rig_step(solver, 25);
  rig_near(here - (double)rig_position(solver, 1).x, 0.25, 0.004, "free flight in 0.25 s");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Mueller 2007, section 3.3: whatever n, (1-k) of the error is left. The masses do not matter. */
static void pbd_stiffness_does_not_depend_on_iterations(void **state) {
  const weft_backend *backend = rig_backend(state);
  const float stiffness[] = {0.1f, 0.5f, 0.9f, 1};
  const uint32_t iterations[] = {1, 2, 5, 20};
  for (int s = 0; s < 4; ++s) {
    for (int n = 0; n < 4; ++n) {
      weft_params p = {.frame_dt = 0.01f,
                       .substeps = 1,
                       .no_gravity = true,
                       .method = WEFT_METHOD_PBD,
                       .pbd_stretch = stiffness[s],
                       .pbd_bending = 0.3f,
                       .iterations = iterations[n]};
      weft_link link = {.a = 0, .b = 1, .rest_length = 1, .compliance = 5};
      double left = settled(&link, 1.5f, &p, backend) - 1;
      rig_near(left, 0.5 * (1 - (double)stiffness[s]), 2e-6, "error left by stretch");
      link.bending = true;
      left = settled(&link, 1.5f, &p, backend) - 1;
      rig_near(left, 0.5 * 0.7, 2e-6, "error left by bending");
    }
  }
}

/* A rope of links that only pull, thrown into the air, with several iterations: an iteration may
 * take back what an earlier one pulled too much, whether or not anybody asked for forces. */
static void keeping_multipliers_changes_no_bit(void **state) {
  const weft_backend *backend = rig_backend(state);
  enum { LINKS = 12 };
  const weft_method methods[] = {WEFT_METHOD_XPBD, WEFT_METHOD_PBD};
  for (int k = 0; k < 12; ++k) {
    weft_vec3 x[LINKS + 1], v[LINKS + 1] = {{0, 0, 0}};
    float m[LINKS + 1];
    weft_link links[LINKS];
    for (uint32_t i = 0; i <= LINKS; ++i) {
      x[i] = (weft_vec3){0.1f * (float)i, i % 2 ? 0.03f : 0, 0};
      v[i] = (weft_vec3){0, i % 3 ? 1.0f : -2.0f, i % 5 ? 0 : 3.0f};
      m[i] = i ? 1 + (float)(i % 4) : 0;
    }
    for (uint32_t i = 0; i < LINKS; ++i) {
      links[i] = (weft_link){.a = i, .b = i + 1, .rest_length = 0.105f};
      links[i].sense = (weft_sense)(k % 3);
    }
    weft_model *model = particles(&(weft_particles_desc){.particle_count = LINKS + 1,
                                                         .positions = x,
                                                         .masses = m,
                                                         .links = links,
                                                         .link_count = LINKS});
    uint64_t hashes[2];
    for (int keep = 0; keep < 2; ++keep) {
      weft_params p = {.substeps = 4, .iterations = 5, .keep_multipliers = keep == 1};
      p.method = methods[k / 3 % 2];
      p.mode = k / 6 ? WEFT_MODE_JACOBI : WEFT_MODE_GS;
      weft_solver *solver = rig_solver(model, &p, backend);
      rig_write(solver, x, v);
      rig_step(solver, 20);
      hashes[keep] = rig_hash(solver);
      weft_solver_destroy(solver);
    }
    if (hashes[0] != hashes[1]) fail_msg("case %d comes out differently", k);
    weft_model_destroy(model);
  }
}

static void check_weights(const float *newtons, const float *masses, uint32_t links) {
  double below = 0;
  for (uint32_t i = 0; i < links; ++i) {
    below += 9.81 * (double)masses[links - i];
    rig_near((double)newtons[i], below, 0.01 * below, "force in a link");
  }
}

/* A weight on a chain at rest: every link carries what hangs below it. */
static void link_forces_are_the_weights_below(void **state) {
  const weft_backend *backend = rig_backend(state);
  enum { LINKS = 4 };
  weft_vec3 x[LINKS + 1];
  float m[LINKS + 1];
  weft_link links[LINKS];
  for (uint32_t i = 0; i <= LINKS; ++i) {
    x[i] = (weft_vec3){0, -0.25f * (float)i, 0};
    m[i] = i ? 0.5f * (float)i : 0;
  }
  for (uint32_t i = 0; i < LINKS; ++i) { /* given from the bottom up */
    links[i] = (weft_link){.a = LINKS - i - 1, .b = LINKS - i, .rest_length = 0.25f};
    links[i].sense = i % 2 ? WEFT_SENSE_AT_MOST : WEFT_SENSE_EQUAL;
  }
  weft_model *model = particles(&(weft_particles_desc){.particle_count = LINKS + 1,
                                                       .positions = x,
                                                       .masses = m,
                                                       .links = links,
                                                       .link_count = LINKS});
  weft_params p = {.frame_dt = 0.01f, .substeps = 4, .iterations = 50, .keep_multipliers = true};
  for (int patches = 0; patches < 2; ++patches) {
    p.schedule = patches ? WEFT_SCHEDULE_PATCHES : WEFT_SCHEDULE_COLOURS;
    weft_solver *solver = rig_solver(model, &p, backend);
    float newtons[LINKS];
    assert_int_equal(weft_solver_link_forces(solver, newtons, NULL), WEFT_ERROR_ARGUMENT);
    rig_step(solver, 60);
    assert_int_equal(weft_solver_link_forces(solver, newtons, NULL), WEFT_OK);
    check_weights(newtons, m, LINKS);
    /* A solver of the other schedule that goes on from here knows the forces as well. */
    p.schedule = patches ? WEFT_SCHEDULE_COLOURS : WEFT_SCHEDULE_PATCHES;
    weft_solver *other = rig_solver(model, &p, weft_backend_ref());
    assert_int_equal(weft_solver_copy_state_from(other, solver, NULL), WEFT_OK);
    float taken[LINKS];
    assert_int_equal(weft_solver_link_forces(other, taken, NULL), WEFT_OK);
    assert_memory_equal(taken, newtons, sizeof taken);
    weft_solver_destroy(other);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(inequalities_act_on_their_side_only),
      RIG_BOTH(compliant_inequality_is_half_a_spring),
      RIG_BOTH(pbd_stiffness_does_not_depend_on_iterations),
      RIG_BOTH(keeping_multipliers_changes_no_bit),
      RIG_BOTH(link_forces_are_the_weights_below),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
