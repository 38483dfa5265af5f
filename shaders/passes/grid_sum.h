/* grid_sum: one level up the tree of the prefix sum: each block of one level (from level_first on) becomes an entry of the
 * next (from above_first on). The tree depends on the number of buckets only. */
#ifndef WEFT_PASSES_GRID_SUM_H
#define WEFT_PASSES_GRID_SUM_H

PASS(pass_grid_sum) {
  uint begin = pass.level_first + WEFT_GRID_BLOCK * i;
  uint sum = 0u;
  for (uint k = 0u; k < WEFT_GRID_BLOCK; ++k) sum += AT(GRID, begin + k);
  SET(GRID, pass.above_first + i, sum);
}

#endif
