/* grid_scan: one level down the tree of the prefix sum: each entry becomes the sum of all entries before it, those of
 * earlier blocks taken from the level above (from above_first on). */
#ifndef WEFT_PASSES_GRID_SCAN_H
#define WEFT_PASSES_GRID_SCAN_H

PASS(pass_grid_scan) {
  uint begin = pass.level_first + WEFT_GRID_BLOCK * i;
  uint sum = 0u;
  if (pass.above_first != WEFT_GRID_TOP) sum = AT(GRID, pass.above_first + i);
  for (uint k = 0u; k < WEFT_GRID_BLOCK; ++k) {
    uint entry = AT(GRID, begin + k);
    SET(GRID, begin + k, sum);
    sum += entry;
  }
}

#endif
