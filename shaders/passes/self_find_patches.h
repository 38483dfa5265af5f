/* self_find_patches: a patch walks down the tree, in preorder, to the patches after its own whose boxes it meets, but for its neighbours. In a further
 * detection the patches walk that have particles whose motions were cut short since the last one, to all others and themselves. */
#ifndef WEFT_PASSES_SELF_FIND_PATCHES_H
#define WEFT_PASSES_SELF_FIND_PATCHES_H
#include "passes/self.h"

PASS(pass_self_find_patches) {
  uint part = SELF_PART_OF_PATCH(i);
  if (SELF_IDLE(part)) return;
  uint patches = part * U.self_patches;
  uint nodes = part * U.self_nodes;
  uint self = i - patches;
  weft_self_patch own_patch = AT(SELF_PATCHES, i);
  weft_self_certificate shape = AT(SELF_CERTIFICATES, i);
  bool again = pass.detection != 0u;
  if (again ? shape.marked == 0u : own_patch.body != 0u) return; /* behind bodies are bodies alone */
  self_box own = self_box_in(AT(SELF_NODES, nodes + self));
  uint top = U.self_top;
  uint level = top;
  uint index = 0u;
  uint first = nodes + pass.level_first;
  uint visited = 0u;
  bool walks = true;
  while (walks && visited < WEFT_SELF_WALK) {
    bool enter = false;
    uint last = ((index + 1u) << (3u * level)) - 1u;
    if (again || last > self) {
      bool meet = self_boxes_meet(own, self_box_in(AT(SELF_NODES, first + index)), shape.reach);
      enter = meet && level != 0u;
      if (meet && level == 0u && (again || index > self)) {
        uint other = patches + index;
        bool skip = again && index < self && AT(SELF_CERTIFICATES, other).marked != 0u;
        for (uint k = 0u; !again && k < own_patch.beside_count; ++k) {
          skip = skip || AT(SELF_ADJACENT, own_patch.beside_first + k).second == other;
        }
        if (!skip) SELF_LIST(part, WEFT_SELF_AT_PATCH_PAIRS + pass.detection, SELF_PATCH_PAIRS, U.self_meets, self_two_of(i, other))
      }
    }
    ++visited;
    if (enter) {
      --level;
      index = index << 3u;
      first -= ((U.self_patches - 1u) >> (3u * level)) + 1u;
      continue;
    }
    ++index;
    while (level < top && ((index & 7u) == 0u || index == ((U.self_patches - 1u) >> (3u * level)) + 1u)) {
      first += ((U.self_patches - 1u) >> (3u * level)) + 1u;
      ++level;
      index = ((index - 1u) >> 3u) + 1u;
    }
    walks = level != top;
    if (top == 0u) walks = false;
  }
  /* Also where a driver cut the loop off. */
  if (walks) ATOMIC_OR(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_LONG_WALK);
}

#endif
