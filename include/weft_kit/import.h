/* weft_kit/import.h: meshes from files. *mesh is the empty mesh where reading fails. */
#ifndef WEFT_KIT_IMPORT_H
#define WEFT_KIT_IMPORT_H

#include <weft/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which vertices at equal positions become one. */
typedef enum weft_weld {
  WEFT_WELD_SEAMS = 0, /* where edges of a surface meet, as where texture seams split it; layers
                          that lie on each other stay two */
  WEFT_WELD_ALL,
  WEFT_WELD_NONE,
} weft_weld;

/* Which axis of a file points up; x points to the same side in both. */
typedef enum weft_up {
  WEFT_UP_Y = 0, /* as in weft */
  WEFT_UP_Z,     /* x, y, z of the file are x, -z, y here */
} weft_up;

/* What to take from a file, and where to put it. */
typedef struct weft_import_desc {
  const char *groups; /* names of groups, objects (nodes with what hangs on them, meshes) or else of
                         materials; commas between. Default: everything */
  float scale;        /* multiplies positions into metres (0.1 for decimetres), above 0 to 1e9.
                         Default 1 */
  weft_up up;         /* the axis of the file that points up. Default y */
  weft_vec3 turn;     /* rad, -1e5 to 1e5: then turned about the origin, about x first, then y, then
                         z. Default: not at all */
  weft_vec3 move;     /* metres, -1e6 to 1e6: then moved by so much. Default: not at all */
  weft_weld weld;     /* default WEFT_WELD_SEAMS */
  float weld_distance; /* metres after scaling, at most 1e9: all vertices nearer to each other
                          become one, whatever `weld` says. Default 0 */
  bool keep_defects;   /* for inspection: leave what weft_mesh_repair would mend, and the vertices
                          as the file has them, equal and (without groups) unused ones too. Default
                          false */
} weft_import_desc;

/* Reads Wavefront OBJ with weft's own reader, other formats (glTF, PLY, STL, OFF, DAE, FBX and
 * more) in a process of the program weft (weft_mesh_set_reader). Vertices are welded, so texture
 * seams do not split the cloth; unused vertices are dropped; unless keep_defects is set, triangles
 * without area and repeated ones are removed and flipped ones turned. `desc` may be NULL.
 *
 * WEFT_ERROR_FILE for a file that cannot be read, and where that program cannot be started;
 * WEFT_ERROR_FORMAT, with file, line and reason, for contents that are broken; WEFT_ERROR_MESH
 * where no triangle is left; WEFT_ERROR_ARGUMENT for a group that the file does not have, a number
 * out of range. */
WEFT_API weft_result weft_mesh_import(const char *path, const weft_import_desc *desc,
                                      weft_mesh *mesh, weft_error *err);

/* Where the program weft is, which weft_mesh_import starts for formats other than OBJ: the importer
 * library then cannot harm the process that asks. NULL or never called: the environment variable
 * WEFT_PROGRAM, else `weft` on the search path. Not to be called while another thread imports. */
WEFT_API void weft_mesh_set_reader(const char *program);

/* A group, object or material; of other formats than OBJ a node, a mesh or a material. */
typedef struct weft_mesh_group {
  char *name;
  uint32_t face_count; /* polygons, before they are cut into triangles */
} weft_mesh_group;
/* Those of a file in its order: *groups is [*count] and freed with weft_mesh_groups_free. Errors as
 * of weft_mesh_import. */
WEFT_API weft_result weft_mesh_groups(const char *path, weft_mesh_group **groups, uint32_t *count,
                                      weft_error *err);
WEFT_API void weft_mesh_groups_free(weft_mesh_group *groups, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
