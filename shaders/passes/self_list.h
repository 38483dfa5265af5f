/* self_list.h: appends to lists of self-collision. */
#ifndef WEFT_PASSES_SELF_LIST_H
#define WEFT_PASSES_SELF_LIST_H
#include "passes/self_counts.h"

/* Reserves the next slot of a list that has so much capacity for each instance, or none. */
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
