/* gltf_file.h: a glTF 2.0 file as JSON and arrays of numbers.
 *
 * Format: Khronos glTF 2.0. The importer library reads it too, but forgets STEP and the tangents of
 * CUBICSPLINE; so skins and animations are read here. Every count is held against the bytes that
 * are there before anything is allocated. */
#ifndef WEFT_MOTION_GLTF_FILE_H
#define WEFT_MOTION_GLTF_FILE_H

#include <jansson.h>

#include "motion_internal.h"

typedef struct weft_gltf_buffer {
  const unsigned char *bytes;
  size_t length;
  void *owned; /* freed with the file; NULL where the bytes lie in it */
} weft_gltf_buffer;

typedef struct weft_gltf {
  const char *path; /* as it is given */
  json_t *root;
  weft_deferred *deferred; /* the root is released */
  char *bytes;             /* the whole file */
  size_t length;
  weft_gltf_buffer *buffers;
  size_t buffer_count;
  uint64_t byte_count; /* of the file and its buffers */
  uint64_t budget;     /* numbers that may still be read: accessors can share bytes */
  weft_error *err;
} weft_gltf;

weft_result weft_gltf_open(const char *path, weft_gltf *gltf, weft_error *err);
void weft_gltf_close(weft_gltf *gltf);

/* WEFT_ERROR_FORMAT with the file's name before the sentence. */
weft_result weft_gltf_refuse(const weft_gltf *gltf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What stands at an index of a list of the root; NULL where there is none. */
json_t *weft_gltf_item(const weft_gltf *gltf, const char *list, uint64_t index);
size_t weft_gltf_count(const weft_gltf *gltf, const char *list);

/* A whole number from 0, `fallback` where the key is absent; WEFT_GLTF_NONE for anything else. */
#define WEFT_GLTF_NONE UINT64_MAX
uint64_t weft_gltf_whole(const json_t *object, const char *key, uint64_t fallback);

/* count numbers of an array in an object; false where the key is there and is not that. Leaves
 * values as they are where the key is absent. */
bool weft_gltf_fixed(const json_t *object, const char *key, size_t count, double *values);

/* An accessor's elements of so many components, one after the other: *values is
 * [count * components] and freed with weft_free. Normalised integers become -1 to 1. `what` is for
 * messages. */
weft_result weft_gltf_numbers(weft_gltf *gltf, uint64_t accessor, uint32_t components,
                              const char *what, double **values, uint32_t *count);

#endif
