/* level_spread: adds the corrections of the finest coarse level to the particles. */
#ifndef WEFT_PASSES_LEVEL_SPREAD_H
#define WEFT_PASSES_LEVEL_SPREAD_H
#include "passes/level_follow.h"

PASS(pass_level_spread) {
  weft_level_parents follows = AT(LEVEL_PARENTS, i);
  if (follows.nodes.x == WEFT_NO_PARENT) return;
  real4 p = AT(X, i);
  SET(X, i, V4(level_followed(m, follows, XYZ(p)), p.w));
}

#endif
