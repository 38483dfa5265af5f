/* What certificates of self-collision are to refuse: numbers that are none, wherever they come in,
 * gradients too large for what rounding is counted with, and what proves just less than is needed.
 */
#include "rig.h"
/* after it */
#include <kernels/lang_c.h>
/* in that language */
#include <kernels/self_monotone.h>
/* and out of it */
#include <kernels/lang_c_end.h>

#include <math.h>

static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 4e29f, 3.4e38f};
enum { ODDS = sizeof odd / sizeof *odd };

/* ---- what patches prove ---- */

/* least and most, own axes, those of the reference, the turn and the bend of a patch that is flat
 * and proves itself. */
enum { NUMBERS = 17 };
static const float flat[NUMBERS] = {1, 1.41f, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0};

static bool is_certified(const float n[NUMBERS]) {
  weft_vec3 v[4];
  for (int k = 0; k < 4; ++k) v[k] = weft_v3(n[2 + 3 * k], n[3 + 3 * k], n[4 + 3 * k]);
  return self_is_monotone(self_proves(n[0], n[1], v[0], v[1], v[2], v[3], n[14], n[15], n[16]));
}

/* What gradients make, and a bend. Odd axes make an odd least, see below; those of a reference make
 * its own, which is always among what lies over its hulls. */
static void what_is_no_number_proves_nothing(void **state) {
  (void)state;
  static const int asked[] = {0, 1, 16};
  assert_true(is_certified(flat));
  for (size_t k = 0; k < sizeof asked / sizeof *asked; ++k) {
    for (int o = 0; o < ODDS; ++o) {
      float n[NUMBERS];
      memcpy(n, flat, sizeof n);
      n[asked[k]] = odd[o];
      bool holds = (asked[k] == 0 && odd[o] > 0) || (asked[k] == 1 && odd[o] < 0);
      if (asked[k] == 16 && odd[o] < 0) holds = true; /* no bend is less than none */
      if (!holds && is_certified(n))
        fail_msg("number %d is %g, and certifies", asked[k], (double)odd[o]);
    }
  }
}

static void as_much_as_is_needed_and_more(void **state) {
  (void)state;
  const float needed = 0.15f + 0x1p-9f;
  float n[NUMBERS];
  memcpy(n, flat, sizeof n);
  n[0] = needed * (1 - 0x1p-20f);
  assert_false(is_certified(n));
  n[0] = needed * (1 + 0x1p-20f);
  assert_true(is_certified(n));
  n[0] = 1;
  n[1] = nextafterf(4, 0);
  assert_true(is_certified(n));
  n[1] = 4;
  assert_false(is_certified(n));
}

/* ---- gradients ---- */

/* Both edges and both axes. */
static self_gradient gradient_of(const float n[12]) {
  return self_gradient_of(weft_v3(n[0], n[1], n[2]), weft_v3(n[3], n[4], n[5]),
                          (vec4){100, 0, 0, 100}, weft_v3(n[6], n[7], n[8]),
                          weft_v3(n[9], n[10], n[11]));
}

static void check_joined(self_gradient a, self_gradient b, int number, float what) {
  self_gradient g = self_gradient_join(self_gradient_join(self_gradient_none(), a), b);
  float n[NUMBERS];
  memcpy(n, flat, sizeof n);
  n[0] = g.least;
  n[1] = self_root(g.most2);
  if (is_certified(n)) fail_msg("number %d is %g, and certifies", number, (double)what);
}

/* One of them is odd, of the first triangle or of the second. */
static void odd_edges_and_axes_prove_nothing(void **state) {
  (void)state;
  const float sound[12] = {0.01f, 0, 0, 0, 0, 0.01f, 1, 0, 0, 0, 0, 1};
  const self_gradient flat_one = gradient_of(sound);
  assert_true(flat_one.least > 0.99f && flat_one.most2 < 2.01f);
  for (int o = 0; o < ODDS; ++o) {
    for (int k = 0; k < 12; ++k) {
      float n[12];
      memcpy(n, sound, sizeof n);
      n[k] = odd[o];
      if (k >= 6 && isfinite(odd[o])) continue; /* axes are of length 1, or none */
      const self_gradient one = gradient_of(n);
      check_joined(one, flat_one, k, odd[o]);
      check_joined(flat_one, one, k, odd[o]);
    }
  }
}

/* ---- stars ---- */

/* Seen along what the rays span at the start, as self_certify_stars does: a and b there, c and d at
 * the end.
 */
static bool is_high(const float r[12]) {
  weft_vec3 ray[4];
  for (int i = 0; i < 4; ++i) ray[i] = weft_v3(r[3 * i], r[3 * i + 1], r[3 * i + 2]);
  weft_vec3 n = self_unit(self_spanned(weft_v3(0, 0, 0), ray[0], ray[1]));
  return self_sector_is_high(n, ray[0], ray[1], ray[2], ray[3], 0x1p-17f);
}

static void odd_rays_certify_no_star(void **state) {
  (void)state;
  const float sound[12] = {0, 0, 0.01f, 0.01f, 0, 0, 0, 0, 0.01f, 0.01f, 0, 0};
  assert_true(is_high(sound));
  for (int o = 0; o < ODDS; ++o) {
    for (int k = 0; k < 12; ++k) {
      float r[12];
      memcpy(r, sound, sizeof r);
      r[k] = odd[o];
      if (is_high(r)) fail_msg("coordinate %d of a ray is %g", k, (double)odd[o]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_number_proves_nothing),
      cmocka_unit_test(as_much_as_is_needed_and_more),
      cmocka_unit_test(odd_edges_and_axes_prove_nothing),
      cmocka_unit_test(odd_rays_certify_no_star),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
