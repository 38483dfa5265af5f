/* damp_sum: one level of the fixed tree: each element is the sum of WEFT_FAN of the level below, in ascending order. The
 * level below begins at below_first and ends where this one begins, at level_first. */
#ifndef WEFT_PASSES_DAMP_SUM_H
#define WEFT_PASSES_DAMP_SUM_H
#include "passes/damp.h"

PASS(pass_damp_sum) {
  uint begin = pass.below_first + (i - pass.level_first) * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, pass.level_first);
  motion_sum sum = motion_nothing();
  for (uint k = begin; k < end; ++k) {
    motion_sum element = motion_sum_of(AT(MOTION, k));
    sum = motion_add(sum, element.a, element.b, element.c);
  }
  SET(MOTION, i, motion_element(sum));
}

#endif
