/* self_reset: before a look at all motions: every particle makes all of its own, nothing is listed. The first particle of a part
 * does it for the part, that of the first one for all together. */
#ifndef WEFT_PASSES_SELF_RESET_H
#define WEFT_PASSES_SELF_RESET_H
#include "passes/self.h"

PASS(pass_self_reset) {
  SET(SELF_FRACTIONS, 2u * i, WEFT_SELF_WHOLE);
  SET(SELF_FRACTIONS, 2u * i + 1u, WEFT_SELF_WHOLE);
  SET(SELF_DIRTY, i, 0u);
  uint part = SELF_PART(i);
  if (i != SELF_FIRST(part)) return;
  if (pass.when != WEFT_WHEN_FRAME_BEGINS) {
    SET(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_REJECTED), SELF_COUNT(part, WEFT_SELF_AT_REJECTED_NOW));
    ATOMIC_OR(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_SHORT), SELF_COUNT(part, WEFT_SELF_AT_FLAGS));
  }
  uint end = pass.when != WEFT_WHEN_FRAME_BEGINS ? WEFT_SELF_AT_SUMS : WEFT_SELF_AT_REJECTED;
  for (uint k = 0u; k < end; ++k) SET(SELF_COUNTS, SELF_PLACE(part, k), 0u);
  if (part != 0u) return;
  for (uint k = 0u; k < end; ++k) SET(SELF_COUNTS, SELF_PLACE(SELF_ALL_PARTS, k), 0u);
}

#endif
