/* one_processor.h: runs the rest of a test on one processor. Wants _GNU_SOURCE before the first
 * header. */
#ifndef WEFT_TESTS_ONE_PROCESSOR_H
#define WEFT_TESTS_ONE_PROCESSOR_H

#include <sched.h>

#include "cmocka_all.h"

/* `before` is what to give to sched_setaffinity afterwards. */
static inline void on_one_processor(cpu_set_t *before) {
  assert_int_equal(sched_getaffinity(0, sizeof *before, before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (size_t k = 0; k < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++k) {
    if (CPU_ISSET(k, before)) CPU_SET(k, &one);
  }
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

#endif
