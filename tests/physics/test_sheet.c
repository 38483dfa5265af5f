/* Preprocessed sheets against theory: how far a hung one stretches, that a rest one stays at rest
 * however it is turned, that a free one keeps its momentum. */
#include "rig.h"

#include "exact.h"

/* ---- the strain law ---- */

/* 0.49 g N^2 dt^2 / L holds for a sheet of hard stretch constraints alone (edges and the diagonal
 * of each quad; no shear, no bending), N edges high, one sweep a substep, hung still. It is the
 * mean over the edges along the direction of hanging: between vertices one row apart in one column.
 */
static double mean_strain_down(weft_solver *solver, uint32_t columns) {
  const weft_model *model = solver->model;
  weft_vec3 *x = calloc(model->particle_count, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  double sum = 0;
  uint32_t count = 0;
  const weft_constraint_group *g = &model->groups[0];
  for (uint32_t i = 0; i < g->count; ++i) {
    uint32_t a = g->particles[2 * i], b = g->particles[2 * i + 1];
    if (a + columns != b && b + columns != a) continue;
    weft_vec3 d = weft_v3_sub(x[a], x[b]);
    sum += (double)weft_v3_length(d) / (double)g->rest[i] - 1;
    ++count;
  }
  free(x);
  assert_true(count > 0);
  return sum / count;
}

static void check_strain_law(const weft_backend *backend, uint32_t edges) {
  weft_grid_desc grid = {.rows = edges + 1, .columns = 5, .width = 4.0f / (float)edges};
  weft_model *model = rig_sheet(&grid, "inextensible", WEFT_BENDING_NONE, true, WEFT_PIN_TOP);
  weft_params params = {.damping = 3};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 240);
  double dt = 1.0 / 1200, law = 0.49 * 9.81 * edges * edges * dt * dt;
  double strain = mean_strain_down(solver, 5);
  print_message("N = %u: mean strain %.5f, law %.5f, ratio %.3f\n", edges, strain, law,
                strain / law);
  rig_near(strain, law, 0.1 * law, "mean strain");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_hung_sheet_stretches_as_the_strain_law_says(void **state) {
  const weft_backend *backend = rig_backend(state);
  check_strain_law(backend, 32);
  check_strain_law(backend, 64);
  check_strain_law(backend, 128);
}

/* ---- a sheet at rest, turned and moved ---- */

/* By 0.7 rad about (1, 2, 3), then along. */
static weft_vec3 turned(weft_vec3 v) {
  weft_vec3d turn = weft_v3d_scale(weft_v3d(1, 2, 3), 0.7 / sqrt(14.0));
  return weft_v3d_round(
      weft_v3d_add(weft_v3d_rotate(weft_v3d_from(v), turn), weft_v3d(0.3, -0.2, 0.7)));
}

/* Rounding moves a vertex by half an ulp, 3e-8 m at 1 m; hard constraints even it out. */
static void a_rest_sheet_turned_and_moved_stays_where_it_is(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL,
                                          WEFT_BENDING_ACROSS};
  for (int k = 0; k < 3; ++k) {
    weft_grid_desc grid = {.rows = 24, .columns = 24};
    weft_model *model = rig_sheet(&grid, "inextensible", bendings[k], false, WEFT_PIN_NONE);
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      weft_params params = {.no_gravity = true, .substeps = 1, .mode = (weft_mode)mode};
      weft_solver *solver = rig_solver(model, &params, backend);
      weft_vec3 *x = calloc(model->particle_count, sizeof *x);
      weft_vec3 *after = calloc(model->particle_count, sizeof *after);
      for (uint32_t i = 0; i < model->particle_count; ++i) x[i] = turned(model->rest_positions[i]);
      rig_write(solver, x, NULL);
      rig_step(solver, 1);
      weft_solver_read(solver, after, NULL, NULL);
      double max = 0;
      for (uint32_t i = 0; i < model->particle_count; ++i) {
        max = fmax(max, (double)weft_v3_length(weft_v3_sub(after[i], x[i])));
      }
      if (!(max < 1e-6)) fail_msg("bending %d mode %d: a particle moved %g m", k, mode, max);
      free(x);
      free(after);
      weft_solver_destroy(solver);
    }
    weft_model_destroy(model);
  }
}

/* ---- momentum ---- */

typedef struct sums {
  weft_vec3d linear, angular; /* sum m d, sum m x cross d */
  double moved;               /* sum m |d| */
} sums;

static sums moved_mass(const weft_model *model, const vec4 *x, const vec4 *y) {
  sums s = {0};
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    double m = (double)model->masses[i];
    weft_vec3d p = weft_v3d_from(exact_xyz(x[i]));
    weft_vec3d d = weft_v3d_sub(weft_v3d_from(exact_xyz(y[i])), p);
    s.linear = weft_v3d_add_scaled(s.linear, m, d);
    s.angular = weft_v3d_add_scaled(s.angular, m, weft_v3d_cross(p, d));
    s.moved += m * weft_v3d_length(d);
  }
  return s;
}

static void crumple(weft_solver *solver, weft_rng *rng, float by) {
  const weft_model *model = solver->model;
  vec4 *x = calloc(model->particle_count, sizeof *x);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3 p = model->rest_positions[i];
    x[i] = (vec4){p.x + weft_rng_float(rng, -by, by), p.y + weft_rng_float(rng, -by, by),
                  p.z + weft_rng_float(rng, -by, by), model->inverse_masses[i]};
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, model->particle_count, x);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_PREV, 0, model->particle_count, x);
  free(x);
}

/* Each batch, or each Jacobi tail with its gather, alone. */
static void check_batches(weft_solver *solver) {
  const weft_model *model = solver->model;
  uint32_t n = model->particle_count;
  vec4 *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  uint32_t checked = 0;
  double rounding = 0; /* half an ulp of a position below 0.5 m, all to one side */
  for (uint32_t i = 0; i < n; ++i) rounding += (double)model->masses[i] * 0x1p-26;
  for (size_t k = 0; k < solver->passes.count; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    bool tail = pass->variant & WEFT_VARIANT_JACOBI;
    if (weft_pass_arity(pass->kind) == 0) continue;
    weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, x);
    solver->backend->run(solver->instance, pass, 0);
    if (tail) solver->backend->run(solver->instance, &solver->passes.items[k + 1], 0);
    weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, y);
    sums s = moved_mass(model, x, y);
    assert_true(s.moved > 0);
    double allowed = rounding + 1e-6 * s.moved;
    rig_near3(s.linear, weft_v3d(0, 0, 0), allowed, "linear momentum of a batch");
    rig_near3(s.angular, weft_v3d(0, 0, 0), allowed, "angular momentum of a batch");
    ++checked;
  }
  assert_true(checked > 0);
  free(x);
  free(y);
}

static void every_projection_keeps_momentum_in_every_mode(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL,
                                          WEFT_BENDING_ACROSS};
  weft_rng rng = weft_rng_seed(11);
  for (int k = 0; k < 3; ++k) {
    weft_grid_desc grid = {.rows = 12, .columns = 15, .width = 0.6f, .height = 0.5f};
    weft_model *model = rig_sheet(&grid, "tshirt", bendings[k], false, WEFT_PIN_NONE);
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      for (uint32_t iterations = 1; iterations <= 2; ++iterations) {
        weft_params params = {
            .no_gravity = true, .substeps = 1, .mode = (weft_mode)mode, .iterations = iterations};
        weft_solver *solver = rig_solver(model, &params, backend);
        weft_solver_begin_frame(solver);
        crumple(solver, &rng, 0.01f);
        check_batches(solver);
        weft_solver_destroy(solver);
      }
    }
    weft_model_destroy(model);
  }
}

/* Over whole frames. Rounding a position by half an ulp (1.5e-8 m at 0.5 m) is 2e-5 m/s at this
 * step; over 600 substeps and 144 particles that walks some 4e-5 m/s away from 0.3 m/s. Angular
 * momentum is kept to the order of the step as well. */
static void a_free_sheet_keeps_its_momentum_over_frames(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {.rows = 12, .columns = 12, .width = 0.5f, .height = 0.5f};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  uint32_t n = model->particle_count;
  weft_vec3 *v = calloc(n, sizeof *v);
  for (uint32_t i = 0; i < n; ++i) { /* spinning about z at 2 rad/s, drifting along x */
    weft_vec3 p = model->rest_positions[i];
    v[i] = weft_v3(0.3f - 2 * p.y, 2 * p.x, 0);
  }
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    weft_params params = {.no_gravity = true, .mode = (weft_mode)mode};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_write(solver, NULL, v);
    weft_metrics before, after;
    weft_solver_metrics(solver, &before, NULL);
    rig_step(solver, 30);
    weft_solver_metrics(solver, &after, NULL);
    rig_near(after.momentum[0], before.momentum[0], 5e-4 * before.momentum[0], "momentum");
    rig_near(after.momentum[1], 0, 5e-4 * before.momentum[0], "momentum across");
    /* About the origin, so the drift has to be as straight as it was. */
    rig_near(after.angular_momentum[2], before.angular_momentum[2],
             2e-3 * before.angular_momentum[2], "angular momentum");
    weft_solver_destroy(solver);
  }
  free(v);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_hung_sheet_stretches_as_the_strain_law_says),
      RIG_BOTH(a_rest_sheet_turned_and_moved_stays_where_it_is),
      RIG_BOTH(every_projection_keeps_momentum_in_every_mode),
      RIG_BOTH(a_free_sheet_keeps_its_momentum_over_frames),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
