/* self_judge: counts pairs, those without a certificate, and those that a pinned particle drives together all the same. */
#ifndef WEFT_PASSES_SELF_JUDGE_H
#define WEFT_PASSES_SELF_JUDGE_H
#include "passes/self.h"

PASS(pass_self_judge) {
  if (SELF_COUNT(WEFT_SELF_AT_FLAGS) != 0u || i >= SELF_COUNT(WEFT_SELF_AT_PAIRS)) return;
  ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_PAIR_SUM, 1u);
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_LIMITS) == 0u) return;
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = self_particles(listed);
  bool edges = (listed.x & WEFT_SELF_EDGES) != 0u;
  bool uncertain = (plane.use & WEFT_SELF_UNCERTAIN) != 0u;
  if (uncertain) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_UNCERTAIN, 1u);
  real3 n = XYZ(plane.normal);
  real first = K(-1.0e30);
  real second = K(-1.0e30);
  bool pinned = false;
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    bool of_first = k == 0u || (edges && k == 1u);
    bool pinned_here = AT(X, particle).w == K(0.0);
    real3 move = SELF_MOVE(particle);
    pinned = pinned || (pinned_here && self_moves(move));
    real along = self_flushed_dot(move, n);
    along = of_first ? self_negative(along) : along;
    real comes = self_comes(along, self_share(AT(SELF_SHARES, 2u * particle)), K(0.0));
    first = of_first ? self_more(first, comes) : first;
    second = of_first ? second : self_more(second, comes);
  }
  precise real both = first + second;
  if (pinned && (uncertain || !(both < plane.normal.w))) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_DRIVEN, 1u);
}

#endif
