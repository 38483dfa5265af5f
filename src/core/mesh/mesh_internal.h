/* mesh_internal.h: what the files of this room share. */
#ifndef WEFT_MESH_INTERNAL_H
#define WEFT_MESH_INTERNAL_H

#include <math.h>
#include <string.h>
#include <weft/mesh.h>

#include "base.h"

/* 2^24 vertices: 32-bit corner numbers and arrays below 2^31 bytes suffice, with reserve. */
enum { WEFT_MESH_MAX_VERTICES = 1 << 24, WEFT_MESH_MAX_TRIANGLES = 1 << 26 };

static inline bool weft_v3_finite(weft_vec3 p) {
  return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

/* Whether all arrays that a mesh's counts need are present. */
static inline bool weft_mesh_is_whole(const weft_mesh *mesh) {
  return (mesh->positions || mesh->vertex_count == 0) &&
         (mesh->triangles || mesh->triangle_count == 0) &&
         (!mesh->map.numbers ||
          (mesh->map.vertices && (mesh->map.faces || mesh->triangle_count == 0)));
}
#define WEFT_NEED_MESH(mesh) \
  WEFT_NEED(mesh);           \
  if (!weft_mesh_is_whole(mesh)) return weft_missing(err, __func__, "an array of the " #mesh)

static inline bool weft_triangle_repeats(const uint32_t *t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/* With arrays of its own. What changes a mesh changes a copy of it and swaps the two, so that it is
 * as before where memory runs out. */
weft_mesh weft_mesh_copy(const weft_mesh *mesh);
void weft_mesh_swap(weft_mesh *a, weft_mesh *b);

/* WEFT_ERROR_MESH where a triangle names a vertex that does not exist. */
weft_result weft_check_indices(const weft_mesh *mesh, weft_error *err);

/* Marks triangles that repeat an index or whose area is below 1e-6 of the mean; returns how
 * many. */
uint32_t weft_mark_zero_area(const weft_mesh *mesh, uint8_t *marks);

/* Marks every triangle with the same vertices as an earlier one, and those of a face of the
 * source with the same vertices as an earlier face, whatever the winding; returns how many. */
uint32_t weft_mark_duplicates(const weft_mesh *mesh, uint8_t *marks);

/* Pieces connected by triangles: the lowest vertex of the piece of each vertex, freed with
 * weft_free. */
uint32_t *weft_mesh_pieces(const weft_mesh *mesh);

/* Drops unused vertices; the others keep their order. In the map of the mesh, vertex heirs[v]
 * replaces a dropped vertex v; `heirs` is NULL, or holds WEFT_NO_VERTEX, for no replacement. */
void weft_mesh_drop_unused(weft_mesh *mesh, const uint32_t *heirs);

/* Renumbers: vertex numbers[v] becomes vertex v, in the map of the mesh as well. */
void weft_mesh_renumber(weft_mesh *mesh, const uint32_t *numbers);

/* kept[v] becomes the earliest vertex that v coincides with (v itself when there is none); returns
 * how many vertices remain. */
uint32_t weft_weld_map(const weft_vec3 *positions, uint32_t count, float distance, uint32_t *kept);

/* Merges vertices at equal positions (distance 0, where -0 equals 0) or within `distance` of an
 * earlier kept one, keeping first occurrences in order. */
void weft_mesh_weld(weft_mesh *mesh, float distance);
/* The same along seams alone: coincident layers stay apart. For a mesh with the map that import
 * begins; a lone face on another becomes that other. */
void weft_mesh_weld_seams(weft_mesh *mesh);
/* Merges vertex v into kept[v], not above v, and sets kept[v] to its new number. */
void weft_mesh_weld_to(weft_mesh *mesh, uint32_t *kept);

#endif
