/* The theory that the physics table measures against, held against itself: published figures,
 * limits, energy, and a second way of computing the same. */
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>

#include "analytic.h"

static void near(double value, double expected, double tolerance) {
  if (fabs(value - expected) <= tolerance) return;
  fail_msg("%.12g, expected %.12g within %.3g", value, expected, tolerance);
}

static void catenaries_have_their_published_sags(void **state) {
  (void)state;
  static const double lengths[] = {1.05, 1.10, 1.25, 1.50, 2.00};
  static const double sags[] = {0.13930, 0.20030, 0.33180, 0.50263, 0.79639};
  for (int k = 0; k < 5; ++k) near(weft_catenary_sag(1, lengths[k]), sags[k], 6e-6);
}

/* Its error falls with the square of the number of links. */
static void a_chain_of_many_links_is_a_catenary(void **state) {
  (void)state;
  double smooth = weft_catenary_sag(1, 1.5);
  double coarse = weft_chain_sag(1, 1.5, 20, NULL, NULL) - smooth;
  double fine = weft_chain_sag(1, 1.5, 40, NULL, NULL) - smooth;
  near(coarse / fine, 4, 0.05);
  near(weft_chain_sag(1, 1.5, 1000, NULL, NULL), smooth, 2e-6);
  double x[21], y[21];
  weft_chain_sag(1, 1.5, 20, x, y);
  near(x[20], 1, 1e-12);
  near(y[20], 0, 1e-12);
  for (int i = 0; i < 20; ++i) near(hypot(x[i + 1] - x[i], y[i + 1] - y[i]), 0.075, 1e-12);
}

/* A rod of two links of one span: a V. */
static void two_links_hang_as_a_v(void **state) {
  (void)state;
  near(weft_chain_sag(1, 1.25, 2, NULL, NULL), sqrt(0.625 * 0.625 - 0.25), 1e-12);
}

static void a_pendulum_returns_after_its_elliptic_period(void **state) {
  (void)state;
  for (double amplitude = 0.1; amplitude < 3.1; amplitude += 0.5) {
    weft_pendulum p = {.links = 1, .g = 9.81, .mass = {3}, .length = {0.7}, .angle = {amplitude}};
    double period = weft_pendulum_period(0.7, 9.81, amplitude);
    weft_pendulum_advance(&p, period, 1e-12);
    near(p.angle[0], amplitude, 1e-9);
    near(p.speed[0], 0, 1e-9);
  }
  near(weft_pendulum_period(1, 9.81, 1e-6), 2 * acos(-1) / sqrt(9.81), 1e-9);
}

static void lagrange_keeps_energy(void **state) {
  (void)state;
  weft_pendulum p = {.links = 4,
                     .g = 9.81,
                     .mass = {1, 0.3, 2, 0.5},
                     .length = {0.5, 0.2, 0.4, 0.3},
                     .angle = {2.5, 1, -1, 3},
                     .speed = {0, 2, 0, -3}};
  double energy = weft_pendulum_energy(&p);
  for (int frame = 0; frame < 120; ++frame) weft_pendulum_advance(&p, 1.0 / 60, 1e-12);
  near(weft_pendulum_energy(&p), energy, 1e-8);
}

/* Small swings of two equal links: w^2 = (2 +- sqrt(2)) g/l, in known proportions. */
static void small_double_swings_have_their_normal_modes(void **state) {
  (void)state;
  for (int mode = -1; mode <= 1; mode += 2) {
    double w2 = (2 + mode * sqrt(2)) * 9.81;
    weft_pendulum p = {.links = 2,
                       .g = 9.81,
                       .mass = {1, 1},
                       .length = {1, 1},
                       .angle = {1e-4, -mode * sqrt(2) * 1e-4}};
    weft_pendulum_advance(&p, 2 * acos(-1) / sqrt(w2), 1e-14);
    near(p.angle[0], 1e-4, 1e-9);
    near(p.angle[1], -mode * sqrt(2) * 1e-4, 1e-9);
  }
}

/* A stiff strip: deflection w L^4 / (8 B). A long one: Peirce's relation, which is an approximation
 * and known to be good to a percent or two around 41.5 degrees. */
static void the_heavy_elastica_has_its_limits(void **state) {
  (void)state;
  near(weft_heavy_elastica(0.1, 1, 0, NULL, NULL), 0.001 / 8, 1e-8);
  double x[11], y[11];
  weft_heavy_elastica(0.2, 1, 11, x, y);
  near(y[10], -0.0016 / 8, 2e-6);
  double length = 2.0;
  double angle = weft_heavy_elastica(length, 1, 0, NULL, NULL);
  near(weft_peirce_length(length, angle), 1, 0.03);
  double way = 0; /* and the strip is as long as it is */
  double fx[401], fy[401];
  weft_heavy_elastica(length, 1, 401, fx, fy);
  for (int i = 0; i < 400; ++i) way += hypot(fx[i + 1] - fx[i], fy[i + 1] - fy[i]);
  near(way, length, 1e-4);
}

static void decay(const void *user, double t, const double *y, double *dy) {
  (void)t;
  dy[0] = -*(const double *)user * y[0];
}

static void the_step_is_halved_until_nothing_changes(void **state) {
  (void)state;
  double rate = 3, y = 1;
  double difference = weft_ode_solve(decay, &rate, 1, 0, 2, 1e-12, &y);
  assert_true(difference <= 1e-12);
  near(y, exp(-6), 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(catenaries_have_their_published_sags),
      cmocka_unit_test(a_chain_of_many_links_is_a_catenary),
      cmocka_unit_test(two_links_hang_as_a_v),
      cmocka_unit_test(a_pendulum_returns_after_its_elliptic_period),
      cmocka_unit_test(lagrange_keeps_energy),
      cmocka_unit_test(small_double_swings_have_their_normal_modes),
      cmocka_unit_test(the_heavy_elastica_has_its_limits),
      cmocka_unit_test(the_step_is_halved_until_nothing_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
