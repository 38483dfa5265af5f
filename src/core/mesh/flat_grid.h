/* flat_grid.h: a sheet of rows and columns that surely does not meet itself, since it lies flat. */
#ifndef WEFT_MESH_FLAT_GRID_H
#define WEFT_MESH_FLAT_GRID_H

#include <weft/types.h>

/* Whether, seen along one of the axes, every quad of the grid is convex, all turn the same way, and
 * the outline of the whole never turns the other way. Then no two of its triangles have more in
 * common than their corners, whichever way quads are cut. For four corners of less than half a turn
 * each go around a point once, so nothing is covered twice near any point; then the outline turns
 * once (Whitney 1937), is the border of a convex piece of the plane, and the grid covers that
 * once. Exact; false also for grids that are curved, lean or have an outline that is not straight.
 * x: [rows * columns], row by row, finite. */
bool weft_grid_lies_flat(const weft_vec3 *x, uint32_t rows, uint32_t columns);

#endif
