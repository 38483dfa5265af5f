/* self_listed.h: access to the list of contact pairs. */
#ifndef WEFT_PASSES_SELF_LISTED_H
#define WEFT_PASSES_SELF_LISTED_H
#include "passes/self_counts.h"

KERNEL uint self_part_of_pair(BUFFERS m, uint number) {
  if (!self_is_joined(m)) return 0u;
  return self_part_of(m, weft_self_first(AT(SELF_PAIRS, number)));
}

KERNEL bool self_is_listed(BUFFERS m, uint number) { return number < self_counted(m, self_all_parts(m), WEFT_SELF_AT_PAIRS); }

/* Whether a list of its instance overflowed: then none of the instance's pairs counts. */
KERNEL bool self_is_closed(BUFFERS m, uint number) { return self_counted(m, self_part_of_pair(m, number), WEFT_SELF_AT_FLAGS) != 0u; }

#endif
