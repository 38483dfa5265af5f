// grid.glsl: a uniform grid without bounds, kept in a hash table (Teschner et al. 2003, "Optimized
// spatial hashing for collision detection of deformable objects"). Several cells may share a bucket:
// whoever visits a cell compares the real coordinates of what it finds.

// Far away, infinite or NaN: the outermost cell.
int grid_coordinate(float x) {
  precise float scaled = x * u.inverse_cell;
  if (!(abs(scaled) < WEFT_GRID_REACH)) return scaled < 0.0 ? -WEFT_GRID_LIMIT : WEFT_GRID_LIMIT;
  int cell = int(scaled);
  float back = float(cell);
  return back > scaled ? cell - 1 : cell;
}

ivec3 grid_cell(vec3 p) {
  return ivec3(grid_coordinate(p.x), grid_coordinate(p.y), grid_coordinate(p.z));
}

uint grid_bucket(ivec3 cell) {
  uint x = uint(cell.x) * 73856093u;
  uint y = uint(cell.y) * 19349663u;
  uint z = uint(cell.z) * 83492791u;
  return (x ^ y ^ z) & u.grid_mask;
}
