/* self_enter: the pairs that touched at the end of the last substep, in a chain for each first particle, so that self_aim finds
 * them again. In which order a chain has them depends on that of the threads, what is found does not. */
#ifndef WEFT_PASSES_SELF_ENTER_H
#define WEFT_PASSES_SELF_ENTER_H
#include "passes/self.h"

PASS(pass_self_enter) {
  if (i >= AT(SELF_KEPT_COUNT, 0u)) return;
  uint first = AT(SELF_KEPT, i).pair.x & WEFT_SELF_PARTICLE;
  SET(SELF_NEXT, i, ATOMIC_SWAP(SELF_HEADS, first, i + 1u));
}

#endif
