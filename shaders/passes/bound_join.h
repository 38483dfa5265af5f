/* bound_join: one level of the tree above bound: the box around WEFT_FAN boxes of the level below, which begins at below_first and ends at
 * level_first. */
#ifndef WEFT_PASSES_BOUND_JOIN_H
#define WEFT_PASSES_BOUND_JOIN_H
#include "kernels/bounds.h"

PASS(pass_bound_join) {
  uint begin = pass.below_first + (i - pass.level_first) * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, pass.level_first);
  bounds_box box = bounds_nothing();
  for (uint k = begin; k < end; ++k) {
    weft_bounds other = AT(BOUNDS, k);
    box = bounds_joined(box, XYZ(other.low), XYZ(other.high));
  }
  weft_bounds element;
  element.low = V4(box.low, K(0.0));
  element.high = V4(box.high, K(0.0));
  SET(BOUNDS, i, element);
}

#endif
