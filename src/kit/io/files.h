/* files.h: files that are read, and their names in messages. */
#ifndef WEFT_IO_FILES_H
#define WEFT_IO_FILES_H

#include <string.h>

#include "base.h"

/* The end of a path too long for a message. */
static inline const char *weft_shown_path(const char *path) {
  size_t length = strlen(path);
  return length > 500 ? path + length - 500 : path;
}

/* A regular file for reading and its length; *file is closed with close(), -1 on failure. */
weft_result weft_file_open(const char *path, int *file, uint64_t *length, weft_error *err);

/* The whole file; *bytes is freed with weft_free. */
weft_result weft_mesh_load(const char *path, char **bytes, size_t *length, weft_error *err);

#endif
