/* An OBJ file a frame: body-%04d.obj. The folder says which numbers there are. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <weft_kit/import.h>

#include "files.h"
#include "motion_internal.h"
#include "obj.h"
#include "sequence.h"

/* A pattern taken apart: everything before the number and after it. */
typedef struct sequence {
  char *before, *after;
  int width; /* digits at least */
  uint32_t first, count;
  float scale;
  uint32_t vertex_count;
  uint64_t faces; /* hash of the first frame's */
} sequence;

static void free_sequence(void *self) {
  sequence *s = self;
  weft_free(s->before);
  weft_free(s->after);
  weft_free(s);
}

/* To be freed with weft_free. */
static char *frame_path(const sequence *s, uint32_t number) {
  weft_string path = {0};
  weft_string_add(&path, "%s%0*u%s", s->before, s->width, number, s->after);
  return path.bytes;
}

/* %d or %04d, once, in the last part of the path. */
static weft_result take_apart(const char *pattern, sequence *s, weft_error *err) {
  const char *percent = strchr(pattern, '%'), *slash = strrchr(pattern, '/');
  char *end;
  long width = percent[1] == '0' ? strtol(percent + 1, &end, 10) : 0;
  if (width == 0) end = (char *)(uintptr_t)(percent + 1);
  if (*end != 'd' || width > 9 || strchr(end, '%') || (slash && percent < slash)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "%s: the number of a frame is written %%d or %%04d, once, in the file's name",
                     weft_shown_path(pattern));
  }
  s->before = weft_strdup(pattern);
  s->before[percent - pattern] = 0;
  s->after = weft_strdup(end + 1);
  s->width = (int)width;
  return WEFT_OK;
}

/* ---- the numbers on disk ---- */

/* Whether a file's name is that of a frame: digits as printf would write them. */
static bool is_frame(const sequence *s, const char *name, uint32_t *number) {
  const char *slash = strrchr(s->before, '/'), *before = slash ? slash + 1 : s->before;
  size_t length = strlen(before);
  if (strncmp(name, before, length) != 0) return false;
  const char *digits = name + length;
  size_t count = strspn(digits, "0123456789");
  if (count == 0 || count > 9 || strcmp(digits + count, s->after) != 0) return false;
  char text[16];
  *number = (uint32_t)strtoul(digits, NULL, 10);
  snprintf(text, sizeof text, "%0*u", s->width, *number);
  return strncmp(text, digits, count) == 0 && text[count] == 0;
}

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static weft_result missing_frame(const sequence *s, uint32_t missing, uint32_t next,
                                 weft_error *err) {
  char *path = frame_path(s, missing), *later = frame_path(s, next);
  weft_result result =
      weft_fail(err, WEFT_ERROR_FILE, "%s is missing: the sequence goes on with %s",
                weft_shown_path(path), weft_shown_path(later));
  weft_free(path);
  weft_free(later);
  return result;
}

static weft_result check_numbers(const char *pattern, sequence *s, const uint32_t *numbers,
                                 size_t count, weft_error *err) {
  if (count == 0) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: no file has a name like this",
                     weft_shown_path(pattern));
  }
  if (count > WEFT_MOTION_MAX_FRAMES) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: %zu frames; at most %d", weft_shown_path(pattern),
                     count, WEFT_MOTION_MAX_FRAMES);
  }
  for (size_t k = 1; k < count; ++k) {
    if (numbers[k] == numbers[k - 1] + 1) continue;
    return missing_frame(s, numbers[k - 1] + 1, numbers[k], err);
  }
  s->first = numbers[0];
  s->count = (uint32_t)count;
  return WEFT_OK;
}

static void close_listing(void *listing) {
  if (*(DIR **)listing) closedir(*(DIR **)listing);
}

static weft_result find_frames(const char *pattern, sequence *s, weft_error *err) {
  const char *slash = strrchr(s->before, '/');
  char *folder = weft_strdup(slash ? s->before : ".");
  if (slash) folder[slash == s->before ? 1 : slash - s->before] = 0;
  DIR *listing = NULL;
  weft_deferred *deferred = weft_defer(close_listing, &listing);
  listing = opendir(folder);
  weft_free(folder);
  if (!listing) {
    weft_defer_end(deferred);
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read its folder: %s",
                     weft_shown_path(pattern), strerror(errno));
  }
  uint32_t *numbers = NULL, number;
  size_t count = 0, space = 0;
  for (struct dirent *entry; (entry = readdir(listing));) {
    if (!is_frame(s, entry->d_name, &number)) continue;
    weft_grow((void **)&numbers, &space, count + 1, sizeof *numbers);
    numbers[count++] = number;
  }
  weft_defer_end(deferred);
  closedir(listing);
  if (count) qsort(numbers, count, sizeof *numbers, compare_numbers);
  weft_result result = check_numbers(pattern, s, numbers, count, err);
  weft_free(numbers);
  return result;
}

bool weft_is_sequence(const char *path) { return strchr(path, '%') && access(path, F_OK) != 0; }

weft_result weft_sequence_list(const char *pattern, void (*see)(const char *path, void *user),
                               void *user, weft_error *err) {
  sequence *s = weft_alloc(1, sizeof *s);
  weft_result result = take_apart(pattern, s, err);
  if (result == WEFT_OK) result = find_frames(pattern, s, err);
  for (uint32_t k = 0; k < s->count && result == WEFT_OK; ++k) {
    char *path = frame_path(s, s->first + k);
    see(path, user);
    weft_free(path);
  }
  free_sequence(s);
  return result;
}

/* ---- frames ---- */

static uint64_t hash_faces(const weft_obj *obj) {
  uint64_t hash =
      weft_hash_bytes(WEFT_HASH_SEED, obj->corners, obj->corner_count * sizeof *obj->corners);
  for (size_t f = 0; f < obj->face_count; ++f) {
    hash = weft_hash_bytes(hash, &obj->faces[f].first, sizeof obj->faces[f].first);
  }
  return hash;
}

static weft_result read_obj(const sequence *s, const char *path, weft_obj *obj, weft_error *err) {
  char *bytes;
  size_t length;
  weft_result result = weft_mesh_load(path, &bytes, &length, err);
  if (result == WEFT_OK) {
    result = weft_obj_read(weft_shown_path(path), bytes, length, (double)s->scale, obj, err);
  }
  weft_free(bytes);
  return result;
}

static weft_result read_frame(void *self, uint32_t frame, weft_vec3 *positions, weft_error *err) {
  const sequence *s = self;
  char *path = frame_path(s, s->first + frame);
  weft_obj obj = {0};
  weft_result result = read_obj(s, path, &obj, err);
  if (result == WEFT_OK && obj.position_count != s->vertex_count) {
    result =
        weft_fail(err, WEFT_ERROR_FORMAT, "%s: it has %zu vertices, and the first frame has %u",
                  weft_shown_path(path), obj.position_count, s->vertex_count);
  }
  if (result == WEFT_OK && hash_faces(&obj) != s->faces) {
    result = weft_fail(err, WEFT_ERROR_FORMAT, "%s: its faces are not those of the first frame",
                       weft_shown_path(path));
  }
  if (result == WEFT_OK) {
    memcpy(positions, obj.positions, obj.position_count * sizeof *positions);
  }
  weft_obj_free(&obj);
  weft_free(path);
  return result;
}

static weft_result read_first(sequence *s, weft_mesh *mesh, weft_error *err) {
  char *path = frame_path(s, s->first);
  weft_obj obj = {0};
  const weft_import_desc import = {.scale = s->scale, .keep_defects = true};
  weft_result result = weft_mesh_import(path, &import, mesh, err);
  if (result == WEFT_OK) result = read_obj(s, path, &obj, err);
  s->vertex_count = mesh->vertex_count;
  s->faces = hash_faces(&obj);
  weft_obj_free(&obj);
  weft_free(path);
  return result;
}

static bool is_obj(const sequence *s) {
  size_t length = strlen(s->after);
  return length >= 4 &&
         (strcmp(s->after + length - 4, ".obj") == 0 || strcmp(s->after + length - 4, ".OBJ") == 0);
}

weft_result weft_sequence_open(const weft_motion_desc *desc, weft_mesh *mesh,
                               weft_motion_source *source, weft_error *err) {
  sequence *s = weft_alloc(1, sizeof *s);
  s->scale = desc->scale;
  weft_result result = take_apart(desc->motion, s, err);
  if (result == WEFT_OK && !is_obj(s)) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: the files of a sequence are .obj",
                       weft_shown_path(desc->motion));
  }
  if (result == WEFT_OK) result = find_frames(desc->motion, s, err);
  if (result == WEFT_OK) {
    result =
        weft_motion_even_times(desc->motion, s->count, 1 / desc->frames_per_second, source, err);
  }
  if (result == WEFT_OK) result = read_first(s, mesh, err);
  if (result != WEFT_OK) {
    free_sequence(s);
    return result;
  }
  source->kind = "OBJ files";
  source->file_start = s->first;
  source->self = s;
  source->free = free_sequence;
  source->frame = read_frame;
  return WEFT_OK;
}
