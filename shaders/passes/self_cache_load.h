/* self_cache_load: builds a chain of cached contacts for each first particle, so that self_update_normals finds a pair again. The order in a chain
 * depends on that of the threads, the pair found does not. */
#ifndef WEFT_PASSES_SELF_CACHE_LOAD_H
#define WEFT_PASSES_SELF_CACHE_LOAD_H
#include "passes/self.h"

PASS(pass_self_cache_load) {
  if (i >= AT(SELF_CACHE_COUNT, 0u)) return;
  uint first = weft_self_first(AT(SELF_CACHE, i).pair);
  SET(SELF_CACHE_NEXT, i, ATOMIC_SWAP(SELF_CACHE_HEADS, first, i + 1u));
}

#endif
