/* A limit of strain that is kept where the rule says it is: sheets held at two corners, one level
 * that swings down, one upright, on the reference. */
#include "base.h"
#include "rig_scene.h"

/* The largest p99 along threads that is seen every `every` frames. */
static double largest(uint32_t size, float angle, double target, uint32_t frames, uint32_t every) {
  weft_error err = {0};
  const weft_scene_options options = {.size = size, .seed = 1, .angle = angle, .angle_set = true};
  weft_scene_instance scene = rig_scene_of(weft_scene_find("hanging"), &options);
  weft_strain_choice choice;
  if (target > 0) {
    weft_result result =
        weft_params_hold_strain(scene.model, target, 0, &scene.params, &choice, &err);
    if (result != WEFT_OK) fail_msg("%s", err.message);
    assert_false(choice.short_of);
  }
  weft_solver *solver = rig_solver(scene.model, &scene.params, weft_backend_ref());
  double max = 0;
  for (uint32_t f = 1; f <= frames; ++f) {
    assert_int_equal(weft_scene_step(&scene, solver, &err), WEFT_OK);
    if (f % every != 0) continue;
    weft_metrics m;
    assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
    assert_int_equal(m.nonfinite, 0);
    if (m.strain_threads_p99 > max) max = m.strain_threads_p99;
  }
  print_message("%u rows, %g rad, target %g: %u substeps, %g\n", size, (double)angle, target,
                scene.params.substeps, max);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  return max;
}

static void a_sheet_that_swings_down_is_held(void **state) {
  (void)state;
  assert_true(largest(64, 0, 0.01, 36, 4) <= 0.01);
  assert_true(largest(32, 0, 0.02, 90, 6) <= 0.02);
}

static void an_upright_sheet_is_held(void **state) {
  (void)state;
  assert_true(largest(64, 1.5707963f, 0.01, 24, 4) <= 0.01);
  assert_true(largest(32, 1.5707963f, 0.005, 60, 6) <= 0.005);
}

/* Otherwise the tests above show nothing. */
static void without_a_limit_it_is_not(void **state) {
  (void)state;
  assert_true(largest(32, 0, 0, 36, 4) > 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_that_swings_down_is_held),
      cmocka_unit_test(an_upright_sheet_is_held),
      cmocka_unit_test(without_a_limit_it_is_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
