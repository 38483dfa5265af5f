/* level_prolong: twin of shaders/solver/level_prolong.comp. */
#include "level.h"

void weft_pass_level_prolong(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) level_prolong_node(ref, d->pass.first + g);
}
