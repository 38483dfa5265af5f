/* load.c: files as bytes, and meshes of all formats as weft_obj. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "foreign.h"
#include "obj.h"

static const uint64_t longest_file = INT32_MAX;

static weft_result read_all(int fd, const char *path, char *bytes, size_t length, weft_error *err) {
  for (size_t done = 0; done < length;) {
    ssize_t n = read(fd, bytes + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read: %s", path, strerror(errno));
    if (n == 0) return weft_fail(err, WEFT_ERROR_FILE, "%s: became shorter while read", path);
    done += (size_t)n;
  }
  return WEFT_OK;
}

static weft_result check_file(int fd, const char *path, struct stat *info, weft_error *err) {
  if (fd < 0 || fstat(fd, info) != 0) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read: %s", path, strerror(errno));
  }
  if (S_ISDIR(info->st_mode)) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read: is a directory", path);
  }
  if (!S_ISREG(info->st_mode)) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read: is not a regular file", path);
  }
  return WEFT_OK;
}

weft_result weft_file_open(const char *path, int *file, uint64_t *length, weft_error *err) {
  struct stat info = {0};
  /* O_NONBLOCK: opening a pipe without a writer would wait for ever. */
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  weft_result result = check_file(fd, weft_shown_path(path), &info, err);
  if (result != WEFT_OK && fd >= 0) close(fd);
  *file = result == WEFT_OK ? fd : -1;
  *length = (uint64_t)info.st_size;
  return result;
}

static void close_file(void *file) {
  const int fd = *(int *)file;
  if (fd >= 0) close(fd);
}

static weft_result read_file(const char *path, int *fd, char **bytes, size_t *length,
                             weft_error *err) {
  uint64_t size;
  weft_result result = weft_file_open(path, fd, &size, err);
  if (result != WEFT_OK) return result;
  if (size > longest_file) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: %llu bytes are too many; at most %llu",
                     weft_shown_path(path), (unsigned long long)size,
                     (unsigned long long)longest_file);
  }
  *length = (size_t)size;
  *bytes = weft_alloc(*length, 1);
  return read_all(*fd, weft_shown_path(path), *bytes, *length, err);
}

weft_result weft_mesh_load(const char *path, char **bytes, size_t *length, weft_error *err) {
  *bytes = NULL;
  *length = 0;
  int fd = -1;
  weft_deferred *deferred = weft_defer(close_file, &fd);
  weft_result result = read_file(path, &fd, bytes, length, err);
  weft_defer_end(deferred);
  close_file(&fd);
  if (result != WEFT_OK) {
    weft_free(*bytes);
    *bytes = NULL;
  }
  return result;
}

/* ---- meshes ---- */

static weft_result read_foreign(const char *path, const char *bytes, size_t length, weft_obj *obj,
                                weft_error *err) {
  weft_foreign_text text;
  weft_result result = weft_foreign_check_header(path, bytes, length, err);
  if (result == WEFT_OK) result = weft_foreign_read(path, &text, err);
  if (result != WEFT_OK) return result;
  result = weft_obj_read(weft_shown_path(path), text.obj.bytes, text.obj.count, 1, obj, err);
  weft_string_free(&text.obj);
  if (result != WEFT_OK) return result;
  obj->loses_skin = text.loses_skin;
  obj->loses_animation = text.loses_animation;
  obj->loses_alpha = text.loses_alpha;
  obj->ply = weft_ply_read_properties(bytes, length);
  if (weft_foreign_splits(path)) weft_obj_join(obj);
  return WEFT_OK;
}

/* After vertices in one place were joined, so that it is the same vertices in any unit. */
static weft_result scale_foreign(const char *path, float scale, weft_obj *obj, weft_error *err) {
  for (size_t v = 0; v < obj->position_count; ++v) {
    weft_vec3 p = obj->positions[v] = weft_v3_scale(obj->positions[v], scale);
    if (fabsf(p.x) <= 1e9f && fabsf(p.y) <= 1e9f && fabsf(p.z) <= 1e9f) continue;
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: vertex %zu is beyond 1e9 m",
                     weft_shown_path(path), v);
  }
  return WEFT_OK;
}

weft_result weft_obj_load(const char *path, float scale, weft_obj *obj, weft_error *err) {
  char *bytes;
  size_t length;
  *obj = (weft_obj){0};
  weft_result result = weft_mesh_load(path, &bytes, &length, err);
  if (result != WEFT_OK) return result;
  result = weft_mesh_refuse_unread(path, bytes, length, err);
  if (result != WEFT_OK) {
    weft_free(bytes);
    return result;
  }
  if (weft_foreign_format(path, bytes, length)) {
    result = read_foreign(path, bytes, length, obj, err);
    if (result == WEFT_OK && scale != 1) result = scale_foreign(path, scale, obj, err);
  } else {
    result = weft_obj_read(weft_shown_path(path), bytes, length, (double)scale, obj, err);
  }
  weft_free(bytes);
  if (result != WEFT_OK) weft_obj_free(obj);
  return result;
}
