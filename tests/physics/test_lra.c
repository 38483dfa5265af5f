/* Long-range attachments: what they bound, what they leave alone, and what they spare. */
#include "geodesic.h"
#include "rig.h"

/* ---- helpers ---- */

static weft_model *hung(uint32_t side, const char *fabric, weft_pin_rule pins) {
  weft_grid_desc grid = {.rows = side, .columns = side};
  return rig_sheet(&grid, fabric, WEFT_BENDING_ISOMETRIC, false, pins);
}

/* The largest |x - a|/length of the attachments of one rank (0 is the nearest). */
static double tautest(weft_solver *solver, const weft_geodesics *g, uint32_t rank) {
  uint32_t n = solver->model->particle_count;
  weft_vec3 *x = calloc(n, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  double max = 0;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t anchor = g->anchors[WEFT_MAX_LRA * (size_t)i + rank];
    if (anchor == UINT32_MAX) continue;
    double length = g->lengths[WEFT_MAX_LRA * (size_t)i + rank];
    max = fmax(max, weft_v3_distance(x[i], x[anchor]) / length);
  }
  free(x);
  return max;
}

/* ---- the bound ---- */

static void check_bound(const weft_backend *backend, weft_pin_rule pins, uint32_t lra) {
  weft_model *model = hung(33, "tshirt", pins); /* a fabric that would stretch far */
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  weft_solver *with = rig_solver(model, &(weft_params){.lra = lra}, backend);
  weft_solver *without = rig_solver(model, &(weft_params){0}, backend);
  double worst = 0, worst_first = 0, worst_without = 0;
  for (int frame = 0; frame < 40; ++frame) {
    rig_step(with, 1);
    rig_step(without, 1);
    worst = fmax(worst, tautest(with, &g, lra - 1));
    worst_first = fmax(worst_first, tautest(with, &g, 0));
    worst_without = fmax(worst_without, tautest(without, &g, lra - 1));
  }
  print_message(
      "pins %d, %u attachments: furthest %.7f (nearest one %.7f) of the length, without %.4f\n",
      (int)pins, lra, worst, worst_first, worst_without);
  assert_true(worst <= 1 + 1e-5);
  assert_true(worst_first <= 1.02);
  assert_true(worst_without > 1.02);
  weft_solver_destroy(with);
  weft_solver_destroy(without);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
}

static void no_particle_hangs_further_from_its_attachment_than_the_cloth_is_long(void **state) {
  const weft_backend *backend = rig_backend(state);
  check_bound(backend, WEFT_PIN_CORNERS, 1);
  check_bound(backend, WEFT_PIN_CORNERS, 2);
  check_bound(backend, WEFT_PIN_TOP, 1);
}

static void lra_slack_lengthens_the_bound_by_its_part(void **state) {
  weft_model *model = hung(33, "tshirt", WEFT_PIN_CORNERS);
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  weft_params params = {.lra = 1, .lra_slack = 0.03f};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  double worst = 0;
  for (int frame = 0; frame < 60; ++frame) {
    rig_step(solver, 1);
    worst = fmax(worst, tautest(solver, &g, 0));
  }
  rig_near(worst, 1.03, 1.1e-5, "the furthest, of the length");
  weft_solver_destroy(solver);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
}

static void attachments_that_move_carry_their_bound_along(void **state) {
  weft_model *model = hung(17, "tshirt", WEFT_PIN_CORNERS);
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  weft_solver *solver = rig_solver(model, &(weft_params){.lra = 1}, rig_backend(state));
  const uint32_t pins[] = {0, 16};
  weft_vec3 a = rig_position(solver, 0), b = rig_position(solver, 16);
  for (int frame = 1; frame <= 30; ++frame) {
    float up = 0.05f * (float)frame; /* 3 m/s */
    const weft_vec3 targets[] = {{a.x, a.y + up, a.z}, {b.x, b.y + up, b.z}};
    assert_int_equal(weft_solver_move_pins(solver, pins, targets, 2, NULL), WEFT_OK);
    rig_step(solver, 1);
    assert_true(tautest(solver, &g, 0) <= 1 + 1e-5);
  }
  rig_near((double)rig_position(solver, 0).y, (double)a.y + 1.5, 1e-6, "height of the pin");
  weft_solver_destroy(solver);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
}

/* A rope of 10 soft links under 20 times its stretching load: without triangles the links are the
 * way, and the end stops at the sum of their lengths. */
static void a_rope_of_links_is_held_at_the_sum_of_its_lengths(void **state) {
  weft_model *model = rig_chain(10, 0.1f, 0.01f, 0.1f);
  weft_solver *solver =
      rig_solver(model, &(weft_params){.lra = 1, .damping = 2}, rig_backend(state));
  weft_solver *loose = rig_solver(model, &(weft_params){.damping = 2}, rig_backend(state));
  rig_step(solver, 120);
  rig_step(loose, 120);
  assert_true(rig_position(loose, 10).y < -1.05f);
  rig_near((double)rig_position(solver, 10).y, -1, 1e-5, "height of the end");
  weft_solver_destroy(solver);
  weft_solver_destroy(loose);
  rig_model_free(model);
}

/* ---- what they leave alone ---- */

/* Pleats across the direction of hanging: half as high as the cloth is long. */
static void pleat(const weft_model *model, uint32_t side, weft_vec3 *x) {
  memcpy(x, model->rest_positions, model->particle_count * sizeof *x);
  float step = x[0].y - x[side].y;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    uint32_t row = i / side;
    x[i].y = x[0].y - 0.5f * step * (float)row;
    x[i].z = row % 2 ? 0.8660254f * step : 0;
  }
}

/* The slack is for the first row, which is at its length all the time. */
static void a_folded_cloth_falls_the_same_bit_for_bit_until_a_lra_is_taut(void **state) {
  enum { SIDE = 25 };
  const weft_backend *backend = rig_backend(state);
  weft_model *model = hung(SIDE, "inextensible", WEFT_PIN_TOP);
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  weft_vec3 *x = calloc(model->particle_count, sizeof *x);
  pleat(model, SIDE, x);
  weft_solver *with = rig_solver(model, &(weft_params){.lra = 4, .lra_slack = 0.05f}, backend);
  weft_solver *without = rig_solver(model, &(weft_params){0}, backend);
  rig_write(with, x, NULL);
  rig_write(without, x, NULL);
  uint32_t same = 0, frame = 0;
  for (; frame < 40 && tautest(without, &g, 0) < 1.03; ++frame) {
    assert_true(rig_hash(with) == rig_hash(without));
    rig_step(with, 1);
    rig_step(without, 1);
    ++same;
  }
  print_message("equal for %u frames, then %.3f of the length\n", same, tautest(without, &g, 0));
  assert_true(same >= 5);
  weft_solver_destroy(with);
  weft_solver_destroy(without);
  free(x);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
}

static void a_cloth_at_rest_is_not_pulled_by_rounding(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = hung(33, "tablecloth", WEFT_PIN_CORNERS);
  weft_solver *with = rig_solver(model, &(weft_params){.lra = 4, .no_gravity = true}, backend);
  weft_solver *without = rig_solver(model, &(weft_params){.no_gravity = true}, backend);
  rig_step(with, 5);
  rig_step(without, 5);
  assert_true(rig_hash(with) == rig_hash(without));
  weft_solver_destroy(with);
  weft_solver_destroy(without);
  weft_model_destroy(model);
}

static int warnings;
static void count_warning(weft_log_level level, const char *line, void *user) {
  (void)user;
  if (level == WEFT_LOG_WARNING && strstr(line, "nothing is pinned")) ++warnings;
}

static void lra_without_pins_are_a_warning_and_change_nothing(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = hung(9, "tablecloth", WEFT_PIN_NONE);
  warnings = 0;
  weft_log_set(count_warning, NULL, WEFT_LOG_WARNING);
  weft_solver *with = rig_solver(model, &(weft_params){.lra = 4}, backend);
  weft_log_set(NULL, NULL, WEFT_LOG_ERROR);
  weft_solver *without = rig_solver(model, &(weft_params){0}, backend);
  assert_int_equal(warnings, 1);
  rig_step(with, 3);
  rig_step(without, 3);
  assert_true(rig_hash(with) == rig_hash(without));
  weft_solver_destroy(with);
  weft_solver_destroy(without);
  weft_model_destroy(model);
}

static void numbers_out_of_range_are_refused(void **state) {
  (void)state;
  weft_params out;
  weft_error err = {0};
  assert_int_equal(weft_params_resolve(&(weft_params){.lra = 5}, &out, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "lra"));
  const float slacks[] = {-0.1f, 10.5f, NAN};
  for (int k = 0; k < 3; ++k) {
    assert_int_equal(weft_params_resolve(&(weft_params){.lra_slack = slacks[k]}, &out, &err),
                     WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "LRA slack"));
  }
}

/* ---- what they spare ---- */

static double mean_strain(weft_solver *solver, double *max) {
  weft_metrics metrics;
  assert_int_equal(weft_solver_metrics(solver, &metrics, NULL), WEFT_OK);
  assert_int_equal(metrics.nonfinite, 0);
  *max = metrics.strain_max;
  return metrics.strain_mean;
}

/* 64 x 64 hard constraints, one sweep a substep, few substeps: what such a sheet stretches by is
 * the solver's, not the fabric's, and that is what attachments are for. */
static void a_stiff_sheet_stretches_less_with_lra(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_pin_rule rules[] = {WEFT_PIN_CORNERS, WEFT_PIN_TOP};
  for (int k = 0; k < 2; ++k) {
    weft_model *model = hung(64, "inextensible", rules[k]);
    double max_with, max_without;
    weft_params params = {.substeps = 5, .damping = 1};
    weft_solver *without = rig_solver(model, &params, backend);
    params.lra = 4;
    weft_solver *with = rig_solver(model, &params, backend);
    rig_step(with, 120);
    rig_step(without, 120);
    double strain_with = mean_strain(with, &max_with);
    double strain_without = mean_strain(without, &max_without);
    print_message(
        "%s, 5 substeps: strain mean %.4f largest %.4f, without attachments %.4f and %.4f\n",
        k ? "top" : "corners", strain_with, max_with, strain_without, max_without);
    assert_true(strain_with < 0.7 * strain_without);
    weft_solver_destroy(with);
    weft_solver_destroy(without);
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(no_particle_hangs_further_from_its_attachment_than_the_cloth_is_long),
      RIG_BOTH(lra_slack_lengthens_the_bound_by_its_part),
      RIG_BOTH(attachments_that_move_carry_their_bound_along),
      RIG_BOTH(a_rope_of_links_is_held_at_the_sum_of_its_lengths),
      RIG_BOTH(a_folded_cloth_falls_the_same_bit_for_bit_until_a_lra_is_taut),
      RIG_BOTH(a_cloth_at_rest_is_not_pulled_by_rounding),
      RIG_BOTH(lra_without_pins_are_a_warning_and_change_nothing),
      cmocka_unit_test(numbers_out_of_range_are_refused),
      RIG_BOTH(a_stiff_sheet_stretches_less_with_lra),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
