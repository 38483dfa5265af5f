/* level_follow.h: adds the corrections of parents on the level above to particles and nodes. */
#ifndef WEFT_PASSES_LEVEL_FOLLOW_H
#define WEFT_PASSES_LEVEL_FOLLOW_H
#include "kernels/level.h"

KERNEL real3 level_followed(BUFFERS m, weft_level_parents follows, real3 from) {
  real3 to = from;
  for (uint k = 0u; k < 4u; ++k) {
    uint node = PART4U(follows.nodes, k);
    if (node == WEFT_NO_PARENT) break;
    real3 moved = level_moved3(XYZ(AT(LEVEL_X, node)), XYZ(AT(LEVEL_BASE, node)));
    to = level_follow3(to, moved, PART4(follows.weights, k));
  }
  return exact_flush3(to);
}

#endif
