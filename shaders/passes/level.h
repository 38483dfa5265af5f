/* level.h: a node as the mean of its children on the level below. */
#ifndef WEFT_PASSES_LEVEL_H
#define WEFT_PASSES_LEVEL_H
#include "kernels/level.h"

#define LEVEL_MEAN(FROM, i)                                                       \
  uint begin = AT(LEVEL_OFFSETS, i);                                            \
  uint end = AT(LEVEL_OFFSETS, i + 1u);                                         \
  real3 origin = XYZ(AT(FROM, AT(LEVEL_CHILDREN, begin).node));                 \
  real3 sum = V3(K(0.0), K(0.0), K(0.0));                                       \
  for (uint k = begin + 1u; k < end; ++k) {                                     \
    weft_level_child child = AT(LEVEL_CHILDREN, k);                             \
    sum = level_add_child3(sum, origin, XYZ(AT(FROM, child.node)), child.share); \
  }                                                                             \
  real4 node = V4(level_mean3(origin, sum), AT(LEVEL_X, i).w);                  \
  SET(LEVEL_X, i, node);                                                        \
  SET(LEVEL_BASE, i, node);

#endif
