/* level_small: twin of shaders/solver/level_small.comp. */
#include "level.h"

void weft_pass_level_small(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t s = 0; s < d->pass.steps; ++s) {
    weft_level_step step = ref->level_steps[d->pass.first + s];
    for (uint32_t k = 0; k < step.count; ++k) {
      uint32_t i = step.first + k;
      if (step.kind == WEFT_LEVEL_RESTRICT) {
        level_restrict_node(ref, i);
      } else if (step.kind == WEFT_LEVEL_PROJECT) {
        level_project(ref->level_x, ref->level_base, ref->level_edges[i]);
      } else {
        level_prolong_node(ref, i);
      }
    }
  }
}
