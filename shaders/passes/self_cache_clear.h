/* self_cache_clear: empties the contact cache and the chains that self_cache_load built. */
#ifndef WEFT_PASSES_SELF_CACHE_CLEAR_H
#define WEFT_PASSES_SELF_CACHE_CLEAR_H
#include "passes/self.h"

PASS(pass_self_cache_clear) {
  ATOMIC_MIN(SELF_CACHE_HEADS, weft_self_first(AT(SELF_CACHE, i).pair), 0u);
  if (i == 0u) SET(SELF_CACHE_COUNT, 0u, 0u);
}

#endif
