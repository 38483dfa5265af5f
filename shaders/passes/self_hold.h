/* self_hold: every particle makes the share of its motion that is left to it, pins too: these come after (pin_after). Where a list
 * was too short, or motions were still being cut after the last look, none of the part moves. */
#ifndef WEFT_PASSES_SELF_HOLD_H
#define WEFT_PASSES_SELF_HOLD_H
#include "kernels/pin.h"
#include "passes/self.h"

PASS(pass_self_hold) {
  uint part = SELF_PART(i);
  uint flags = SELF_COUNT(part, WEFT_SELF_AT_FLAGS);
  bool pause = flags != 0u || SELF_COUNT(part, WEFT_SELF_AT_STRAGGLERS + WEFT_SELF_LOOKS - 1u) != 0u;
  if (i == part * U.self_particles) {
    if (SELF_COUNT(part, WEFT_SELF_AT_STRAGGLERS) != 0u) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_LOOKS), 1u);
    if (SELF_COUNT(part, WEFT_SELF_AT_STRAGGLERS + 1u) != 0u) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_LOOKS), 1u);
    if (pause) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_PAUSES), 1u);
    if (flags != 0u) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_OVERFLOWS), 1u);
    if (flags == 0u) {
      ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_CANDIDATE_SUM), SELF_COUNT(part, WEFT_SELF_AT_CANDIDATES));
    }
  }
  uint share = pause ? 0u : AT(SELF_SHARES, 2u * i);
  if (share == WEFT_SELF_WHOLE) return;
  real4 p = AT(X, i);
  if (SELF_STILL(i)) return;
  bool pinned = p.w == K(0.0);
  if (pinned) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_DRIVEN), 1u);
  if (!pinned && !pause) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_LIMITED), 1u);
  real3 before = XYZ(AT(X_PREV, i));
  real3 held = self_held(before, SELF_MOVE(i), share);
  held = v3_select(share == 0u, before, held);
  SET(X, i, V4(held, p.w));
  if (pinned) SET(V, i, V4(pin_velocity(held, before, U.inv_dt), K(0.0)));
}

#endif
