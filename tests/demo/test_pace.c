/* How finely the demo draws: it follows what pictures take, and does not swing to and fro. */
#include "pace.h"

#include "cmocka_all.h"

/* Half seconds of motion on a machine on which pictures take ms[quality]; the quality at the end,
 * and how often it changed. */
static weft_demo_quality run(weft_demo_pace *pace, weft_demo_quality drawn, const double ms[3],
                             int halves, int *changes) {
  *changes = 0;
  for (int k = 0; k < halves; ++k) {
    weft_demo_quality next = weft_demo_pace_next(pace, drawn, 0, 0); /* not measured yet */
    assert_int_equal(next, drawn);
    for (int j = 0; j < 3; ++j) { /* the first is never the same to the last digit */
      next = weft_demo_pace_next(pace, drawn, ms[drawn] * (1 + 0.001 * (k % 2)), 0);
      if (next != drawn) break;
    }
    *changes += next != drawn;
    drawn = next;
  }
  return drawn;
}

static void a_software_driver_begins_coarse_and_a_gpu_fine(void **state) {
  (void)state;
  weft_demo_pace pace = {0};
  assert_int_equal(weft_demo_pace_begin(&pace, true), WEFT_DEMO_COARSE);
  assert_int_equal(weft_demo_pace_begin(&pace, false), WEFT_DEMO_FINE);
}

static void time_to_spare_makes_it_finer(void **state) {
  (void)state;
  const double fast[] = {8, 4, 1};
  weft_demo_pace pace = {0};
  int changes;
  weft_demo_quality begin = weft_demo_pace_begin(&pace, true);
  assert_int_equal(run(&pace, begin, fast, 20, &changes), WEFT_DEMO_FINE);
  assert_int_equal(changes, 2);
}

static void slow_pictures_make_it_coarser_and_it_stays_there(void **state) {
  (void)state;
  const double slow[] = {300, 120, 6}; /* finer is guessed to be quick enough, and is not */
  weft_demo_pace pace = {0};
  int changes;
  weft_demo_quality begin = weft_demo_pace_begin(&pace, false);
  assert_int_equal(run(&pace, begin, slow, 100, &changes), WEFT_DEMO_COARSE);
  assert_int_equal(changes, 2);
}

static void the_first_time_of_a_quality_is_not_believed(void **state) {
  (void)state;
  weft_demo_pace pace = {0};
  weft_demo_quality begin = weft_demo_pace_begin(&pace, false);
  assert_int_equal(weft_demo_pace_next(&pace, begin, 900, 0), WEFT_DEMO_FINE); /* it compiles */
  assert_int_equal(weft_demo_pace_next(&pace, begin, 900, 0), WEFT_DEMO_FINE);
  assert_int_equal(weft_demo_pace_next(&pace, begin, 10, 0), WEFT_DEMO_FINE);
}

static void what_stands_still_is_fine_and_what_moves_again_is_as_before(void **state) {
  (void)state;
  weft_demo_pace pace = {0};
  weft_demo_quality begin = weft_demo_pace_begin(&pace, true);
  assert_int_equal(weft_demo_pace_next(&pace, begin, 25, 0.1), WEFT_DEMO_COARSE);
  assert_int_equal(weft_demo_pace_next(&pace, begin, 25, 1), WEFT_DEMO_FINE);
  assert_int_equal(weft_demo_pace_next(&pace, WEFT_DEMO_FINE, 400, 2), WEFT_DEMO_FINE);
  assert_int_equal(weft_demo_pace_next(&pace, WEFT_DEMO_FINE, 400, 0), WEFT_DEMO_COARSE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_software_driver_begins_coarse_and_a_gpu_fine),
      cmocka_unit_test(time_to_spare_makes_it_finer),
      cmocka_unit_test(slow_pictures_make_it_coarser_and_it_stays_there),
      cmocka_unit_test(the_first_time_of_a_quality_is_not_believed),
      cmocka_unit_test(what_stands_still_is_fine_and_what_moves_again_is_as_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
