/* sets.h: what hangs together: disjoint sets of numbers, each named by its lowest. */
#ifndef WEFT_SETS_H
#define WEFT_SETS_H

#include <stdint.h>

#include "base.h"

/* Of each number its own; freed with weft_free. */
static inline uint32_t *weft_sets(uint32_t count) {
  uint32_t *sets = (uint32_t *)weft_alloc(count, sizeof *sets);
  for (uint32_t v = 0; v < count; ++v) sets[v] = v;
  return sets;
}

static inline uint32_t weft_set_root(uint32_t *sets, uint32_t v) {
  while (sets[v] != v) v = sets[v] = sets[sets[v]];
  return v;
}

static inline void weft_set_join(uint32_t *sets, uint32_t a, uint32_t b) {
  a = weft_set_root(sets, a), b = weft_set_root(sets, b);
  sets[a > b ? a : b] = a > b ? b : a;
}

#endif
