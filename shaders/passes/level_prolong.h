/* level_prolong: adds the corrections of the coarser nodes above to the nodes of a level. */
#ifndef WEFT_PASSES_LEVEL_PROLONG_H
#define WEFT_PASSES_LEVEL_PROLONG_H
#include "passes/level_follow.h"

PASS(pass_level_prolong) {
  weft_level_parents follows = AT(LEVEL_NODE_PARENTS, i);
  if (follows.nodes.x == WEFT_NO_PARENT) return;
  real4 p = AT(LEVEL_X, i);
  SET(LEVEL_X, i, V4(level_followed(m, follows, XYZ(p)), p.w));
}

#endif
