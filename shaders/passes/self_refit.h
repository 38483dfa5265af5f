/* self_refit: refits one level of the tree: a node holds WEFT_SELF_FAN boxes of the level below, which begins at below_first and ends at
 * level_first, where this one begins. Elements are the nodes of this level in the first instance's tree, in the second's and so on. */
#ifndef WEFT_PASSES_SELF_REFIT_H
#define WEFT_PASSES_SELF_REFIT_H
#include "passes/self_counts.h"

PASS(pass_self_refit) {
  uint of_part = (pass.level_first - pass.below_first - 1u) / WEFT_SELF_FAN + 1u;
  uint part = self_is_joined(m) ? (i - pass.level_first) / of_part : 0u;
  if (self_is_idle(m, part, pass.detection)) return;
  uint nodes = part * U.self_nodes;
  uint node = i - part * of_part;
  uint begin = nodes + pass.below_first + (node - pass.level_first) * WEFT_SELF_FAN;
  uint end = MIN(begin + WEFT_SELF_FAN, nodes + pass.level_first);
  self_box box = self_box_in(AT(SELF_NODES, begin));
  for (uint k = begin + 1u; k < end; ++k) box = self_box_join(box, self_box_in(AT(SELF_NODES, k)));
  SET(SELF_NODES, nodes + node, self_node_of(box));
}

#endif
