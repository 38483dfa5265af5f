/* level_project: twin of shaders/solver/level_project.comp. */
#include "level.h"

void weft_pass_level_project(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    level_project(ref->level_x, ref->level_base, ref->level_edges[d->pass.first + g]);
  }
}
