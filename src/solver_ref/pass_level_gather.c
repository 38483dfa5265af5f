/* level_gather: twin of shaders/solver/level_gather.comp. */
#include "level.h"

void weft_pass_level_gather(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t begin = ref->level_offsets[i];
    uint32_t end = ref->level_offsets[i + 1];
    weft_vec3 mean = level_mean(ref->x, ref->level_children, begin, end);
    vec4 node = exact_vec4(mean, ref->level_x[i].w);
    ref->level_x[i] = node;
    ref->level_base[i] = node;
  }
}
