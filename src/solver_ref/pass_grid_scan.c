/* grid_scan: twin of shaders/solver/grid_scan.comp. */
#include "ref.h"

void weft_pass_grid_scan(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t begin = d->pass.level_first + WEFT_GRID_BLOCK * i;
    uint32_t sum = 0u;
    if (d->pass.above_first != WEFT_GRID_TOP) sum = ref->grid[d->pass.above_first + i];
    for (uint32_t k = 0u; k < WEFT_GRID_BLOCK; ++k) {
      uint32_t entry = ref->grid[begin + k];
      ref->grid[begin + k] = sum;
      sum += entry;
    }
  }
}
