/* damp_angular: second leaf sums of global damping: angular momentum about the centre of mass and the inertia tensor of
 * WEFT_FAN particles. The element before this level, the root of the first tree, holds the sums that give the centre and its
 * velocity. */
#ifndef WEFT_PASSES_DAMP_ANGULAR_H
#define WEFT_PASSES_DAMP_ANGULAR_H
#include "passes/damp.h"

PASS(pass_damp_angular) {
  uint begin = (i - pass.level_first) * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, U.particle_count);
  motion_sum root = motion_sum_of(AT(MOTION, pass.level_first - 1u));
  motion_sum centre = damping_centre(root, U.inv_total_mass);
  motion_sum sum = motion_nothing();
  for (uint k = begin; k < end; ++k) {
    real4 p = AT(X, k);
    sum = damping_angular(sum, XYZ(p), p.w, XYZ(AT(V, k)), centre.a, centre.b);
  }
  SET(MOTION, i, motion_element(sum));
}

#endif
