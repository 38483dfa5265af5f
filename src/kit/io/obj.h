/* obj.h: Wavefront OBJ as read from a file, before anything is cut, chosen or welded.
 *
 * Format: Wavefront Advanced Visualizer, appendix B1. Of it v, vt, vn, f, g, o, usemtl,
 * mtllib, s and the line continuation are read; every other keyword is passed over. */
#ifndef WEFT_IO_OBJ_H
#define WEFT_IO_OBJ_H

#include <weft_kit/source.h>

#include "mesh_internal.h"
#include "ply_properties.h"

/* A face is in one object at most, and in all groups its `g` line named. */
typedef struct weft_obj_face {
  uint32_t first;    /* into corners; it ends where the next face begins */
  uint32_t line;     /* for messages */
  uint32_t object;   /* name, UINT32_MAX for none or one that is among the groups too */
  uint32_t material; /* name, UINT32_MAX for none */
  uint32_t list;     /* group list */
} weft_obj_face;

typedef struct weft_obj_list {
  size_t first, count; /* into list_names */
} weft_obj_list;

typedef struct weft_obj {
  weft_vec3 *positions;
  float (*colours)[3];      /* as in weft_source; NULL where none is given */
  uint32_t *corners;        /* vertex numbers from 0 */
  uint32_t *corner_uvs;     /* of uvs, for each corner; WEFT_SOURCE_NONE for none */
  uint32_t *corner_normals; /* likewise of normals. Neither is sure to be in range */
  float (*uvs)[2];
  float *uv_depths; /* as in weft_source; NULL where none is given */
  weft_vec3 *normals;
  weft_source_line *lines;
  weft_obj_face *faces;
  char **names;         /* groups, objects and materials in file order, each once */
  bool *parts;          /* of each name: a group or object has it */
  uint32_t *list_names; /* names of all lists, one after the other */
  weft_obj_list *lists; /* one for each `g` line; list 0 is empty */
  size_t position_count, normal_count, line_count, uv_count, corner_count, face_count, name_count,
      list_name_count, list_count;
  bool loses_skin, loses_animation; /* of other formats: the file has what is not here */
  bool loses_alpha;
  weft_ply_properties ply; /* of PLY: as of weft_ply_read_properties */
} weft_obj;

/* A mesh file of any format; `scale` and what is sure as of weft_obj_read. */
weft_result weft_obj_load(const char *path, float scale, weft_obj *obj, weft_error *err);

/* Positions are multiplied by scale. On success every corner is in range and every position
 * finite. */
weft_result weft_obj_read(const char *path, const char *text, size_t length, double scale,
                          weft_obj *obj, weft_error *err);
void weft_obj_free(weft_obj *obj);

static inline uint32_t weft_obj_face_size(const weft_obj *obj, size_t face) {
  size_t end = face + 1 < obj->face_count ? obj->faces[face + 1].first : obj->corner_count;
  return (uint32_t)(end - obj->faces[face].first);
}

/* By which a face is chosen: of a name that groups or objects have, the material is none. */
static inline uint32_t weft_obj_material(const weft_obj *obj, weft_obj_face face) {
  return face.material != UINT32_MAX && !obj->parts[face.material] ? face.material : UINT32_MAX;
}

/* Whether somebody who says this means that name: names of other formats have _ for blanks where
 * OBJ has no room for them. */
bool weft_obj_is_named(const char *name, size_t name_length, const char *said, size_t length);

/* Cuts the faces that are marked, NULL for all, into triangles of a mesh with all vertices and a
 * map to them. */
void weft_obj_cut(const weft_obj *obj, const uint8_t *faces, weft_mesh *mesh);

/* Where every corner has a vertex of its own, those of an object that lie in one place along its
 * seams become one, and equal texture coordinates too: in the order in which faces use them. */
void weft_obj_join(weft_obj *obj);

/* A decimal number that fills [begin, end), rounded correctly whatever the locale; false for
 * anything else, "nan" and "inf" included. Overflow gives infinity. */
bool weft_text_number(const char *begin, const char *end, double *value);

/* WEFT_ERROR_FORMAT for what is known and no mesh can be read of, by its name or first bytes. */
weft_result weft_mesh_refuse_unread(const char *path, const char *bytes, size_t length,
                                    weft_error *err);

#endif
