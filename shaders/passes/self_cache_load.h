/* self_cache_load: the pairs that touched at the end of the last substep, in a chain for each first particle, so that self_update_normals finds
 * them again. In which order a chain has them depends on that of the threads, what is found does not. */
#ifndef WEFT_PASSES_SELF_CACHE_LOAD_H
#define WEFT_PASSES_SELF_CACHE_LOAD_H
#include "passes/self.h"

PASS(pass_self_cache_load) {
  if (i >= AT(SELF_CACHE_COUNT, 0u)) return;
  uint first = weft_self_first(AT(SELF_CACHE, i).pair);
  SET(SELF_CACHE_NEXT, i, ATOMIC_SWAP(SELF_CACHE_HEADS, first, i + 1u));
}

#endif
