/* grid_sort: each particle counts its rank in its bucket, so that buckets are in ascending order whatever order grid_fill left. Overfull buckets
 * (WEFT_GRID_MAX) are skipped. */
#ifndef WEFT_PASSES_GRID_SORT_H
#define WEFT_PASSES_GRID_SORT_H
#include "kernels/grid.h"

PASS(pass_grid_sort) {
  uint bucket = grid_bucket(grid_cell(XYZ(AT(X, i)), U.inverse_cell), U.grid_mask);
  uint begin = 0u;
  if (bucket != 0u) begin = AT(GRID, bucket - 1u);
  uint end = AT(GRID, bucket);
  if (end - begin > WEFT_GRID_MAX) return;
  uint rank = 0u;
  for (uint k = begin; k < end; ++k) rank += AT(GRID_LOOSE, k) < i ? 1u : 0u;
  SET(GRID_ITEMS, begin + rank, i);
}

#endif
