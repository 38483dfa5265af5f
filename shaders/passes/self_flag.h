/* self_flag: a particle that was truncated is to be detected again, with swept bounds. */
#ifndef WEFT_PASSES_SELF_FLAG_H
#define WEFT_PASSES_SELF_FLAG_H
#include "passes/self_counts.h"

PASS(pass_self_flag) {
  uint part = self_part_of(m, i);
  if (self_is_idle(m, part, pass.detection)) return;
  uint share = AT(SELF_FRACTIONS, 2u * i);
  if (share == WEFT_SELF_WHOLE || AT(SELF_DIRTY, i) != 0u) return;
  SET(SELF_DIRTY, i, pass.detection + 1u);
  ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_REDETECT + pass.detection), 1u);
  if (self_is_joined(m)) ATOMIC_ADD(SELF_COUNTS, self_place(self_all_parts(m), WEFT_SELF_AT_REDETECT + pass.detection), 1u);
}

#endif
