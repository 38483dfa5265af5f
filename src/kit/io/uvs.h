/* uvs.h: where a picture lies on a mesh: u, v of each corner of each triangle, v upwards. */
#ifndef WEFT_IO_UVS_H
#define WEFT_IO_UVS_H

#include <weft/mesh.h>
#include <weft_kit/import.h>

/* A grid from 0 to 1 along columns and up its rows; NULL for a mesh that is none.
 * [6*triangle_count], freed with weft_free. */
float *weft_grid_uvs(const weft_mesh *mesh);

/* Those that a file gives the corners of its faces, for triangles that were made of these
 * faces: corners are found by position, so welding, cutting and reordering do not matter. Scale and
 * place are those of `desc`. WEFT_ERROR_MESH where the file gives none, or less than half of the
 * triangles are found. */
weft_result weft_obj_uvs(const char *path, const weft_import_desc *desc, const weft_vec3 *positions,
                         const uint32_t *triangles, uint32_t triangle_count, float **uvs,
                         weft_error *err);

#endif
