/* self_dispatch_args: turns counters into dispatch arguments of the following passes: work groups, which the GPU reads from here, and the number
 * of elements. A list that overflowed has as many elements as its capacity. In a joined model elements of all instances count together; each
 * element of an instance with an idle redetection skips itself. */
#ifndef WEFT_PASSES_SELF_DISPATCH_ARGS_H
#define WEFT_PASSES_SELF_DISPATCH_ARGS_H
#include "passes/self_counts.h"

/* The length of a list. The total over all instances counts only elements that were stored. */
KERNEL uint self_length_of(BUFFERS m, uint place, uint room) {
  uint count = self_counted(m, self_all_parts(m), place);
  return self_is_joined(m) ? count : MIN(count, room);
}

PASS(pass_self_dispatch_args) {
  uint first = 0u;
  uint count = self_length_of(m, WEFT_SELF_AT_PAIRS, U.self_pairs);
  if (i == WEFT_SELF_SIZE_CACHE) count = AT(SELF_CACHE_COUNT, 0u);
  if (i == WEFT_SELF_SIZE_CANDIDATES) count = self_length_of(m, WEFT_SELF_AT_CANDIDATES + pass.detection, U.self_candidates);
  if (i == WEFT_SELF_SIZE_TRIANGLE_PAIRS) count = self_length_of(m, WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection, U.self_close) * WEFT_SELF_FEATURES;
  if (i == WEFT_SELF_SIZE_PATCH_PAIRS) count = self_length_of(m, WEFT_SELF_AT_PATCH_PAIRS + pass.detection, U.self_meets);
  if (i == WEFT_SELF_SIZE_UNCERTIFIED) count = self_counted(m, self_all_parts(m), WEFT_SELF_AT_UNCERTIFIED);
  if (i == WEFT_SELF_SIZE_ENTRIES) count = WEFT_SELF_SIZES;
  if (i == WEFT_SELF_SIZE_PARTICLES) count = U.self_particles * U.self_parts;
  if (i >= WEFT_SELF_SIZE_PATCHES) count = U.self_patches * U.self_parts;
  if (i >= WEFT_SELF_SIZE_LEVELS) {
    count = U.self_patches;
    for (uint level = WEFT_SELF_SIZE_LEVELS; level < i; ++level) {
      first += count;
      count = (count - 1u) / WEFT_SELF_FAN + 1u;
    }
    count = self_is_joined(m) ? count * U.self_parts : count;
  }
  if (i != WEFT_SELF_SIZE_PAIRS && i != WEFT_SELF_SIZE_CACHE && self_is_idle(m, self_all_parts(m), pass.detection)) count = 0u;
  uint groups = count / WEFT_SELF_GROUP + (count % WEFT_SELF_GROUP != 0u ? 1u : 0u);
  if (i == WEFT_SELF_SIZE_PATCH_PAIRS || i == WEFT_SELF_SIZE_PATCHES) groups = count;
  uint rows = groups / WEFT_SELF_ROW + (groups % WEFT_SELF_ROW != 0u ? 1u : 0u);
  SET(SELF_DISPATCH_ARGS, i, U4(MIN(groups, WEFT_SELF_ROW), rows, 1u, first + count));
}

#endif
