/* level_restrict: twin of shaders/solver/level_restrict.comp. */
#include "level.h"

void weft_pass_level_restrict(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) level_restrict_node(ref, d->pass.first + g);
}
