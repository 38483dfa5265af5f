/* grid_order.h: visit classes for the colouring of grids. On a lattice, constraints of one
 * direction fall into translates of each other, and a class is chosen so that its members share no
 * particle. Only the colour count rests on this, never correctness: the colouring checks every
 * constraint, so a mesh that merely claims to be a grid is coloured validly too.
 *
 * Classes: 6 (same diagonal, equilateral) or 8 (alternating) for edges, 12 or 16 for hinges, each
 * equal to the largest number of constraints at one particle. */
#ifndef WEFT_MODEL_GRID_ORDER_H
#define WEFT_MODEL_GRID_ORDER_H

#include <weft/mesh.h>

/* How two vertices of a grid lie to each other. */
typedef enum weft_grid_direction {
  WEFT_GRID_ALONG_COLUMNS = 0, /* neighbours in a row: the direction in which columns count, warp */
  WEFT_GRID_ALONG_ROWS,        /* neighbours in a column: weft */
  WEFT_GRID_DIAGONAL,
  WEFT_GRID_OTHER,
} weft_grid_direction;
weft_grid_direction weft_grid_direction_of(const weft_mesh *grid, uint32_t a, uint32_t b);

uint8_t weft_grid_pair_key(const weft_mesh *grid, uint32_t a, uint32_t b);
uint8_t weft_grid_hinge_key(const weft_mesh *grid, const uint32_t edge[2],
                            const uint32_t opposite[2]);

#endif
