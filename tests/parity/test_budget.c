/* A budget of time: how many substeps follow from what frames are said to take, with the bits of a
 * solver whose substeps are set so. Times are told here; no clock decides what is tested. */
#include "../physics/rig.h"
/* after rig.h */
#include <weft/change.h>

static const double budget = 0.01; /* s */

#define MUST(call)                                       \
  do {                                                   \
    weft_error must = {0};                               \
    if ((call) != WEFT_OK) fail_msg("%s", must.message); \
  } while (0)
#define E &must

static weft_model *sheet(void) {
  weft_grid_desc grid = {.rows = 10, .columns = 10};
  return rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
}

static const weft_params params = {.substeps = 16, .line_sweeps = 1, .self_collision = true};

/* A frame that is said to take so long. */
static void frame(weft_solver *solver, double seconds) {
  weft_solver_begin_frame(solver);
  weft_solver_run_substeps(solver, 0, weft_solver_params(solver)->substeps);
  weft_solver_end_frame(solver);
  MUST(weft_budget_see(solver, seconds, E));
}

static weft_metrics metrics_of(weft_solver *solver) {
  weft_metrics m;
  MUST(weft_solver_metrics(solver, &m, E));
  return m;
}

static void late_frames_have_fewer_substeps_and_early_ones_more(void **state) {
  (void)state;
  weft_model *model = sheet();
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(1));
  MUST(weft_solver_set_budget(solver, budget, E));
  for (int f = 0; f < 20; ++f) frame(solver, 0.9 * budget);
  for (int f = 0; f < 2; ++f) frame(solver, 3 * budget); /* two of eight are no trend */
  assert_int_equal(metrics_of(solver).substeps, 16);
  assert_int_equal(metrics_of(solver).late_frames, 2);
  frame(solver, 1.2 * budget); /* a quarter less is expected to do */
  assert_int_equal(metrics_of(solver).substeps, 12);
  for (int f = 0; f < 3; ++f) frame(solver, 1.8 * budget); /* half of 16 do */
  assert_int_equal(metrics_of(solver).substeps, 6);
  for (int f = 0; f < 20; ++f) frame(solver, 5 * budget);
  assert_int_equal(metrics_of(solver).substeps, 4); /* and no fewer */
  assert_int_equal(metrics_of(solver).late_frames, 26);
  for (int f = 0; f < 59; ++f) frame(solver, 0.3 * budget);
  assert_int_equal(metrics_of(solver).substeps, 4);
  for (int f = 0; f < 3; ++f) frame(solver, 0.3 * budget); /* a second */
  assert_int_equal(metrics_of(solver).substeps, 6);
  for (int f = 0; f < 200; ++f) frame(solver, 0.7 * budget); /* 8 would take 0.93 of it */
  assert_int_equal(metrics_of(solver).substeps, 6);
  MUST(weft_solver_set_budget(solver, 0, E));
  assert_int_equal(metrics_of(solver).substeps, 16);
  assert_int_equal(metrics_of(solver).late_frames, 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Down, up and down again, with what changes meanwhile: the bits of substeps that were set so. */
static void its_frames_are_those_of_the_substeps_it_says(void **state) {
  (void)state;
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(2),
                                    rig_backend_on(test_gl)};
  weft_model *model = sheet();
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.1f, 0.3f}, .radius = 0.2f};
  weft_params p = params;
  p.colliders = &ball;
  p.collider_count = 1;
  for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
    weft_solver *by_budget = rig_solver(model, &p, backends[b]);
    weft_solver *by_hand = rig_solver(model, &p, backends[b]);
    MUST(weft_solver_set_budget(by_budget, budget, E));
    for (uint32_t f = 0; f < 150; ++f) {
      const bool crowded = f < 10 || f > 130;
      weft_params now = *weft_solver_params(by_hand);
      const float blows = 0.1f * (float)(f / 20);
      now.gravity.x = blows;
      now.substeps = weft_solver_params(by_budget)->substeps;
      MUST(weft_solver_set_params(by_hand, &now, E));
      now = *weft_solver_params(by_budget);
      now.gravity.x = blows;
      if (f % 2) now.substeps = 16; /* as they were asked for: changes nothing */
      if (f % 20 < 2) MUST(weft_solver_set_params(by_budget, &now, E));
      const weft_vec3 pin = weft_v3(-0.5f + 0.002f * (float)f, 0.5f, 0);
      weft_collider to = ball;
      to.a.z = 0.3f - 0.002f * (float)f;
      for (int k = 0; k < 2; ++k) {
        weft_solver *s = k ? by_hand : by_budget;
        MUST(weft_solver_move_pins(s, &(uint32_t){0}, &pin, 1, E));
        MUST(weft_solver_place_collider(s, 0, &to, E));
      }
      frame(by_budget, crowded ? 4 * budget : 0.1 * budget);
      rig_step_without_room(by_hand, 1);
      if (f % 10 == 9) assert_true(rig_hash(by_budget) == rig_hash(by_hand));
    }
    assert_int_equal(metrics_of(by_budget).substeps, 4);
    weft_solver_destroy(by_budget);
    weft_solver_destroy(by_hand);
  }
  weft_model_destroy(model);
}

/* Through the public step alone: whatever the clock says, the substeps are one of the steps. */
static void a_step_measures_itself(void **state) {
  (void)state;
  const weft_backend *backends[] = {weft_backend_cpu(1), rig_backend_on(test_gl)};
  weft_model *model = sheet();
  for (size_t b = 0; b < 2; ++b) {
    weft_solver *solver = rig_solver(model, &params, backends[b]);
    MUST(weft_solver_set_budget(solver, 1e-7, E)); /* no frame is so short */
    rig_step(solver, 40);
    assert_int_equal(metrics_of(solver).substeps, 4);
    assert_true(metrics_of(solver).late_frames > 0);
    weft_error err = {0};
    assert_int_equal(weft_solver_set_budget(solver, -1, &err), WEFT_ERROR_ARGUMENT);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(late_frames_have_fewer_substeps_and_early_ones_more),
      cmocka_unit_test(its_frames_are_those_of_the_substeps_it_says),
      cmocka_unit_test(a_step_measures_itself),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
