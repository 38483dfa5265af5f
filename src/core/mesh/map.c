/* map.c: the source's vertex and face of each vertex and triangle of a mesh. */
#include "map.h"

#include <string.h>

#include "base.h"

static uint32_t *counted(uint32_t count) {
  uint32_t *items = weft_alloc(count, sizeof *items);
  for (uint32_t i = 0; i < count; ++i) items[i] = i;
  return items;
}

void weft_map_begin(weft_mesh *mesh) {
  weft_mesh_map *map = &mesh->map;
  if (map->numbers) return;
  map->source_vertex_count = mesh->vertex_count;
  map->source_face_count = mesh->triangle_count;
  map->vertices = counted(mesh->vertex_count);
  map->numbers = counted(mesh->vertex_count);
  map->faces = counted(mesh->triangle_count);
}

void weft_map_vertices(weft_mesh_map *map, const uint32_t *to, uint32_t before, uint32_t after) {
  if (!map->numbers) return;
  for (uint32_t s = 0; s < map->source_vertex_count; ++s) {
    if (map->vertices[s] != WEFT_NO_VERTEX) map->vertices[s] = to[map->vertices[s]];
  }
  uint32_t *numbers = weft_alloc(after, sizeof *numbers);
  for (uint32_t v = before; v-- > 0;) {
    if (to[v] != WEFT_NO_VERTEX) numbers[to[v]] = map->numbers[v];
  }
  weft_free(map->numbers);
  map->numbers = numbers;
}

void weft_map_triangles(weft_mesh_map *map, const uint32_t *from, uint32_t after) {
  if (!map->faces) return;
  uint32_t *faces = weft_alloc(after, sizeof *faces);
  for (uint32_t t = 0; t < after; ++t) faces[t] = map->faces[from[t]];
  weft_free(map->faces);
  map->faces = faces;
}

static uint32_t *copied(const uint32_t *items, size_t count) {
  if (!items) return NULL;
  uint32_t *copy = weft_alloc(count, sizeof *copy);
  if (count) memcpy(copy, items, count * sizeof *copy);
  return copy;
}

weft_mesh_map weft_map_copy(const weft_mesh_map *map, uint32_t vertices, uint32_t triangles) {
  weft_mesh_map copy = *map;
  copy.vertices = copied(map->vertices, map->source_vertex_count);
  copy.numbers = copied(map->numbers, vertices);
  copy.faces = copied(map->faces, triangles);
  return copy;
}

void weft_map_free(weft_mesh_map *map) {
  weft_free(map->vertices);
  weft_free(map->numbers);
  weft_free(map->faces);
  *map = (weft_mesh_map){0};
}

uint32_t weft_mesh_number(const weft_mesh *mesh, uint32_t vertex) {
  return mesh && mesh->map.numbers && vertex < mesh->vertex_count ? mesh->map.numbers[vertex]
                                                                  : vertex;
}

uint32_t weft_mesh_face(const weft_mesh *mesh, uint32_t triangle) {
  return mesh && mesh->map.faces && triangle < mesh->triangle_count ? mesh->map.faces[triangle]
                                                                    : triangle;
}
