/* self_leave: empties the chains of self_enter, and the list they are made of. */
#ifndef WEFT_PASSES_SELF_LEAVE_H
#define WEFT_PASSES_SELF_LEAVE_H
#include "passes/self.h"

PASS(pass_self_leave) {
  ATOMIC_MIN(SELF_HEADS, AT(SELF_KEPT, i).pair.x & WEFT_SELF_PARTICLE, 0u);
  if (i == 0u) SET(SELF_KEPT_COUNT, 0u, 0u);
}

#endif
