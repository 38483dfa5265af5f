/* grid_count: twin of shaders/solver/grid_count.comp. */
#include "grid.h"

void weft_pass_grid_count(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t bucket = grid_bucket(u, grid_cell(u, ref->x[i]));
    ref->grid[bucket] += 1u;
  }
}
