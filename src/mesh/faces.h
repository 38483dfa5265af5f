/* faces.h: which polygon of a file a triangle was cut from. */
#ifndef WEFT_MESH_FACES_H
#define WEFT_MESH_FACES_H

#include <weft/mesh.h>

/* For each triangle that weft_mesh_import makes of these groups (NULL: of everything) with
 * keep_defects, the number of its face in the OBJ file, from 1: *faces is [*count] and freed with
 * weft_free. None for files of other formats, whose triangles are faces as they come. */
weft_result weft_mesh_faces(const char *path, const char *groups, uint32_t **faces, uint32_t *count,
                            weft_error *err);

#endif
