/* Pins of a weight between 0 and 1: how low cloth hangs from them, how it swings, and that they are
 * set, moved and let go of on every backend with the same bits. */
#include "rig.h"
/* after rig.h */
#include <weft/change.h>

#include "base.h"

#define MUST(call)                                       \
  do {                                                   \
    weft_error must = {0};                               \
    if ((call) != WEFT_OK) fail_msg("%s", must.message); \
  } while (0)
#define E &must

enum { PULL = 2500 }; /* 1/s^2, of weight 0.5 */

static weft_model *sheet(uint32_t rows, uint32_t columns) {
  weft_grid_desc grid = {.rows = rows, .columns = columns, .width = 0.5f, .height = 0.5f};
  return rig_sheet(&grid, "denim", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
}

static void hold_row(weft_solver *solver, uint32_t columns, float weight) {
  uint32_t *row = weft_alloc(columns, sizeof *row);
  for (uint32_t k = 0; k < columns; ++k) row[k] = k;
  MUST(weft_solver_set_pins(solver, row, columns, weight, E));
  weft_free(row);
}

/* m: mean drop of the first row. */
static double drop_of(weft_solver *solver, uint32_t columns, double from) {
  double sum = 0;
  for (uint32_t k = 0; k < columns; ++k) sum += from - (double)rig_position(solver, k).y;
  return sum / columns;
}

/* By g (1 - w)/(2500 w), whatever the mesh, the time step and the number of pins. */
static void cloth_hangs_as_low_as_the_weight_says(void **state) {
  (void)state;
  static const struct {
    uint32_t rows, columns, substeps, lines;
    float weight;
  } runs[] = {{9, 9, 10, 1, 0.5f},   {17, 17, 10, 1, 0.5f}, {33, 33, 20, 1, 0.5f},
              {33, 33, 20, 0, 0.5f}, {17, 17, 40, 1, 0.5f}, {17, 17, 20, 1, 0.1f},
              {17, 17, 20, 1, 0.9f}, {9, 33, 20, 1, 0.2f}};
  for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
    weft_model *model = sheet(runs[r].rows, runs[r].columns);
    const weft_params p = {
        .substeps = runs[r].substeps, .line_sweeps = runs[r].lines, .damping = 3};
    weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
    const double top = (double)rig_position(solver, 0).y, w = (double)runs[r].weight;
    hold_row(solver, runs[r].columns, runs[r].weight);
    rig_step(solver, 180);
    const double wanted = 9.81 / PULL * (1 - w) / w;
    char what[80];
    snprintf(what, sizeof what, "run %zu: drop", r);
    rig_near(drop_of(solver, runs[r].columns, top), wanted, 0.02 * wanted, what);
    weft_solver_destroy(solver);
    weft_model_destroy(model);
  }
}

/* A single particle: x'' = -k/m x - d/m x', with d half of critical: k/m = 2500 w/(1 - w). */
static void a_particle_swings_as_a_damped_spring(void **state) {
  (void)state;
  const weft_vec3 at = {0, 0, 0};
  const float mass = 0.3f;
  weft_model *model =
      rig_particles(&(weft_particles_desc){.particle_count = 1, .positions = &at, .masses = &mass});
  const weft_params p = {.substeps = 200, .no_gravity = true};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  const uint32_t one = 0;
  const weft_vec3 to = {0.1f, 0, 0};
  MUST(weft_solver_set_pins(solver, &one, 1, 0.2f, E));
  rig_step(solver, 1);
  assert_true(rig_position(solver, 0).x == 0);
  MUST(weft_solver_move_pins(solver, &one, &to, 1, E));
  rig_step(solver, 1); /* the place moves at 6 m/s for a frame, and stands */
  const double k = PULL * 0.25, c = sqrt(k), a = c / 2, w = sqrt(k - a * a), dt = 1.0 / 60;
  double x = (double)rig_position(solver, 0).x, v = (double)rig_velocity(solver, 0).x;
  /* Against a moving place the same equation holds in its frame: starts at 0 with -6 m/s. */
  double off = exp(-a * dt) * -6 / w * sin(w * dt);
  rig_near(x - 0.1, off, 5e-4, "after a frame");
  const double x0 = x - 0.1, v0 = v;
  for (int f = 1; f <= 20; ++f) {
    rig_step(solver, 1);
    const double t = f * dt;
    off = exp(-a * t) * (x0 * cos(w * t) + (v0 + a * x0) / w * sin(w * t));
    rig_near((double)rig_position(solver, 0).x - 0.1, off, 1e-3, "swing");
  }
  MUST(weft_solver_set_pins(solver, &one, 1, 0, E));
  v = (double)rig_velocity(solver, 0).x, x = (double)rig_position(solver, 0).x;
  rig_step(solver, 6);
  rig_near((double)rig_position(solver, 0).x, x + 0.1 * v, 1e-5, "let go");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static uint64_t run_on(const weft_backend *backend, weft_schedule schedule, bool self) {
  weft_model *model = sheet(12, 12);
  const weft_params p = {
      .substeps = 8, .line_sweeps = 1, .lra = 1, .schedule = schedule, .self_collision = self};
  weft_solver *solver = rig_solver(model, &p, backend);
  const uint32_t corners[] = {0, 11}, row[] = {3, 4, 5, 6};
  weft_vec3 to[4];
  MUST(weft_solver_set_pins(solver, corners, 2, 1, E));
  for (uint32_t f = 0; f < 16; ++f) {
    if (f == 2) MUST(weft_solver_set_pins(solver, row, 4, 0.4f, E));
    if (f == 4) MUST(weft_solver_set_pins(solver, corners, 1, 0.7f, E));
    if (f == 6) MUST(weft_solver_set_pins(solver, row, 2, 0.9f, E));
    if (f == 8) MUST(weft_solver_set_pins(solver, row + 1, 1, 1, E));
    if (f == 12) MUST(weft_solver_set_pins(solver, row, 4, 0, E));
    if (f > 2 && f < 11) {
      for (uint32_t k = 0; k < 4; ++k) {
        to[k] = weft_v3(0.05f * (float)k - 0.1f, 0.25f, 0.01f * (float)f);
      }
      MUST(weft_solver_move_pins(solver, row, to, 4, E));
    }
    rig_step(solver, 1);
  }
  assert_true(weft_solver_pin_weight(solver, 0) == 0.7f && weft_solver_pin_weight(solver, 4) == 0);
  assert_true(weft_solver_pin_weight(solver, 11) == 1);
  const uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return hash;
}

static void every_backend_has_the_same_bits(void **state) {
  (void)state;
  for (int self = 0; self < 2; ++self) {
    const uint64_t wanted = run_on(weft_backend_ref(), WEFT_SCHEDULE_COLOURS, self == 1);
    assert_true(run_on(weft_backend_cpu(1), WEFT_SCHEDULE_COLOURS, self == 1) == wanted);
    assert_true(run_on(weft_backend_cpu(2), WEFT_SCHEDULE_COLOURS, self == 1) == wanted);
    if (!rig_gl_context) continue;
    const weft_backend *gl = rig_backend_on(rig_gl_context);
    assert_true(run_on(gl, WEFT_SCHEDULE_COLOURS, self == 1) == wanted);
    if (!self) assert_true(run_on(gl, WEFT_SCHEDULE_SINGLE, false) == wanted);
  }
}

static void what_cannot_be_held_softly_is_refused(void **state) {
  (void)state;
  weft_model *model = sheet(5, 5);
  const weft_params pairs = {.compensated = true};
  weft_solver *solver = rig_solver(model, &pairs, weft_backend_ref());
  const uint32_t one = 3, none = 25;
  assert_int_equal(weft_solver_set_pins(solver, &one, 1, 0.5f, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_set_pins(solver, &none, 1, 0.5f, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_set_pins(solver, &one, 1, NAN, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_set_pins(solver, &one, 1, 1.5f, NULL), WEFT_ERROR_ARGUMENT);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_hangs_as_low_as_the_weight_says),
      cmocka_unit_test(a_particle_swings_as_a_damped_spring),
      cmocka_unit_test(every_backend_has_the_same_bits),
      cmocka_unit_test(what_cannot_be_held_softly_is_refused),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
