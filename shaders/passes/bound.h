/* bound: the box around WEFT_FAN consecutive particles. */
#ifndef WEFT_PASSES_BOUND_H
#define WEFT_PASSES_BOUND_H
#include "kernels/bounds.h"

PASS(pass_bound) {
  uint begin = i * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, U.particle_count);
  bounds_box box = bounds_nothing();
  for (uint k = begin; k < end; ++k) {
    real3 x = XYZ(AT(X, k));
    box = bounds_joined(box, x, x);
  }
  weft_bounds element;
  element.low = V4(box.low, K(0.0));
  element.high = V4(box.high, K(0.0));
  SET(BOUNDS, i, element);
}

#endif
