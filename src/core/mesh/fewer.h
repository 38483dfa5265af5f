/* fewer.h: a closed mesh with fewer triangles, for pictures that cannot show more. */
#ifndef WEFT_MESH_FEWER_H
#define WEFT_MESH_FEWER_H

#include <weft/mesh.h>

/* *triangles, [3 * *count], freed with weft_free, use some of the mesh's vertices: edges shorter
 * than this many metres are collapsed where the surface is flat enough. If the mesh is not
 * closed, all its triangles. */
void weft_mesh_fewer(const weft_mesh *mesh, double edge, uint32_t **triangles, uint32_t *count);

#endif
