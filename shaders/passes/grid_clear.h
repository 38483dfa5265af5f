/* grid_clear: empty every bucket of the grid. */
#ifndef WEFT_PASSES_GRID_CLEAR_H
#define WEFT_PASSES_GRID_CLEAR_H

PASS(pass_grid_clear) { SET(GRID, i, 0u); }

#endif
