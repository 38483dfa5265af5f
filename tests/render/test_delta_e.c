/* The measure that golden pictures are compared by, against published values. */
#include "cmocka_all.h"

#include "delta_e.h"

/* Sharma, Wu and Dalal 2005, table 1: pairs that catch the usual mistakes with hues. */
static void the_published_pairs_come_out(void **state) {
  (void)state;
  static const struct {
    lab p, q;
    double wanted;
  } rows[] = {
      {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
      {{50, 3.1571, -77.2803}, {50, 0, -82.7485}, 2.8615},
      {{50, 2.8361, -74.0200}, {50, 0, -82.7485}, 3.4412},
      {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
      {{50, -1.1848, -84.8006}, {50, 0, -82.7485}, 1.0000},
      {{50, -0.9009, -85.5211}, {50, 0, -82.7485}, 1.0000},
      {{50, 0, 0}, {50, -1, 2}, 2.3669},
      {{50, -1, 2}, {50, 0, 0}, 2.3669},
      {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792},
      {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}, 7.2195},
      {{50, -0.0010, 2.4900}, {50, 0.0009, -2.4900}, 4.8045},
      {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
      {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
      {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
      {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
      {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
      {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
      {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    assert_true(fabs(delta_e_2000(rows[i].p, rows[i].q) - rows[i].wanted) < 5e-5);
    assert_true(fabs(delta_e_2000(rows[i].q, rows[i].p) - rows[i].wanted) < 5e-5);
  }
}

/* IEC 61966-2-1: white is L 100 without colour; red is at 53.24, 80.09, 67.20. */
static void bytes_become_the_colours_they_mean(void **state) {
  (void)state;
  lab white = lab_of((const uint8_t[3]){255, 255, 255}),
      red = lab_of((const uint8_t[3]){255, 0, 0});
  lab black = lab_of((const uint8_t[3]){0, 0, 0});
  assert_true(fabs(white.l - 100) < 1e-3 && fabs(white.a) < 0.01 && fabs(white.b) < 0.02);
  assert_true(fabs(black.l) < 1e-9 && fabs(black.a) < 1e-9 && fabs(black.b) < 1e-9);
  assert_true(fabs(red.l - 53.24) < 0.01 && fabs(red.a - 80.09) < 0.02);
  assert_true(fabs(red.b - 67.20) < 0.02);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_published_pairs_come_out),
      cmocka_unit_test(bytes_become_the_colours_they_mean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
