/* The value at a rank is the one that a sort puts there. */
#include <math.h>
#include <stdlib.h>

#include "base.h"
#include "cmocka_all.h"
#include "ranking.h"

enum { MAX = 20000 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double ranked(const double *values, size_t count, double part) {
  weft_ranking *ranking = weft_alloc(1, sizeof *ranking);
  for (size_t i = 0; i < count; ++i) weft_ranking_count(ranking, values[i]);
  weft_ranking_seek(ranking, part);
  for (size_t i = count; i-- > 0;) weft_ranking_keep(ranking, values[i]);
  double value = weft_ranking_end(ranking);
  weft_free(ranking);
  return value;
}

static void check(const double *values, size_t count) {
  static const double parts[] = {0, 0.01, 0.5, 0.99, 1};
  double *sorted = weft_alloc(count, sizeof *sorted);
  for (size_t i = 0; i < count; ++i) sorted[i] = values[i];
  qsort(sorted, count, sizeof *sorted, ascending);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
    size_t rank = (size_t)(parts[k] * (double)(count - 1) + 0.5);
    double wanted = sorted[rank], got = ranked(values, count, parts[k]);
    if (got != wanted)
      fail_msg("part %g of %zu: %.17g, wanted %.17g", parts[k], count, got, wanted);
  }
  weft_free(sorted);
}

static void a_rank_is_that_of_a_sort(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(7);
  double *values = weft_alloc(MAX, sizeof *values);
  for (size_t count = 1; count <= MAX; count = count * 3 + 1) {
    /* over all sizes; about one; few different ones; none but one; some infinite */
    for (size_t i = 0; i < count; ++i) values[i] = exp((double)weft_rng_float(&rng, -600, 600));
    check(values, count);
    for (size_t i = 0; i < count; ++i) values[i] = 1 + 1e-9 * (double)weft_rng_float(&rng, 0, 1);
    check(values, count);
    for (size_t i = 0; i < count; ++i) values[i] = weft_rng_u32(&rng) % 3;
    check(values, count);
    for (size_t i = 0; i < count; ++i) values[i] = 0;
    check(values, count);
    for (size_t i = 0; i < count; ++i)
      values[i] = i % 50 == 7 ? (double)INFINITY : 1e-300 * (double)i;
    check(values, count);
  }
  weft_free(values);
}

static void of_nothing_it_is_zero(void **state) {
  (void)state;
  assert_true(ranked(NULL, 0, 0.99) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rank_is_that_of_a_sort),
      cmocka_unit_test(of_nothing_it_is_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
