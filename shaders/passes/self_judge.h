/* self_judge: counts pairs, and those without a certificate. */
#ifndef WEFT_PASSES_SELF_JUDGE_H
#define WEFT_PASSES_SELF_JUDGE_H
#include "passes/self.h"

PASS(pass_self_judge) {
  if (SELF_COUNT(WEFT_SELF_AT_FLAGS) != 0u || i >= SELF_COUNT(WEFT_SELF_AT_PAIRS)) return;
  ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_PAIR_SUM, 1u);
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_LIMITS) == 0u) return;
  if ((plane.use & WEFT_SELF_UNCERTAIN) != 0u) ATOMIC_ADD(SELF_COUNTS, WEFT_SELF_AT_UNCERTAIN, 1u);
}

#endif
