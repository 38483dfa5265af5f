/* builders.h: functions common to mesh builders: validation of sizes, the diagonals of grids,
 * and bands between vertex rings. */
#ifndef WEFT_MESH_BUILDERS_H
#define WEFT_MESH_BUILDERS_H

#include "mesh_internal.h"

/* An error for a size that is not within [1e-6, 1e6] metres. */
weft_result weft_check_size(const char *what, float metres, weft_error *err);
weft_result weft_check_centre(weft_vec3 centre, weft_error *err);

/* An error for more than WEFT_MESH_MAX_VERTICES, else allocates both arrays. */
weft_result weft_mesh_reserve(weft_mesh *mesh, uint64_t vertex_count, uint64_t triangle_count,
                              weft_error *err);

/* True where the diagonal of a grid's cell runs from its first corner to its last. */
bool weft_grid_cut_from_first(weft_grid_pattern pattern, uint32_t row, uint32_t column);
/* The triangles of a grid, [6*(rows - 1)*(columns - 1)], cell by cell. */
void weft_grid_cut(uint32_t rows, uint32_t columns, weft_grid_pattern pattern, uint32_t *t);

/* Part of a closed ring of vertices: edges offset .. offset+edges of a ring of `count` vertices
 * numbered from `first`. `phase` is the position of its first vertex, in half edges. */
typedef struct weft_ring {
  uint32_t first, count;
  uint32_t offset, edges;
  uint32_t phase;
} weft_ring;

/* Fills the band between two rings with inner.edges + outer.edges triangles, written from
 * mesh->triangles[3*at] on; returns the triangle after the last. Rings turn counter-clockwise
 * seen from the front, the second one outside. */
uint32_t weft_mesh_stitch(weft_mesh *mesh, uint32_t at, weft_ring inner, weft_ring outer);

#endif
