/* uvs.c: texture coordinates of grids, and of files by the positions of their corners. */
#include "uvs.h"

#include <stdlib.h>

#include "files.h"
#include "obj.h"
#include "place.h"

float *weft_grid_uvs(const weft_mesh *mesh) {
  if (mesh->grid_rows < 2 || mesh->grid_columns < 2) return NULL;
  float *uvs = weft_alloc(6 * (size_t)mesh->triangle_count, sizeof *uvs);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    uint32_t row = mesh->triangles[c] / mesh->grid_columns;
    uint32_t column = mesh->triangles[c] % mesh->grid_columns;
    uvs[2 * c] = (float)column / (float)(mesh->grid_columns - 1);
    uvs[2 * c + 1] = 1 - (float)row / (float)(mesh->grid_rows - 1);
  }
  return uvs;
}

/* ---- of files ---- */

typedef struct place {
  weft_vec3 at;
  uint32_t face, uv;
} place;

static int by_position(const void *a, const void *b) {
  const weft_vec3 *p = &((const place *)a)->at, *q = &((const place *)b)->at;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->z != q->z ? (p->z < q->z ? -1 : 1) : 0;
}

/* Corners that have coordinates, by position; their number. */
static size_t sort_corners(const weft_obj *obj, place **places) {
  size_t count = 0;
  *places = weft_alloc(obj->corner_count, sizeof **places);
  for (uint32_t face = 0; face < obj->face_count; ++face) {
    for (uint32_t k = 0; k < weft_obj_face_size(obj, face); ++k) {
      size_t c = obj->faces[face].first + k;
      if (obj->corner_uvs[c] >= obj->uv_count) continue;
      (*places)[count++] = (place){obj->positions[obj->corners[c]], face, obj->corner_uvs[c]};
    }
  }
  qsort(*places, count, sizeof **places, by_position);
  return count;
}

/* The first at this position; the others follow. NULL: none. */
static const place *first_at(const place *places, size_t count, weft_vec3 at) {
  const place wanted = {at, 0, 0};
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (by_position(&places[middle], &wanted) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && by_position(&places[low], &wanted) == 0 ? places + low : NULL;
}

static const place *of_face(const place *first, const place *end, uint32_t face) {
  for (const place *p = first; p < end && by_position(p, first) == 0; ++p) {
    if (p->face == face) return p;
  }
  return NULL;
}

/* The face that has corners at all three positions. */
static bool find_triangle(const place *places, size_t count, const weft_vec3 at[3],
                          const place *corners[3]) {
  const place *first[3], *end = places + count;
  for (int k = 0; k < 3; ++k) {
    first[k] = first_at(places, count, at[k]);
    if (!first[k]) return false;
  }
  for (const place *p = first[0]; p < end && by_position(p, first[0]) == 0; ++p) {
    corners[0] = p;
    corners[1] = of_face(first[1], end, p->face);
    corners[2] = of_face(first[2], end, p->face);
    if (corners[1] && corners[2]) return true;
  }
  return false;
}

weft_result weft_obj_uvs(const char *path, const weft_import_desc *desc, const weft_vec3 *positions,
                         const uint32_t *triangles, uint32_t triangle_count, float **uvs,
                         weft_error *err) {
  weft_obj obj;
  *uvs = NULL;
  weft_result result = weft_obj_load(path, desc->scale > 0 ? desc->scale : 1, &obj, err);
  if (result != WEFT_OK) return result;
  weft_place(desc, obj.positions, (uint32_t)obj.position_count);
  place *places;
  size_t count = sort_corners(&obj, &places);
  uint32_t found = 0;
  *uvs = weft_alloc(6 * (size_t)triangle_count, sizeof **uvs);
  for (size_t t = 0; t < triangle_count; ++t) {
    const place *corners[3];
    const uint32_t *v = triangles + 3 * t;
    const weft_vec3 at[3] = {positions[v[0]], positions[v[1]], positions[v[2]]};
    if (!find_triangle(places, count, at, corners)) continue;
    for (size_t k = 0; k < 3; ++k) {
      memcpy(*uvs + 6 * t + 2 * k, obj.uvs[corners[k]->uv], 2 * sizeof(float));
    }
    found++;
  }
  weft_free(places);
  weft_obj_free(&obj);
  if (count > 0 && 2 * (uint64_t)found >= triangle_count) return WEFT_OK;
  weft_free(*uvs);
  *uvs = NULL;
  return weft_fail(err, WEFT_ERROR_MESH, "%s: %s", weft_shown_path(path),
                   count == 0 ? "it has no texture coordinates (vt)"
                              : "its texture coordinates are not those of these triangles");
}
