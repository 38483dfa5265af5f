/* grid_clear: twin of shaders/solver/grid_clear.comp. */
#include "ref.h"

void weft_pass_grid_clear(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    ref->grid[i] = 0u;
  }
}
