/* The exact arithmetic: bits are for the parity tests; here it is held to the true values. */
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>

#include "exact.h"

static double ulps(float got, double truth) {
  float near = (float)truth;
  double ulp = (double)nextafterf(fabsf(near), INFINITY) - (double)fabsf(near);
  return fabs((double)got - truth) / ulp;
}

enum { TRIALS = 1000000 };

/* Every float of [1, 4): the error depends on mantissa and parity of the exponent only, because
 * both the seed and the Newton steps scale with powers of two (a test below holds that). */
static double worst_of(float (*function)(float), double (*truth)(double)) {
  double max = 0;
  for (uint32_t bits = 0x3F800000u; bits < 0x40800000u; ++bits) {
    float x = exact_from_bits(bits);
    double error = ulps(function(x), truth((double)x));
    if (error > max) max = error;
  }
  return max;
}

static double true_rcp(double x) { return 1 / x; }
static double true_rsqrt(double x) { return 1 / sqrt(x); }

static void the_reciprocal_is_within_1_2_ulp_of_every_float(void **state) {
  (void)state;
  double max = worst_of(exact_rcp, true_rcp);
  print_message("reciprocal: %.3f ulp\n", max);
  assert_true(max <= 1.2);
}

static void the_reciprocal_root_is_within_1_3_ulp_of_every_float(void **state) {
  (void)state;
  double max = worst_of(exact_rsqrt, true_rsqrt);
  print_message("reciprocal root: %.3f ulp\n", max);
  assert_true(max <= 1.3);
}

static void scaling_by_powers_of_two_scales_the_results(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(1);
  for (int k = 0; k < TRIALS; ++k) {
    float x = weft_rng_float(&rng, 1, 4);
    int e = (int)(weft_rng_u32(&rng) % 100) - 50;
    assert_true(exact_rcp(ldexpf(x, e)) == ldexpf(exact_rcp(x), -e));
    assert_true(exact_rsqrt(ldexpf(x, 2 * e)) == ldexpf(exact_rsqrt(x), -e));
  }
}

static void the_arc_tangent_is_within_3e_7(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(3);
  double max = 0;
  for (int k = 0; k < TRIALS; ++k) {
    float x = weft_rng_float(&rng, -1, 1), y = weft_rng_float(&rng, -1, 1);
    if (k % 3 == 0) y *= 1e-5f;
    if (k % 3 == 1) x *= 1e-5f;
    double error = fabs((double)exact_atan2(y, x) - atan2((double)y, (double)x));
    max = fmax(max, error);
  }
  print_message("arc tangent: %.3g rad\n", max);
  assert_true(max <= 3e-7);
}

static void the_arc_tangent_knows_the_axes(void **state) {
  (void)state;
  assert_true(exact_atan2(0, 1) == 0);
  assert_true(fabs((double)exact_atan2(1, 0) - 1.57079632679) < 1e-7);
  assert_true(fabs((double)exact_atan2(-1, 0) + 1.57079632679) < 1e-7);
  assert_true(fabs((double)exact_atan2(0, -1) - 3.14159265359) < 2e-7);
}

static void thresholds_keep_themselves_and_drop_what_is_below(void **state) {
  (void)state;
  const struct {
    float (*cut)(float);
    float threshold;
  } cases[] = {{exact_snap, 0x1p-40f}, {exact_flush, 0x1p-60f}, {exact_trim, 0x1p-100f}};
  for (int k = 0; k < 3; ++k) {
    float t = cases[k].threshold;
    assert_true(cases[k].cut(t) == t && cases[k].cut(-t) == -t);
    assert_true(cases[k].cut(nextafterf(t, 0)) == 0 && cases[k].cut(-nextafterf(t, 0)) == 0);
  }
  assert_true((float)WEFT_SNAP == 0x1p-40f && (float)WEFT_FLUSH == 0x1p-60f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reciprocal_is_within_1_2_ulp_of_every_float),
      cmocka_unit_test(the_reciprocal_root_is_within_1_3_ulp_of_every_float),
      cmocka_unit_test(scaling_by_powers_of_two_scales_the_results),
      cmocka_unit_test(the_arc_tangent_is_within_3e_7),
      cmocka_unit_test(the_arc_tangent_knows_the_axes),
      cmocka_unit_test(thresholds_keep_themselves_and_drop_what_is_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
