/* flat_grid.h: proves that a flat sheet of rows and columns does not intersect itself. */
#ifndef WEFT_MESH_FLAT_GRID_H
#define WEFT_MESH_FLAT_GRID_H

#include <weft/types.h>

/* Whether, projected along one of the axes, every quad of the grid is convex, all have the same
 * winding, and the outline of the whole never turns the other way. Then no two of its triangles
 * share more than their corners, whichever diagonals quads have. For four corners of less than
 * half a turn each surround a point once, so nothing is covered twice near any point; then the
 * outline turns once (Whitney 1937), is the border of a convex region of the plane, and the grid
 * covers that once. Exact; also false for grids that are curved, lean or have an outline that is
 * not straight. x: [rows * columns], row by row, finite. */
bool weft_grid_lies_flat(const weft_vec3 *x, uint32_t rows, uint32_t columns);

#endif
