/* pick_near: of WEFT_FAN consecutive particles the first along a ray, the lowest index of several. Particles before the ray's origin or outside
 * its cone do not count. */
#ifndef WEFT_PASSES_PICK_NEAR_H
#define WEFT_PASSES_PICK_NEAR_H
#include "kernels/pick.h"

PASS(pass_pick_near) {
  uint begin = i * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, U.particle_count);
  weft_pick_ray ray = AT(PICK_RAY, 0u);
  weft_pick best;
  best.along = K(0.0);
  best.offset2 = K(0.0);
  best.particle = WEFT_PICK_NONE;
  best.unused_1 = 0u;
  for (uint k = begin; k < end; ++k) {
    ray_hit hit = ray_meets(XYZ(AT(X, k)), ray.origin, ray.direction);
    bool first = best.particle == WEFT_PICK_NONE || hit.along < best.along;
    if (hit.hits && first) {
      best.along = hit.along;
      best.offset2 = hit.offset2;
      best.particle = k;
    }
  }
  SET(PICK, i, best);
}

#endif
