/* foreign.h: files in formats other than OBJ, read by the importer library in a process of its own.
 */
#ifndef WEFT_IO_FOREIGN_H
#define WEFT_IO_FOREIGN_H

#include "mesh_internal.h"

/* By the extension or the first bytes. */
bool weft_foreign_format(const char *path, const char *bytes, size_t length);

/* Whether the importer gives every corner of such a file a vertex of its own, whatever the file
 * has. By the extension. */
bool weft_foreign_splits(const char *path);

/* A file as OBJ text: every mesh where its node places it, under the names of both. */
typedef struct weft_foreign_text {
  weft_string obj; /* freed with weft_string_free */
  bool loses_skin, loses_animation, loses_alpha;
} weft_foreign_text;
weft_result weft_foreign_read(const char *path, weft_foreign_text *text, weft_error *err);

/* WEFT_ERROR_FORMAT where a header counts more than the file has bytes for: PLY, STL, OFF, GLB. */
weft_result weft_foreign_check_header(const char *path, const char *bytes, size_t length,
                                      weft_error *err);

/* What the importer library says of a file, in weft's words. */
void weft_foreign_words(const char *said, char *reason, size_t size);

#endif
