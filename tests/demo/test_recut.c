/* Another fabric, other parameters and a gust change what they are about and nothing else: the
 * cloth goes on from where it is. */
#include <math.h>

#include "demo_host.h"
/* after cmocka */
#include "inspect.h"

static uint64_t hash_of(weft_demo_session *session) {
  uint64_t hash = 0;
  weft_error err = {0};
  if (weft_solver_hash(session->solver, &hash, &err) != WEFT_OK) fail_msg("%s", err.message);
  return hash;
}

static void another_fabric_goes_on_with_state_pins_and_changes(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_error err = {0};
  const uint32_t freed = 0, pinned = 100;
  open_session(&host, "hanging", &session);
  step(&session, 7);
  assert_true(weft_demo_session_pinned(&session, freed));
  assert_int_equal(weft_demo_session_pin(&session, freed, &err), WEFT_OK);
  assert_int_equal(weft_demo_session_pin(&session, pinned, &err), WEFT_OK);
  step(&session, 3);
  const weft_renderer *renderer = session.renderer;
  weft_params params = weft_demo_session_params(&session);
  params.damping = 3; /* is carried over */
  uint64_t before = hash_of(&session);
  double density = (double)session.scene.fabric.area_density;
  weft_demo_choice choice = session.choice;
  choice.fabric = 0;
  if (weft_demo_session_recut(&session, &choice, &params, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  assert_true(hash_of(&session) == before);
  assert_int_equal(weft_solver_frame(session.solver), 10);
  assert_true((double)session.scene.fabric.area_density != density);
  assert_true(weft_solver_params(session.solver)->damping == 3);
  assert_true(session.own.damping != 3);
  assert_false(weft_demo_session_pinned(&session, freed));
  assert_true(weft_demo_session_pinned(&session, pinned));
  assert_ptr_equal(session.renderer, renderer);
  step(&session, 5);
  assert_true(hash_of(&session) != before);
  expect_equal(&session, "after another fabric");
  weft_demo_session_close(&session);
}

static void a_gust_brings_air_and_takes_it_away(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_error err = {0};
  open_session(&host, "hanging", &session);
  assert_true(weft_solver_params(session.solver)->air_density == 0);
  step(&session, 2);
  uint64_t before = hash_of(&session);
  assert_int_equal(weft_demo_session_blow(&session, weft_v3(0, 0, 9), &err), WEFT_OK);
  assert_true(hash_of(&session) == before);
  assert_true(weft_solver_params(session.solver)->air_density == WEFT_AIR);
  assert_true(weft_demo_session_params(&session).air_density == 0); /* what was asked for */
  step(&session, 30);
  expect_equal(&session, "in a gust");
  weft_metrics blown, still;
  assert_int_equal(weft_solver_metrics(session.solver, &blown, &err), WEFT_OK);
  step(&session, 33); /* a second and some */
  assert_true(weft_solver_params(session.solver)->air_density == 0);
  expect_equal(&session, "after a gust");
  assert_int_equal(weft_demo_session_reset(&session, &err), WEFT_OK);
  step(&session, 32);
  assert_int_equal(weft_solver_metrics(session.solver, &still, &err), WEFT_OK);
  assert_true(still.box_max.z < 0 && blown.box_max.z > 0.3f); /* 0.1 m in air alone */
  /* Who changes something meanwhile keeps the air as it was asked for. */
  assert_int_equal(weft_demo_session_blow(&session, weft_v3(0, 0, 9), &err), WEFT_OK);
  weft_params params = weft_demo_session_params(&session);
  params.damping = 1;
  assert_int_equal(weft_demo_session_retune(&session, &params, &err), WEFT_OK);
  assert_true(weft_solver_params(session.solver)->air_density == WEFT_AIR);
  params.air_density = 0.5f;
  assert_int_equal(weft_demo_session_retune(&session, &params, &err), WEFT_OK);
  step(&session, 63);
  assert_true(weft_solver_params(session.solver)->air_density == 0.5f);
  weft_demo_session_close(&session);
}

static void wind_brings_air(void **state) {
  (void)state;
  weft_params params = weft_params_default();
  weft_scene_blow(&params, weft_v3(0, 0, 0));
  assert_true(params.air_density == 0);
  weft_scene_blow(&params, weft_v3(0, 3, 0));
  assert_true(params.air_density == WEFT_AIR && params.wind.y == 3);
  params.air_density = 0.3f;
  weft_scene_blow(&params, weft_v3(1, 0, 0));
  assert_true(params.air_density == 0.3f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_fabric_goes_on_with_state_pins_and_changes),
      cmocka_unit_test(a_gust_brings_air_and_takes_it_away),
      cmocka_unit_test(wind_brings_air),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
