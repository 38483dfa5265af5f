/* The demo's clock: frames of fixed length from pictures at any rate, and honesty when it is late.
 * And the table of keys. */
#include "clock.h"

#include "cmocka_all.h"
#include "keys.h"

static const double dt = 1.0 / 60;

static uint64_t run(weft_demo_clock *clock, double seconds, double picture) {
  uint64_t steps = 0;
  uint64_t pictures = (uint64_t)(seconds / picture + 0.5);
  for (uint64_t k = 0; k < pictures; ++k) steps += weft_demo_clock_advance(clock, picture, dt);
  return steps;
}

static void ten_seconds_are_600_frames_at_any_picture_rate(void **state) {
  (void)state;
  const double rates[] = {20, 30, 59, 60, 61, 75, 144, 1000};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; ++k) {
    weft_demo_clock clock;
    weft_demo_clock_start(&clock);
    uint64_t steps = run(&clock, 10, 1 / rates[k]);
    if (steps < 598 || steps > 601) fail_msg("%g pictures/s: %d frames", rates[k], (int)steps);
    assert_false(clock.too_slow);
    assert_true(clock.achieved > 0.97 && clock.achieved < 1.03);
  }
}

static void half_speed_is_half_the_frames(void **state) {
  (void)state;
  weft_demo_clock clock;
  weft_demo_clock_start(&clock);
  weft_demo_clock_slower(&clock);
  assert_in_range(run(&clock, 10, 1.0 / 50), 299, 300);
  assert_false(clock.too_slow);
}

/* Pictures that take a second each: the motion is slow, it is said, and nothing piles up. */
static void a_slow_machine_gets_slow_motion_and_is_told(void **state) {
  (void)state;
  weft_demo_clock clock;
  weft_demo_clock_start(&clock);
  for (int k = 0; k < 20; ++k) {
    assert_true(weft_demo_clock_advance(&clock, 1, dt) <= WEFT_DEMO_MAX_STEPS);
    assert_true(clock.owed <= dt);
  }
  assert_true(clock.too_slow);
  assert_true(clock.achieved < 0.08);
  run(&clock, 1, 1.0 / 60); /* the machine is fast again */
  assert_false(clock.too_slow);
  assert_true(clock.achieved > 0.95);
}

static void while_paused_only_single_steps_run(void **state) {
  (void)state;
  weft_demo_clock clock;
  weft_demo_clock_start(&clock);
  clock.paused = true;
  assert_int_equal(run(&clock, 5, 1.0 / 30), 0);
  clock.single = 3;
  assert_int_equal(weft_demo_clock_advance(&clock, 1.0 / 30, dt), 3);
  assert_int_equal(run(&clock, 5, 1.0 / 30), 0);
  clock.paused = false; /* nothing was owed meanwhile */
  assert_true(weft_demo_clock_advance(&clock, 1.0 / 60, dt) <= 1);
}

static void no_key_means_two_things_and_every_action_has_a_key(void **state) {
  (void)state;
  bool reached[WEFT_DEMO_ACTION_COUNT] = {true};
  for (uint32_t k = 0; weft_demo_key_at(k); ++k) {
    const weft_demo_key *key = weft_demo_key_at(k);
    assert_ptr_equal(weft_demo_key_of(key->character), key);
    assert_false(reached[key->action]);
    reached[key->action] = true;
  }
  for (int k = 0; k < WEFT_DEMO_ACTION_COUNT; ++k) {
    if (!reached[k]) fail_msg("action %d has no key", k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ten_seconds_are_600_frames_at_any_picture_rate),
      cmocka_unit_test(half_speed_is_half_the_frames),
      cmocka_unit_test(a_slow_machine_gets_slow_motion_and_is_told),
      cmocka_unit_test(while_paused_only_single_steps_run),
      cmocka_unit_test(no_key_means_two_things_and_every_action_has_a_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
