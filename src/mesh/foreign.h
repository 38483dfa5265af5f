/* foreign.h: files in formats other than OBJ, read by the importer library. */
#ifndef WEFT_MESH_FOREIGN_H
#define WEFT_MESH_FOREIGN_H

#include "mesh_internal.h"

/* By the extension or the first bytes. */
bool weft_foreign_format(const char *path, const char *bytes, size_t length);

/* How a file looks, beside its mesh. */
typedef struct weft_foreign_look {
  float (*uvs)[2];     /* [vertex_count] NAN for a vertex without; NULL where none has any */
  float (*colours)[3]; /* [vertex_count] so too */
  struct weft_foreign_name *parts; /* [part_count] a material, empty for none, and how many of the
                                      triangles have it, in their order */
  uint32_t part_count;
} weft_foreign_look;
void weft_foreign_look_free(weft_foreign_look *look);

/* All triangles of the file in world space, or those of named nodes, meshes and materials (commas
 * between; NULL: all); not welded, not mended. `look` may be NULL. */
weft_result weft_foreign_read(const char *path, const char *groups, float scale, weft_mesh *mesh,
                              weft_foreign_look *look, weft_error *err);

/* The names of nodes, meshes and materials that faces have, as weft_mesh_groups. */
weft_result weft_foreign_groups(const char *path, weft_mesh_group **groups, uint32_t *count,
                                weft_error *err);

/* WEFT_ERROR_FORMAT where a header counts more than the file has bytes for: PLY, STL, OFF, GLB. */
weft_result weft_foreign_check_header(const char *path, const char *bytes, size_t length,
                                      weft_error *err);

/* What the importer library says of a file, in weft's words. */
void weft_foreign_words(const char *said, char *reason, size_t size);

#endif
