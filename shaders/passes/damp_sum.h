/* damp_sum: one level of the fixed tree: each row is the sum of WEFT_FAN rows of the level below, in ascending order. The
 * level below begins at below_first and ends where this one begins, at level_first. */
#ifndef WEFT_PASSES_DAMP_SUM_H
#define WEFT_PASSES_DAMP_SUM_H
#include "passes/damp.h"

PASS(pass_damp_sum) {
  uint begin = pass.below_first + (i - pass.level_first) * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, pass.level_first);
  motion_sum sum = motion_nothing();
  for (uint k = begin; k < end; ++k) {
    motion_sum row = motion_sum_of(AT(MOTION, k));
    sum = motion_add(sum, row.a, row.b, row.c);
  }
  SET(MOTION, i, motion_row(sum));
}

#endif
