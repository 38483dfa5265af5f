/* damp_linear: first leaf sums of global damping: mass times position and mass times velocity of WEFT_FAN particles in
 * ascending order. */
#ifndef WEFT_PASSES_DAMP_LINEAR_H
#define WEFT_PASSES_DAMP_LINEAR_H
#include "passes/damp.h"

PASS(pass_damp_linear) {
  uint begin = (i - pass.level_first) * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, U.particle_count);
  motion_sum sum = motion_nothing();
  for (uint k = begin; k < end; ++k) {
    real4 p = AT(X, k);
    sum = damping_linear(sum, XYZ(p), p.w, XYZ(AT(V, k)));
  }
  SET(MOTION, i, motion_element(sum));
}

#endif
