/* self_accept: counts pairs, and those without a certificate. */
#ifndef WEFT_PASSES_SELF_ACCEPT_H
#define WEFT_PASSES_SELF_ACCEPT_H
#include "passes/self.h"

PASS(pass_self_accept) {
  if (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_PAIRS)) return;
  uint part = SELF_PART_OF_PAIR(i);
  if (SELF_COUNT(part, WEFT_SELF_AT_FLAGS) != 0u) return;
  ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_PAIR_SUM), 1u);
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_LIMITS) == 0u) return;
  if ((plane.use & WEFT_SELF_UNCERTAIN) != 0u) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_UNCERTAIN), 1u);
}

#endif
