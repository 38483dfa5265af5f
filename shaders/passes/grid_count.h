/* grid_count: how many particles each bucket holds. Sums of integers do not depend on the order. */
#ifndef WEFT_PASSES_GRID_COUNT_H
#define WEFT_PASSES_GRID_COUNT_H
#include "kernels/grid.h"

PASS(pass_grid_count) {
  uint bucket = grid_bucket(grid_cell(XYZ(AT(X, i)), U.inverse_cell), U.grid_mask);
  ATOMIC_ADD(GRID, bucket, 1u);
}

#endif
