/* Cooked sheets against theory: how far a hung one stretches, that a rest one stays at rest however
 * it is turned, that a free one keeps its momentum. */
#include "rig.h"

/* ---- the strain law ---- */

/* Mean strain of the edges along the direction of hanging: constraints between vertices one row
 * apart in one column. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_hung_sheet_stretches_as_the_strain_law_says),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
