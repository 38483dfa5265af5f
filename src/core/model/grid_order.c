/* Visit classes on grids; grid_order.h explains what they are for. */
#include "grid_order.h"

#include <stdlib.h>

/* A vertex as a point of the integer lattice. In the equilateral pattern rows are skewed, so that
 * the three edge directions are the same in odd and even rows. */
typedef struct lattice_point {
  int64_t r, q;
} lattice_point;

static lattice_point lattice(const weft_mesh *grid, uint32_t vertex) {
  lattice_point p = {vertex / grid->grid_columns, vertex % grid->grid_columns};
  if (grid->grid_pattern == WEFT_GRID_EQUILATERAL) p.q += grid->grid_rows - p.r / 2;
  return p;
}

/* The step from a to b, swapped if needed so that a is the upper (or left) one. */
static lattice_point downward_step(lattice_point *a, lattice_point *b) {
  lattice_point step = {b->r - a->r, b->q - a->q};
  if (step.r > 0 || (step.r == 0 && step.q > 0)) return step;
  lattice_point swap = *a;
  *a = *b;
  *b = swap;
  return (lattice_point){-step.r, -step.q};
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

weft_grid_direction weft_grid_direction_of(const weft_mesh *grid, uint32_t a, uint32_t b) {
  int64_t columns = grid->grid_columns;
  int64_t dr = llabs(a / columns - b / columns), dc = llabs(a % columns - b % columns);
  if (grid->grid_pattern == WEFT_GRID_EQUILATERAL) return WEFT_GRID_OTHER;
  if (dr == 0 && dc == 1) return WEFT_GRID_ALONG_COLUMNS;
  if (dr == 1 && dc == 0) return WEFT_GRID_ALONG_ROWS;
  return dr == 1 && dc == 1 ? WEFT_GRID_DIAGONAL : WEFT_GRID_OTHER;
}

/* Pairs of one direction form straight chains; every other pair of a chain is of one class. */
static uint32_t pair_class(lattice_point a, lattice_point b) {
  lattice_point step = downward_step(&a, &b);
  int64_t direction = clamp(step.r, 0, 2) * 5 + clamp(step.q, -2, 2) + 2;
  int64_t place = step.r != 0 ? a.r / step.r : a.q / (step.q ? step.q : 1);
  return (uint32_t)(direction * 2 + (place & 1));
}

uint8_t weft_grid_pair_key(const weft_mesh *grid, uint32_t a, uint32_t b) {
  return (uint8_t)pair_class(lattice(grid, a), lattice(grid, b));
}

/* Where all edges of a direction have hinges of one shape, that shape is a two-by-two block in some
 * basis of the lattice; blocks whose corners agree modulo 2 never meet: 4 classes a direction. */
static uint32_t block_class(lattice_point a, lattice_point b) {
  lattice_point step = downward_step(&a, &b);
  int64_t direction = clamp(step.r, 0, 1) * 3 + clamp(step.q, -1, 1) + 1;
  return (uint32_t)(direction * 4 + (a.r & 1) * 2 + (a.q & 1));
}

/* Alternating diagonals: vertices are hubs (8 edges) or not (4 edges, axis-aligned). A hinge on an
 * axis-aligned edge holds one vertex that is no hub and three of the four hubs around it: an
 * L-tromino in the lattice of hubs. Two of them, opposite corners missing, tile a 2 by 3 rectangle,
 * and rectangles tile the plane in 6 positions: 6 classes for each way the missing corner can lie,
 * up-down or left-right. */
static uint32_t tromino_class(lattice_point centre, lattice_point hub) {
  int64_t i = (centre.r + centre.q) >> 1;
  int64_t j = (centre.r - centre.q + 3 * (INT64_C(1) << 40)) >> 1;
  lattice_point missing = {centre.r - hub.r, centre.q - hub.q};
  uint32_t sideways = missing.q != 0;
  /* Of the two trominoes, the one that lacks the upper (or right) hub lies one step along j. */
  if (missing.r < 0 || missing.q > 0) --j;
  return sideways * 6 + (uint32_t)(i & 1) * 3 + (uint32_t)(j % 3);
}

/* The end of the edge halfway between the opposite vertices, and the other end; false if there
 * is none, that is on diagonals and at borders of other patterns. */
static bool find_centre(const lattice_point edge[2], const lattice_point opposite[2], int *centre) {
  for (*centre = 0; *centre < 2; ++*centre) {
    lattice_point e = edge[*centre];
    if (2 * e.r == opposite[0].r + opposite[1].r && 2 * e.q == opposite[0].q + opposite[1].q) {
      return true;
    }
  }
  return false;
}

uint8_t weft_grid_hinge_key(const weft_mesh *grid, const uint32_t edge[2],
                            const uint32_t opposite[2]) {
  lattice_point e[2] = {lattice(grid, edge[0]), lattice(grid, edge[1])};
  lattice_point o[2] = {lattice(grid, opposite[0]), lattice(grid, opposite[1])};
  if (grid->grid_pattern != WEFT_GRID_ALTERNATING) return (uint8_t)block_class(e[0], e[1]);
  int centre;
  if (find_centre(e, o, &centre)) return (uint8_t)(4 + tromino_class(e[centre], e[1 - centre]));
  lattice_point corner = {e[0].r < e[1].r ? e[0].r : e[1].r, e[0].q < e[1].q ? e[0].q : e[1].q};
  return (uint8_t)((corner.r & 1) * 2 + (corner.q & 1));
}
