/* map.h: keeps the map from a mesh to its source up to date. */
#ifndef WEFT_MESH_MAP_H
#define WEFT_MESH_MAP_H

#include <weft/mesh.h>

/* If a mesh has no map yet: maps each vertex and triangle to itself. */
void weft_map_begin(weft_mesh *mesh);

/* Vertex v of `before` becomes to[v] of `after`, WEFT_NO_VERTEX if it is dropped. Of several
 * that become one, the first gives the source. No effect without a map. */
void weft_map_vertices(weft_mesh_map *map, const uint32_t *to, uint32_t before, uint32_t after);

/* Triangle t takes the source of former triangle from[t]. No effect without a map. */
void weft_map_triangles(weft_mesh_map *map, const uint32_t *from, uint32_t after);

/* Copies the arrays of a mesh with so many vertices and triangles. */
weft_mesh_map weft_map_copy(const weft_mesh_map *map, uint32_t vertices, uint32_t triangles);
void weft_map_free(weft_mesh_map *map);

#endif
