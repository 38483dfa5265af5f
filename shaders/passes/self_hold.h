/* self_hold: every particle makes the share of its motion that is left to it; where a list was too short, or motions were still
 * being cut after the last look, none moves. */
#ifndef WEFT_PASSES_SELF_HOLD_H
#define WEFT_PASSES_SELF_HOLD_H
#include "passes/self.h"

PASS(pass_self_hold) {
  uint flags = SELF_COUNT(WEFT_SELF_AT_FLAGS);
  bool pause = flags != 0u || SELF_COUNT(WEFT_SELF_AT_STRAGGLERS + WEFT_SELF_LOOKS - 1u) != 0u;
  if (i == 0u) {
    if (SELF_COUNT(WEFT_SELF_AT_STRAGGLERS) != 0u) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_LOOKS, 1u);
    if (SELF_COUNT(WEFT_SELF_AT_STRAGGLERS + 1u) != 0u) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_LOOKS, 1u);
    if (pause) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_PAUSES, 1u);
    if (flags != 0u) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_OVERFLOWS, 1u);
    if (flags == 0u) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_CANDIDATE_SUM, SELF_COUNT(WEFT_SELF_AT_CANDIDATES));
  }
  real4 p = AT(X, i);
  if (p.w == K(0.0)) return;
  uint share = pause ? 0u : AT(SELF_SHARES, 2u * i);
  if (share == WEFT_SELF_WHOLE) return;
  if (!pause) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_LIMITED, 1u);
  real4 before = AT(X_PREV, i);
  real3 held = self_held(XYZ(before), SELF_MOVE(i), share);
  SET(X, i, V4(v3_select(share == 0u, XYZ(before), held), p.w));
}

#endif
