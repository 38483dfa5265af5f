/* self_flag: whose motion was cut is looked for again, anywhere on its way. */
#ifndef WEFT_PASSES_SELF_FLAG_H
#define WEFT_PASSES_SELF_FLAG_H
#include "passes/self.h"

PASS(pass_self_flag) {
  uint part = SELF_PART(i);
  if (SELF_IDLE(part)) return;
  uint share = AT(SELF_FRACTIONS, 2u * i);
  if (share == WEFT_SELF_WHOLE || AT(SELF_DIRTY, i) != 0u) return;
  SET(SELF_DIRTY, i, pass.detection + 1u);
  ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_REDETECT + pass.detection), 1u);
  if (SELF_JOINED) ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(SELF_ALL_PARTS, WEFT_SELF_AT_REDETECT + pass.detection), 1u);
}

#endif
