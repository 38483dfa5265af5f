/* grid_fill: twin of shaders/solver/grid_fill.comp. */
#include "grid.h"

void weft_pass_grid_fill(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t bucket = grid_bucket(u, grid_cell(u, ref->x[i]));
    uint32_t place = ref->grid[bucket]++;
    ref->grid_loose[place] = i;
  }
}
