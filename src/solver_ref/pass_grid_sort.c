/* grid_sort: twin of shaders/solver/grid_sort.comp. */
#include "grid.h"

void weft_pass_grid_sort(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t bucket = grid_bucket(u, grid_cell(u, ref->x[i]));
    uint32_t begin = bucket == 0u ? 0u : ref->grid[bucket - 1u];
    uint32_t end = ref->grid[bucket];
    if (end - begin > WEFT_GRID_MOST) continue;
    uint32_t rank = 0u;
    for (uint32_t k = begin; k < end; ++k) rank += ref->grid_loose[k] < i ? 1u : 0u;
    ref->grid_items[begin + rank] = i;
  }
}
