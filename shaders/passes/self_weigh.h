/* self_weigh: sums the squared depths of the pairs at each particle, by which corrections are divided. Bodies take no corrections and no sum. */
#ifndef WEFT_PASSES_SELF_WEIGH_H
#define WEFT_PASSES_SELF_WEIGH_H
#include "passes/self_pair.h"

PASS(pass_self_weigh) {
  if (!self_pushes(m, i)) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  uvec4 p = weft_self_particles(AT(SELF_PAIRS, i));
  real depth = self_depth_of(plane, self_apart_before(m, p, plane), self_apart_now(m, p, plane));
  if (!(depth > K(0.0))) return;
  uint weight = self_weight_of(depth);
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    bool moves = PART4(plane.weights, k) != K(0.0) && !self_is_of_body(m, particle);
    if (moves) ATOMIC_ADD(SELF_CORRECTIONS, 4u * particle + 3u, weight);
  }
}

#endif
