/* self_refit: one level of the tree: a node holds WEFT_SELF_FAN of the level below, which begins at below_first and ends where
 * this one begins, at level_first. */
#ifndef WEFT_PASSES_SELF_REFIT_H
#define WEFT_PASSES_SELF_REFIT_H
#include "passes/self.h"

PASS(pass_self_refit) {
  if (SELF_IDLE) return;
  uint begin = pass.below_first + (i - pass.level_first) * WEFT_SELF_FAN;
  uint end = MIN(begin + WEFT_SELF_FAN, pass.level_first);
  self_box box = self_box_in(AT(SELF_NODES, begin));
  for (uint k = begin + 1u; k < end; ++k) box = self_box_join(box, self_box_in(AT(SELF_NODES, k)));
  SET(SELF_NODES, i, self_node_of(box, K(0.0), K(0.0)));
}

#endif
