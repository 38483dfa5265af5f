/* map.h: keeping the map of a mesh to its source true. */
#ifndef WEFT_MESH_MAP_H
#define WEFT_MESH_MAP_H

#include <weft/mesh.h>

/* Each vertex and each triangle is its own source from here on, where a mesh has no map yet. */
void weft_map_begin(weft_mesh *mesh);

/* Vertex v of `before` becomes to[v] of `after`, WEFT_NO_VERTEX for none. Of several that become
 * one, the first gives the number. Nothing without a map. */
void weft_map_vertices(weft_mesh_map *map, const uint32_t *to, uint32_t before, uint32_t after);

/* Triangle t is from now on what triangle from[t] was. Nothing without a map. */
void weft_map_triangles(weft_mesh_map *map, const uint32_t *from, uint32_t after);

/* Arrays of its own; of a mesh with so many vertices and triangles. */
weft_mesh_map weft_map_copy(const weft_mesh_map *map, uint32_t vertices, uint32_t triangles);
void weft_map_free(weft_mesh_map *map);

#endif
