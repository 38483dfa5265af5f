/* self_list.h: how lists of self-collision are added to. */
#ifndef WEFT_PASSES_SELF_LIST_H
#define WEFT_PASSES_SELF_LIST_H
#include "passes/self_counts.h"

/* The next place of a list that has room for so many of each part, or none. */
#define SELF_NO_PLACE 0xffffffffu
KERNEL uint self_take_place(BUFFERS m, uint part, uint place, uint room) {
  uint slot = ATOMIC_ADD(SELF_COUNTS, self_place(part, place), 1u);
  if (slot >= room) {
    ATOMIC_OR(SELF_COUNTS, self_place(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_OVERFLOW);
    return SELF_NO_PLACE;
  }
  if (self_is_joined(m)) slot = ATOMIC_ADD(SELF_COUNTS, self_place(self_all_parts(m), place), 1u);
  return slot;
}

#endif
