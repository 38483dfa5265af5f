/* Import: from a file to a usable cloth mesh or a sentence. */
#include "files.h"
#include "map.h"
#include "obj.h"
#include "place.h"

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
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: no group, object or material '%.*s'; it has %s",
                   weft_shown_path(path), (int)(length < 80 ? length : 80), name,
                   obj->name_count ? known : "none");
}

static size_t trimmed(const char *at, size_t length) {
  while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) --length;
  return length;
}

static size_t find_name(const weft_obj *obj, const char *name, size_t length) {
  size_t n = 0;
  while (n < obj->name_count &&
         !weft_obj_is_named(obj->names[n], strlen(obj->names[n]), name, length)) {
    ++n;
  }
  return n;
}

/* The longest name that a list begins with, since names hold commas too; *end is the comma behind
 * it. name_count for none: *end is then the first comma. */
static size_t next_chosen(const weft_obj *obj, const char *at, const char **end) {
  const char *stop = at + strlen(at), *first = at + strcspn(at, ",");
  for (;;) {
    const size_t n = find_name(obj, at, trimmed(at, (size_t)(stop - at)));
    *end = stop;
    if (n < obj->name_count || stop == first) return n;
    do --stop;
    while (*stop != ',');
  }
}

/* Marks the names of a comma-separated list; blanks around a name do not count. */
static weft_result choose_names(const char *path, const weft_obj *obj, const char *groups,
                                uint8_t *chosen, weft_error *err) {
  for (const char *at = groups, *end;; at = end + 1) {
    at += strspn(at, " \t");
    const size_t n = next_chosen(obj, at, &end);
    if (n == obj->name_count) {
      return unknown_group(path, obj, at, trimmed(at, (size_t)(end - at)), err);
    }
    chosen[n] = 1;
    if (*end == 0) return WEFT_OK;
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

static bool is_chosen(const uint8_t *names, uint32_t name) {
  return name != UINT32_MAX && names[name];
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
      (*faces)[f] = lists[face.list] || is_chosen(names, face.object) ||
                    is_chosen(names, weft_obj_material(obj, face));
    }
    weft_free(lists);
  }
  weft_free(names);
  return result;
}

static weft_result take_faces(const char *path, weft_obj *obj, const char *groups, weft_mesh *mesh,
                              weft_error *err) {
  uint8_t *faces;
  weft_result result = choose_faces(path, obj, groups, &faces, err);
  if (result == WEFT_OK) {
    weft_obj_cut(obj, faces, mesh);
    mesh->map.mending.skin_lost = obj->loses_skin;
    mesh->map.mending.animation_lost = obj->loses_animation;
    if (mesh->triangle_count == 0) {
      result = weft_fail(err, WEFT_ERROR_MESH, "%s: group '%.80s' has no faces",
                         weft_shown_path(path), groups);
    }
  }
  weft_free(faces);
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
  WEFT_GUARD_FILL(mesh, err);
  WEFT_NEED(path);
  weft_import_desc d = desc ? *desc : (weft_import_desc){0};
  if (d.scale == 0) d.scale = 1;
  weft_obj obj = {0};
  weft_result result = check_desc(&d, err);
  if (result == WEFT_OK) result = weft_obj_load(path, d.scale, &obj, err);
  if (result == WEFT_OK) result = take_faces(path, &obj, d.groups, mesh, err);
  weft_obj_free(&obj);
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
    const uint32_t material = weft_obj_material(obj, obj->faces[f]);
    if (obj->faces[f].object != UINT32_MAX) ++groups[obj->faces[f].object].face_count;
    if (material != UINT32_MAX) ++groups[material].face_count;
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
  WEFT_GUARD_FILL(groups, err);
  WEFT_NEED(count);
  *count = 0;
  WEFT_NEED(path);
  weft_obj obj;
  weft_result result = weft_obj_load(path, 1, &obj, err);
  if (result != WEFT_OK) return result;
  *groups = weft_alloc(obj.name_count, sizeof **groups);
  for (size_t n = 0; n < obj.name_count; ++n) (*groups)[n].name = weft_strdup(obj.names[n]);
  count_faces(&obj, *groups);
  *count = (uint32_t)obj.name_count;
  weft_obj_free(&obj);
  return WEFT_OK;
}

void weft_mesh_groups_free(weft_mesh_group *groups, uint32_t count) {
  for (uint32_t i = 0; groups && i < count; ++i) weft_free(groups[i].name);
  weft_free(groups);
}
