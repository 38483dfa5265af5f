/* level_spread: twin of shaders/solver/level_spread.comp. */
#include "level.h"

void weft_pass_level_spread(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    const weft_level_parents *p = &ref->level_parents[i];
    if (p->nodes.x == WEFT_NO_PARENT) continue;
    vec4 particle = ref->x[i];
    weft_vec3 to = level_follow(ref, exact_xyz(particle), p);
    ref->x[i] = exact_vec4(to, particle.w);
  }
}
