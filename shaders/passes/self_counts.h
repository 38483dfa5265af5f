/* self_counts.h: access to the counters of an instance. */
#ifndef WEFT_PASSES_SELF_COUNTS_H
#define WEFT_PASSES_SELF_COUNTS_H
#include "passes/self.h"

KERNEL uint self_counted(BUFFERS m, uint part, uint place) { return AT(SELF_COUNTS, self_place(part, place)); }

/* A redetection runs if the last detection truncated displacements and no list has overflowed. */
KERNEL bool self_is_idle(BUFFERS m, uint part, uint detection) {
  if (detection == 0u) return false;
  return self_counted(m, part, WEFT_SELF_AT_REDETECT + detection - 1u) == 0u || self_counted(m, part, WEFT_SELF_AT_FLAGS) != 0u;
}

#endif
