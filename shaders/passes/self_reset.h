/* self_reset: before a detection: all step fractions become 1, all lists are emptied. The first particle of an instance does it for the instance,
 * that of the first instance also for the totals. */
#ifndef WEFT_PASSES_SELF_RESET_H
#define WEFT_PASSES_SELF_RESET_H
#include "passes/self_counts.h"

PASS(pass_self_reset) {
  SET(SELF_FRACTIONS, 2u * i, WEFT_SELF_WHOLE);
  SET(SELF_FRACTIONS, 2u * i + 1u, WEFT_SELF_WHOLE);
  SET(SELF_DIRTY, i, 0u);
  uint part = self_part_of(m, i);
  if (i != self_first_of(m, part)) return;
  if (pass.when != WEFT_WHEN_FRAME_BEGINS) {
    SET(SELF_COUNTS, self_place(part, WEFT_SELF_AT_REJECTED), self_counted(m, part, WEFT_SELF_AT_REJECTED_NOW));
    ATOMIC_OR(SELF_COUNTS, self_place(part, WEFT_SELF_AT_SHORT), self_counted(m, part, WEFT_SELF_AT_FLAGS));
  }
  uint end = pass.when != WEFT_WHEN_FRAME_BEGINS ? WEFT_SELF_AT_SUMS : WEFT_SELF_AT_REJECTED;
  for (uint k = 0u; k < end; ++k) SET(SELF_COUNTS, self_place(part, k), 0u);
  if (part != 0u) return;
  for (uint k = 0u; k < end; ++k) SET(SELF_COUNTS, self_place(self_all_parts(m), k), 0u);
}

#endif
