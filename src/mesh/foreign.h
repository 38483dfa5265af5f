/* foreign.h: formats other than OBJ, through the importer library. */
#ifndef WEFT_MESH_FOREIGN_H
#define WEFT_MESH_FOREIGN_H

#include "mesh_internal.h"

/* By extension, or by the first bytes where there is no telling extension. */
bool weft_foreign_format(const char *path, const char *bytes, size_t length);

/* Vertices as stored (seams not welded), only triangles, node transforms applied. */
weft_result weft_foreign_read(const char *path, float scale, weft_mesh *mesh, weft_error *err);

#endif
