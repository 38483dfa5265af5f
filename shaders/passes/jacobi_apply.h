/* jacobi_apply: every particle adds up its corrections in ascending slot order. The relaxation is in the corrections already
 * (per constraint, so that momentum is kept). */
#ifndef WEFT_PASSES_JACOBI_APPLY_H
#define WEFT_PASSES_JACOBI_APPLY_H
#include "kernels/pair.h"

PASS(pass_jacobi_apply) {
  uint begin = AT(GATHER_OFFSETS, pass.gather_first + i);
  uint end = AT(GATHER_OFFSETS, pass.gather_first + i + 1u);
  real3 sum = V3(K(0.0), K(0.0), K(0.0));
  for (uint k = begin; k < end; ++k) sum = v3_add(sum, of_delta(AT(DELTA, AT(GATHER_SLOTS, k))));
  real4 p = AT(X, i);
  if (PAIRS) {
    pair3 moved = pair3_moved(pair3_of(XYZ(p), XYZ(AT(X_LOW, i))), sum);
    SET(X, i, V4(moved.high, p.w));
    SET(X_LOW, i, V4(moved.low, K(0.0)));
    return;
  }
  SET(X, i, V4(exact_flush3(v3_add(XYZ(p), sum)), p.w));
}

#endif
