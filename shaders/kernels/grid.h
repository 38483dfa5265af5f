/* grid.h: a uniform grid without bounds, kept in a hash table (Teschner et al. 2003, "Optimized spatial hashing for
 * collision detection of deformable objects"). Several cells may share a bucket: a visit to a cell compares the real
 * coordinates of what it finds. Coordinates are integers that wrap below 0. */
#ifndef WEFT_KERNELS_GRID_H
#define WEFT_KERNELS_GRID_H

KERNEL_STRUCT(grid_place)
  uint x, y, z;
KERNEL_STRUCT_END(grid_place)

/* Far away, infinite or NaN: the outermost cell. */
KERNEL uint grid_coordinate(real x, real inverse_cell) {
  precise real scaled = x * inverse_cell;
  real outermost = SELECT(scaled < K(0.0), K(-WEFT_GRID_REACH), K(WEFT_GRID_REACH));
  scaled = SELECT(ABS(scaled) < K(WEFT_GRID_REACH), scaled, outermost);
  real back = REAL(INT(scaled));
  precise real below = back - K(1.0);
  real cell = SELECT(back > scaled, below, back);
  return UINT(INT(cell));
}

KERNEL grid_place grid_cell(real3 p, real inverse_cell) {
  grid_place cell;
  cell.x = grid_coordinate(p.x, inverse_cell);
  cell.y = grid_coordinate(p.y, inverse_cell);
  cell.z = grid_coordinate(p.z, inverse_cell);
  return cell;
}

/* The k-th of the 27 cells around one. */
KERNEL grid_place grid_around(grid_place home, uint k) {
  grid_place cell;
  cell.x = home.x + UINT(k % 3u) - 1u;
  cell.y = home.y + UINT(k / 3u % 3u) - 1u;
  cell.z = home.z + UINT(k / 9u) - 1u;
  return cell;
}

/* Whether a cell has these coordinates. */
KERNEL mask grid_is_around(grid_place home, uint k, grid_place cell) {
  uint x = cell.x - home.x + 1u;
  uint y = cell.y - home.y + 1u;
  uint z = cell.z - home.z + 1u;
  uint number = x + 3u * y + 9u * z;
  return AND(AND(x < 3u, y < 3u), AND(z < 3u, number == k));
}

KERNEL uint grid_bucket(grid_place cell, uint grid_mask) {
  uint x = cell.x * 73856093u;
  uint y = cell.y * 19349663u;
  uint z = cell.z * 83492791u;
  return (x ^ y ^ z) & grid_mask;
}

#endif
