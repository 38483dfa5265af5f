/* obj_cut.c: from polygons to a mesh. */
#include "map.h"
#include "obj.h"
#include "polygon.h"

static uint32_t triangles_of(const weft_obj *obj, const uint8_t *faces, size_t face) {
  return !faces || faces[face] ? weft_obj_face_size(obj, face) - 2 : 0;
}

/* Vertices are as the file has them; each triangle comes from a face. */
static void map_faces(const weft_obj *obj, const uint8_t *faces, weft_mesh *mesh) {
  weft_map_begin(mesh);
  mesh->map.source_face_count = (uint32_t)obj->face_count;
  uint32_t *out = mesh->map.faces;
  for (uint32_t f = 0; f < obj->face_count; ++f) {
    for (uint32_t k = triangles_of(obj, faces, f); k > 0; --k) *out++ = f;
  }
}

static void cut_faces(const weft_obj *obj, const uint8_t *faces, weft_mesh *mesh) {
  size_t triangles = 0;
  for (size_t f = 0; f < obj->face_count; ++f) triangles += triangles_of(obj, faces, f);
  mesh->triangles = weft_alloc(3 * triangles, sizeof *mesh->triangles);
  weft_cutter cutter;
  weft_cutter_start(&cutter);
  uint32_t *out = mesh->triangles;
  for (size_t f = 0; f < obj->face_count; ++f) {
    if (triangles_of(obj, faces, f) == 0) continue;
    uint32_t size = weft_obj_face_size(obj, f);
    weft_polygon_cut(&cutter, obj->positions, obj->corners + obj->faces[f].first, size, out);
    out += 3 * (size_t)(size - 2);
  }
  weft_cutter_free(&cutter);
  mesh->triangle_count = (uint32_t)triangles;
}

void weft_obj_cut(const weft_obj *obj, const uint8_t *faces, weft_mesh *mesh) {
  *mesh = (weft_mesh){.vertex_count = (uint32_t)obj->position_count};
  mesh->positions = weft_alloc(obj->position_count, sizeof *mesh->positions);
  if (obj->position_count > 0) {
    memcpy(mesh->positions, obj->positions, obj->position_count * sizeof *mesh->positions);
  }
  cut_faces(obj, faces, mesh);
  map_faces(obj, faces, mesh);
}
