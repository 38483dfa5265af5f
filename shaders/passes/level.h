/* level.h: loads and stores that the passes over coarser levels share. */
#ifndef WEFT_PASSES_LEVEL_H
#define WEFT_PASSES_LEVEL_H
#include "kernels/level.h"

#define LEVEL_MEAN(FROM)                                                        \
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

#define LEVEL_FOLLOW(ELEMENTS, PARENTS)                                         \
  weft_level_parents follows = AT(PARENTS, i);                                  \
  if (follows.nodes.x == WEFT_NO_PARENT) return;                                \
  real4 p = AT(ELEMENTS, i);                                                    \
  real3 to = XYZ(p);                                                            \
  for (uint k = 0u; k < 4u; ++k) {                                              \
    uint node = PART4U(follows.nodes, k);                                       \
    if (node == WEFT_NO_PARENT) break;                                          \
    real3 moved = level_moved3(XYZ(AT(LEVEL_X, node)), XYZ(AT(LEVEL_BASE, node))); \
    to = level_follow3(to, moved, PART4(follows.weights, k));                   \
  }                                                                             \
  SET(ELEMENTS, i, V4(exact_flush3(to), p.w));

#endif
