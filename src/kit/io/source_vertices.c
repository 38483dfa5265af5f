/* source_vertices.c: the vertices that are drawn of a file: pairs of a particle and a texture
 * coordinate. */
#include <string.h>
#include <weft_kit/source.h>

#include "mesh_internal.h"

/* While pairs are found. Those of one particle are a list, the first being its own number. */
typedef struct splitter {
  const weft_source *source;
  const weft_mesh *mesh;
  weft_source_vertices *v;
  uint32_t *next; /* 0: the last */
  bool *taken;
} splitter;

static uint32_t particle_of(const weft_mesh *mesh, uint32_t vertex) {
  return mesh->map.vertices ? mesh->map.vertices[vertex] : vertex;
}

static bool has_uv(const splitter *s, uint32_t vertex, const float uv[2]) {
  return s->v->uvs[vertex][0] == uv[0] && s->v->uvs[vertex][1] == uv[1];
}

static uint32_t vertex_for(splitter *s, uint32_t particle, const float uv[2]) {
  weft_source_vertices *v = s->v;
  uint32_t at = particle;
  if (!s->taken[at]) memcpy(v->uvs[at], uv, sizeof v->uvs[at]);
  s->taken[at] = true;
  while (!has_uv(s, at, uv) && s->next[at]) at = s->next[at];
  if (has_uv(s, at, uv)) return at;
  const uint32_t added = v->vertex_count++;
  s->next[at] = added;
  v->particles[added] = particle;
  memcpy(v->uvs[added], uv, sizeof v->uvs[added]);
  return added;
}

/* Of the first corner of the face that is this particle: another can only be one of an edge without
 * length. */
static const float *uv_in_face(const splitter *s, uint32_t face, uint32_t particle) {
  static const float none[2] = {0, 0};
  const weft_source *source = s->source;
  for (uint32_t c = source->face_first[face]; c < source->face_first[face + 1]; ++c) {
    if (particle_of(s->mesh, source->corners[c]) != particle) continue;
    const uint32_t uv = source->corner_uvs[c];
    return uv == WEFT_SOURCE_NONE ? none : source->uvs[uv];
  }
  return none;
}

static weft_result check(const weft_source *source, const weft_mesh *mesh, weft_error *err) {
  const weft_mesh_map *map = &mesh->map;
  const uint32_t vertices = map->vertices ? map->source_vertex_count : mesh->vertex_count;
  const uint32_t faces = map->faces ? map->source_face_count : mesh->triangle_count;
  if (vertices == source->vertex_count && faces == source->face_count) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "the mesh is of %u vertices and %u faces, and the source has %u and %u: of "
                   "another file",
                   vertices, faces, source->vertex_count, source->face_count);
}

weft_result weft_source_split(const weft_source *source, const weft_mesh *mesh,
                              weft_source_vertices *vertices, weft_error *err) {
  WEFT_NEED(vertices);
  *vertices = (weft_source_vertices){0};
  WEFT_GUARD_FILL(vertices, err);
  WEFT_NEED(source);
  WEFT_NEED_MESH(mesh);
  weft_result result = weft_check_indices(mesh, err);
  if (result == WEFT_OK) result = check(source, mesh, err);
  if (result != WEFT_OK) return result;
  const size_t corners = 3 * (size_t)mesh->triangle_count, most = mesh->vertex_count + corners;
  *vertices = (weft_source_vertices){.vertex_count = mesh->vertex_count,
                                     .triangle_count = mesh->triangle_count,
                                     .particles = weft_alloc(most, sizeof(uint32_t)),
                                     .uvs = weft_alloc(most, sizeof(float[2])),
                                     .triangles = weft_alloc(corners, sizeof(uint32_t))};
  splitter s = {.source = source,
                .mesh = mesh,
                .v = vertices,
                .next = weft_alloc(most, sizeof(uint32_t)),
                .taken = weft_alloc(most, sizeof(bool))};
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices->particles[i] = i;
  for (size_t c = 0; c < corners; ++c) {
    const uint32_t face = weft_mesh_face(mesh, (uint32_t)(c / 3)), at = mesh->triangles[c];
    vertices->triangles[c] = vertex_for(&s, at, uv_in_face(&s, face, at));
  }
  weft_free(s.next);
  weft_free(s.taken);
  return WEFT_OK;
}

void weft_source_vertices_free(weft_source_vertices *vertices) {
  if (!vertices) return;
  weft_free(vertices->particles);
  weft_free(vertices->uvs);
  weft_free(vertices->triangles);
  *vertices = (weft_source_vertices){0};
}
