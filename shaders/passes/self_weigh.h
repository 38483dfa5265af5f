/* self_weigh: how many pairs push each particle: what their corrections are divided by. Bodies are not pushed. */
#ifndef WEFT_PASSES_SELF_WEIGH_H
#define WEFT_PASSES_SELF_WEIGH_H
#include "passes/self_pair.h"

PASS(pass_self_weigh) {
  if (SELF_NO_PUSH) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  uvec4 p = weft_self_particles(AT(SELF_PAIRS, i));
  real depth = SELF_DEPTH(plane, SELF_APART(X, p, plane), p);
  if (!(depth > K(0.0))) return;
  uint weight = self_weight_of(depth);
  for (uint k = 0u; k < 4u; ++k) {
    bool moves = PART4(plane.weights, k) != K(0.0) && !SELF_OF_BODY(PART4U(p, k));
    if (moves) ATOMIC_ADD(SELF_CORRECTIONS, 4u * PART4U(p, k) + 3u, weight);
  }
}

#endif
