/* self_find_patches: a patch traverses the tree in preorder, to later patches whose boxes overlap its own and which are not its neighbours. In a
 * redetection only patches with truncated particles traverse, to all other patches and themselves. */
#ifndef WEFT_PASSES_SELF_FIND_PATCHES_H
#define WEFT_PASSES_SELF_FIND_PATCHES_H
#include "passes/self_list.h"

/* A node: number `index` of its level, whose first node is `first` among the nodes of all levels. */
KERNEL_STRUCT(self_walk)
  uint level;
  uint index;
  uint first;
KERNEL_STRUCT_END(self_walk)

KERNEL uint self_nodes_of(BUFFERS m, uint level) { return ((U.self_patches - 1u) >> (3u * level)) + 1u; }

/* The last patch below a node, as in a full tree. */
KERNEL uint self_last_below(self_walk at) { return ((at.index + 1u) << (3u * at.level)) - 1u; }

/* The next node in preorder: its first child, or the next node outside its subtree; after the last node the root follows itself. */
KERNEL self_walk self_walk_on(BUFFERS m, self_walk at, bool enter) {
  self_walk to = at;
  if (enter) {
    --to.level;
    to.index = to.index << 3u;
    to.first -= self_nodes_of(m, to.level);
    return to;
  }
  ++to.index;
  while (to.level < U.self_top && ((to.index & 7u) == 0u || to.index == self_nodes_of(m, to.level))) {
    to.first += self_nodes_of(m, to.level);
    ++to.level;
    to.index = ((to.index - 1u) >> 3u) + 1u;
  }
  return to;
}

/* Whether a patch is compared with another one whose box overlaps its own. */
KERNEL bool self_is_far(BUFFERS m, weft_self_patch own, uint other, bool again, bool before) {
  bool skip = again && before && AT(SELF_CERTIFICATES, other).marked != 0u;
  for (uint k = 0u; !again && k < own.beside_count; ++k) {
    skip = skip || AT(SELF_ADJACENT, own.beside_first + k).second == other;
  }
  return !skip;
}

PASS(pass_self_find_patches) {
  uint part = self_part_of_patch(m, i);
  if (self_is_idle(m, part, pass.detection)) return;
  uint patches = part * U.self_patches;
  uint nodes = part * U.self_nodes;
  uint self = i - patches;
  weft_self_patch own_patch = AT(SELF_PATCHES, i);
  weft_self_certificate shape = AT(SELF_CERTIFICATES, i);
  bool again = pass.detection != 0u;
  if (again ? shape.marked == 0u : own_patch.body != 0u) return; /* all patches after those of bodies are bodies too */
  self_box own = self_box_in(AT(SELF_NODES, nodes + self));
  self_walk at;
  at.level = U.self_top;
  at.index = 0u;
  at.first = nodes + pass.level_first;
  bool walks = true;
  for (uint visited = 0u; walks && visited < WEFT_SELF_WALK; ++visited) {
    bool meet = false;
    if (again || self_last_below(at) > self) {
      meet = self_boxes_meet(own, self_box_in(AT(SELF_NODES, at.first + at.index)), shape.reach);
    }
    bool finds = meet && at.level == 0u && (again || at.index > self);
    if (finds && self_is_far(m, own_patch, patches + at.index, again, at.index < self)) {
      uint slot = self_take_place(m, part, WEFT_SELF_AT_PATCH_PAIRS + pass.detection, U.self_meets);
      if (slot != SELF_NO_PLACE) SET(SELF_PATCH_PAIRS, slot, self_two_of(i, patches + at.index));
    }
    bool enter = meet && at.level != 0u;
    at = self_walk_on(m, at, enter);
    walks = enter || at.level != U.self_top;
  }
  /* The traversal did not finish, whether the limit was reached or the driver cut the loop off. */
  if (walks) ATOMIC_OR(SELF_COUNTS, self_place(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_LONG_WALK);
}

#endif
