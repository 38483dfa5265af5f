/* grid.h: a uniform grid without bounds, kept in a hash table (Teschner et al. 2003, "Optimized spatial hashing for
 * collision detection of deformable objects"). Several cells may share a bucket: a visit to a cell compares the real
 * coordinates of what it finds. Of integers, for scalars only. */
#ifndef WEFT_KERNELS_GRID_H
#define WEFT_KERNELS_GRID_H

KERNEL_STRUCT(grid_place)
  int x, y, z;
KERNEL_STRUCT_END(grid_place)

/* Far away, infinite or NaN: the outermost cell. */
KERNEL int grid_coordinate(real x, real inverse_cell) {
  precise real scaled = x * inverse_cell;
  if (!(ABS(scaled) < K(WEFT_GRID_REACH))) return scaled < K(0.0) ? -WEFT_GRID_LIMIT : WEFT_GRID_LIMIT;
  int cell = INT(scaled);
  real back = REAL(cell);
  return back > scaled ? cell - 1 : cell;
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
  cell.x = home.x + INT(k % 3u) - 1;
  cell.y = home.y + INT(k / 3u % 3u) - 1;
  cell.z = home.z + INT(k / 9u) - 1;
  return cell;
}

KERNEL bool grid_same(grid_place a, grid_place b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

KERNEL uint grid_bucket(grid_place cell, uint grid_mask) {
  uint x = UINT(cell.x) * 73856093u;
  uint y = UINT(cell.y) * 19349663u;
  uint z = UINT(cell.z) * 83492791u;
  return (x ^ y ^ z) & grid_mask;
}

#endif
