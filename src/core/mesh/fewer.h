/* fewer.h: a closed mesh with fewer triangles, for pictures in which more cannot be seen. */
#ifndef WEFT_MESH_FEWER_H
#define WEFT_MESH_FEWER_H

#include <weft/mesh.h>

/* *triangles, [3 * *count], freed with weft_free, name some of the mesh's vertices: edges shorter
 * than this many metres are gone where the surface is flat enough. All triangles of a mesh that is
 * not closed. */
void weft_mesh_fewer(const weft_mesh *mesh, double edge, uint32_t **triangles, uint32_t *count);

#endif
