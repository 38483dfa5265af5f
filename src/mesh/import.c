/* Import: from a file to a usable cloth mesh or a sentence. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foreign.h"
#include "map.h"
#include "obj.h"
#include "place.h"
#include "polygon.h"

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

weft_result weft_mesh_load(const char *path, char **bytes, size_t *length, weft_error *err) {
  *bytes = NULL;
  *length = 0;
  int fd;
  uint64_t size;
  weft_result result = weft_file_open(path, &fd, &size, err);
  if (result != WEFT_OK) return result;
  if (size > longest_file) {
    result = weft_fail(err, WEFT_ERROR_FILE, "%s: %llu bytes are too many; at most %llu",
                       weft_shown_path(path), (unsigned long long)size,
                       (unsigned long long)longest_file);
  } else {
    *length = (size_t)size;
    *bytes = weft_alloc(*length, 1);
    result = read_all(fd, weft_shown_path(path), *bytes, *length, err);
  }
  close(fd);
  if (result != WEFT_OK) {
    weft_free(*bytes);
    *bytes = NULL;
  }
  return result;
}

/* ---- choice of groups ---- */

static weft_result unknown_group(const char *path, const weft_obj *obj, const char *name,
                                 size_t length, weft_error *err) {
  char known[400] = "";
  size_t used = 0, listed = 0;
  for (; listed < obj->name_count; ++listed) {
    size_t n = strlen(obj->names[listed]);
    if (used + n + 3 > sizeof known - 40) break;
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", listed ? ", " : "",
                             obj->names[listed]);
  }
  if (listed < obj->name_count) {
    snprintf(known + used, sizeof known - used, "%s%zu more", listed ? ", and " : "",
             obj->name_count - listed);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: no group or object '%.*s'; it has %s",
                   weft_shown_path(path), (int)(length < 80 ? length : 80), name,
                   obj->name_count ? known : "none");
}

/* Marks the names of a comma-separated list; blanks around a name do not count. */
static weft_result choose_names(const char *path, const weft_obj *obj, const char *groups,
                                uint8_t *chosen, weft_error *err) {
  for (const char *at = groups;; ++at) {
    at += strspn(at, " \t");
    const char *end = at + strcspn(at, ",");
    size_t length = (size_t)(end - at);
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) --length;
    size_t n = 0;
    while (n < obj->name_count &&
           !(strlen(obj->names[n]) == length && memcmp(obj->names[n], at, length) == 0)) {
      ++n;
    }
    if (n == obj->name_count) return unknown_group(path, obj, at, length, err);
    chosen[n] = 1;
    at = end;
    if (*at == 0) return WEFT_OK;
  }
}

/* One byte a group list: does it hold a chosen name? */
static uint8_t *choose_lists(const weft_obj *obj, const uint8_t *chosen) {
  uint8_t *lists = weft_alloc(obj->list_count, 1);
  for (size_t l = 0; l < obj->list_count; ++l) {
    for (size_t i = 0; i < obj->lists[l].count; ++i) {
      lists[l] |= chosen[obj->list_names[obj->lists[l].first + i]];
    }
  }
  return lists;
}

/* One byte a face: is it wanted? */
static weft_result choose_faces(const char *path, const weft_obj *obj, const char *groups,
                                uint8_t **faces, weft_error *err) {
  *faces = weft_alloc(obj->face_count, 1);
  if (!groups) {
    memset(*faces, 1, obj->face_count);
    return WEFT_OK;
  }
  uint8_t *names = weft_alloc(obj->name_count, 1);
  weft_result result = choose_names(path, obj, groups, names, err);
  if (result == WEFT_OK) {
    uint8_t *lists = choose_lists(obj, names);
    for (size_t f = 0; f < obj->face_count; ++f) {
      weft_obj_face face = obj->faces[f];
      (*faces)[f] = lists[face.list] || (face.object != UINT32_MAX && names[face.object]);
    }
    weft_free(lists);
  }
  weft_free(names);
  return result;
}

/* ---- from polygons to a mesh ---- */

/* Vertices are as the file has them; each triangle comes from a face. */
static void map_faces(const weft_obj *obj, const uint8_t *faces, weft_mesh *mesh) {
  weft_map_begin(mesh);
  mesh->map.source_face_count = (uint32_t)obj->face_count;
  uint32_t *out = mesh->map.faces;
  for (uint32_t f = 0; f < obj->face_count; ++f) {
    uint32_t triangles = faces[f] ? weft_obj_face_size(obj, f) - 2 : 0;
    for (uint32_t k = 0; k < triangles; ++k) *out++ = f;
  }
}

static void cut_faces(const weft_obj *obj, const uint8_t *faces, weft_mesh *mesh) {
  size_t triangles = 0;
  for (size_t f = 0; f < obj->face_count; ++f) {
    triangles += faces[f] ? weft_obj_face_size(obj, f) - 2 : 0;
  }
  mesh->triangles = weft_alloc(3 * triangles, sizeof *mesh->triangles);
  weft_cutter cutter;
  weft_cutter_start(&cutter);
  uint32_t *out = mesh->triangles;
  for (size_t f = 0; f < obj->face_count; ++f) {
    if (!faces[f]) continue;
    uint32_t size = weft_obj_face_size(obj, f);
    weft_polygon_cut(&cutter, obj->positions, obj->corners + obj->faces[f].first, size, out);
    out += 3 * (size_t)(size - 2);
  }
  weft_cutter_free(&cutter);
  mesh->triangle_count = (uint32_t)triangles;
}

static weft_result import_obj(const char *path, const char *bytes, size_t length,
                              const weft_import_desc *desc, weft_mesh *mesh, weft_error *err) {
  weft_obj obj;
  weft_result result =
      weft_obj_read(weft_shown_path(path), bytes, length, (double)desc->scale, &obj, err);
  if (result != WEFT_OK) return result;
  uint8_t *faces;
  result = choose_faces(path, &obj, desc->groups, &faces, err);
  if (result == WEFT_OK) {
    cut_faces(&obj, faces, mesh);
    mesh->vertex_count = (uint32_t)obj.position_count;
    mesh->positions = obj.positions;
    obj.positions = NULL;
    map_faces(&obj, faces, mesh);
    if (mesh->triangle_count == 0) {
      result = weft_fail(err, WEFT_ERROR_MESH, "%s: group '%.80s' has no faces",
                         weft_shown_path(path), desc->groups);
    }
  }
  weft_free(faces);
  weft_obj_free(&obj);
  return result;
}

static weft_result import_foreign(const char *path, const char *bytes, size_t length,
                                  const weft_import_desc *desc, weft_mesh *mesh, weft_error *err) {
  weft_result result = weft_foreign_check_header(path, bytes, length, err);
  if (result == WEFT_OK)
    result = weft_foreign_read(path, desc->groups, desc->scale, mesh, NULL, err);
  if (result == WEFT_OK) weft_map_begin(mesh);
  return result;
}

static weft_result finish(const char *path, const weft_import_desc *desc, weft_mesh *mesh,
                          weft_error *err) {
  if (!desc->keep_defects || desc->groups) weft_mesh_drop_unused(mesh, NULL);
  if (desc->weld_distance > 0 || (desc->weld == WEFT_WELD_ALL && !desc->keep_defects)) {
    weft_mesh_weld(mesh, desc->weld_distance);
  } else if (desc->weld == WEFT_WELD_SEAMS && !desc->keep_defects) {
    weft_mesh_weld_seams(mesh);
  }
  if (desc->keep_defects) return WEFT_OK;
  weft_error inner = {0};
  weft_result result = weft_mesh_repair(mesh, NULL, &inner);
  if (result == WEFT_OK) return WEFT_OK;
  return weft_fail(err, result, "%s: %s", weft_shown_path(path), inner.message);
}

static bool is_within(weft_vec3 v, float most) {
  return fabsf(v.x) <= most && fabsf(v.y) <= most && fabsf(v.z) <= most;
}

static weft_result check_desc(const weft_import_desc *desc, weft_error *err) {
  if (!(desc->scale > 0 && desc->scale <= 1e9f)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "scale is %g; it must be positive, at most 1e9",
                     (double)desc->scale);
  }
  if ((unsigned)desc->weld > WEFT_WELD_NONE) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "weld %d does not exist", (int)desc->weld);
  }
  if ((unsigned)desc->up > WEFT_UP_Z) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "up %d does not exist", (int)desc->up);
  }
  if (!is_within(desc->turn, 1e5f) || !is_within(desc->move, 1e6f)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a mesh is turned by 1e5 rad and moved by 1e6 m at most");
  }
  if (!(desc->weld_distance >= 0 && desc->weld_distance <= 1e9f)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "weld distance is %g m; it must be 0 or more",
                     (double)desc->weld_distance);
  }
  return WEFT_OK;
}

weft_result weft_mesh_import(const char *path, const weft_import_desc *desc, weft_mesh *mesh,
                             weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_NEED(path);
  weft_import_desc d = desc ? *desc : (weft_import_desc){0};
  if (d.scale == 0) d.scale = 1;
  char *bytes;
  size_t length;
  weft_result result = check_desc(&d, err);
  if (result != WEFT_OK) return result;
  result = weft_mesh_load(path, &bytes, &length, err);
  if (result != WEFT_OK) return result;
  if (!weft_foreign_format(path, bytes, length)) {
    result = import_obj(path, bytes, length, &d, mesh, err);
  } else {
    result = import_foreign(path, bytes, length, &d, mesh, err);
  }
  weft_free(bytes);
  if (result == WEFT_OK) weft_place(&d, mesh->positions, mesh->vertex_count);
  if (result == WEFT_OK) result = finish(path, &d, mesh, err);
  if (result != WEFT_OK) weft_mesh_free(mesh);
  return result;
}

/* ---- listing ---- */

static void count_faces(const weft_obj *obj, weft_mesh_group *groups) {
  uint32_t *in_list = weft_alloc(obj->list_count, sizeof *in_list);
  for (size_t f = 0; f < obj->face_count; ++f) {
    ++in_list[obj->faces[f].list];
    if (obj->faces[f].object != UINT32_MAX) ++groups[obj->faces[f].object].face_count;
  }
  for (size_t l = 0; l < obj->list_count; ++l) {
    for (size_t i = 0; i < obj->lists[l].count; ++i) {
      groups[obj->list_names[obj->lists[l].first + i]].face_count += in_list[l];
    }
  }
  weft_free(in_list);
}

weft_result weft_mesh_groups(const char *path, weft_mesh_group **groups, uint32_t *count,
                             weft_error *err) {
  WEFT_NEED(groups);
  *groups = NULL;
  WEFT_NEED(count);
  *count = 0;
  WEFT_NEED(path);
  char *bytes;
  size_t length;
  weft_result result = weft_mesh_load(path, &bytes, &length, err);
  if (result != WEFT_OK) return result;
  weft_obj obj = {0};
  bool foreign = weft_foreign_format(path, bytes, length);
  if (foreign) {
    result = weft_foreign_check_header(path, bytes, length, err);
  } else {
    result = weft_obj_read(weft_shown_path(path), bytes, length, 1, &obj, err);
  }
  weft_free(bytes);
  if (result != WEFT_OK) return result;
  if (foreign) return weft_foreign_groups(path, groups, count, err);
  *count = (uint32_t)obj.name_count;
  *groups = weft_alloc(obj.name_count, sizeof **groups);
  for (size_t n = 0; n < obj.name_count; ++n) (*groups)[n].name = weft_strdup(obj.names[n]);
  count_faces(&obj, *groups);
  weft_obj_free(&obj);
  return WEFT_OK;
}

void weft_mesh_groups_free(weft_mesh_group *groups, uint32_t count) {
  for (uint32_t i = 0; groups && i < count; ++i) weft_free(groups[i].name);
  weft_free(groups);
}
