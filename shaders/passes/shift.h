/* shift: subtracts the displacement of the origin from all positions. */
#ifndef WEFT_PASSES_SHIFT_H
#define WEFT_PASSES_SHIFT_H
#include "kernels/bounds.h"

PASS(pass_shift) {
  real3 by = XYZ(AT(SHIFT_BY, 0u));
  real4 x = AT(X, i);
  if (PAIRS) {
    pair3 moved = shifted_pair3(pair3_of(XYZ(x), XYZ(AT(X_LOW, i))), by);
    SET(X, i, V4(moved.high, x.w));
    SET(X_LOW, i, V4(moved.low, K(0.0)));
    return;
  }
  SET(X, i, V4(shifted3(XYZ(x), by), x.w));
}

#endif
