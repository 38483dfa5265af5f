/* grid_fill: sorts particles into their buckets, in any order. Each increments its bucket's start, so afterwards the entry of a bucket is its end,
 * and the entry before it is its start. */
#ifndef WEFT_PASSES_GRID_FILL_H
#define WEFT_PASSES_GRID_FILL_H
#include "kernels/grid.h"

PASS(pass_grid_fill) {
  uint bucket = grid_bucket(grid_cell(XYZ(AT(X, i)), U.inverse_cell), U.grid_mask);
  uint place = ATOMIC_ADD(GRID, bucket, 1u);
  SET(GRID_LOOSE, place, i);
}

#endif
