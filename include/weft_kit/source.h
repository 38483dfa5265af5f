/* weft_kit/source.h: what a mesh file holds beside the cloth, so that a result goes back into the
 * shape it came in: vertices in their number and order, polygons, texture coordinates, materials,
 * groups and names, unit and axis. weft_mesh_map (weft/mesh.h) leads from it to the mesh. */
#ifndef WEFT_KIT_SOURCE_H
#define WEFT_KIT_SOURCE_H

#include <weft_kit/import.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No texture coordinate, no normal: of a corner. */
#define WEFT_SOURCE_NONE UINT32_MAX

/* What a line of an OBJ file says of the faces after it. */
typedef enum weft_source_word {
  WEFT_SOURCE_GROUP = 0, /* g: names of groups */
  WEFT_SOURCE_OBJECT,    /* o: the name of an object */
  WEFT_SOURCE_MATERIAL,  /* usemtl: the name of a material */
  WEFT_SOURCE_LIBRARY,   /* mtllib: files of materials; they are not read */
  WEFT_SOURCE_SMOOTHING, /* s: a smoothing group */
} weft_source_word;

typedef struct weft_source_line {
  weft_source_word word;
  uint32_t face; /* it stands before this one; face_count for one behind all faces */
  char *text;    /* the rest of the line; may be empty */
} weft_source_line;

/* Zero-initialised it is empty. Filled by weft_source_read. Of a file that is no OBJ nodes are
 * objects, what is above them and meshes are groups, and there are no normals. */
typedef struct weft_source {
  uint32_t vertex_count, uv_count, normal_count, face_count, corner_count, line_count;
  weft_vec3 *positions;     /* [vertex_count] in the file's unit and axis */
  float (*colours)[3];      /* [vertex_count] red, green, blue as the file gives them, NAN for a
                               vertex without; NULL where no vertex has one */
  float (*uvs)[2];          /* [uv_count] */
  float *uv_depths;         /* [uv_count] the third number of each, NAN for one without; NULL where
                               none has one */
  weft_vec3 *normals;       /* [normal_count] */
  uint32_t *face_first;     /* [face_count + 1] face f has corners face_first[f] to below
                               face_first[f + 1], three at least */
  uint32_t *corners;        /* [corner_count] vertices */
  uint32_t *corner_uvs;     /* [corner_count] of uvs, or WEFT_SOURCE_NONE */
  uint32_t *corner_normals; /* [corner_count] of normals, or WEFT_SOURCE_NONE */
  weft_source_line *lines;  /* [line_count] in the order of the file */
  bool alpha_lost;          /* colours of vertices that are not opaque, in formats other than OBJ */
  char properties_lost[160]; /* what else vertices and faces of PLY have, commas between */
  char *path;                /* the file that it was read from; NULL for none */
  float colour_one; /* what the file writes for a colour of 1: 255 where it has bytes. 0: 1 */
  float scale;      /* metres a unit of the file */
  weft_up up;       /* the axis of the file that points up */
  weft_vec3 turn;   /* rad, by which the mesh begins turned (weft_import_desc) */
} weft_source;

/* Reads the whole of a file of any format, whatever groups `desc` chooses; scale, up and turn are
 * taken from it. Errors as of weft_mesh_import. `desc` may be NULL. */
WEFT_API weft_result weft_source_read(const char *path, const weft_import_desc *desc,
                                      weft_source *source, weft_error *err);
/* The same of a mesh that came from no file: its vertices in their order, its triangles, and for a
 * grid texture coordinates from 0 to 1 along its columns and up its rows. WEFT_ERROR_MESH for a
 * triangle that names a vertex that is not there. */
WEFT_API weft_result weft_source_from_mesh(const weft_mesh *mesh, weft_source *source,
                                           weft_error *err);
/* Leaves the empty source. */
WEFT_API void weft_source_free(weft_source *source);

/* Marks the vertices of all faces under a name: of a group or object (WEFT_SOURCE_GROUP or
 * WEFT_SOURCE_OBJECT, which are looked up together) or of a material. `marked` is [vertex_count];
 * others stay as they are. To pin them, name those that the mesh has in a WEFT_PIN_LIST: it counts
 * as the source does. WEFT_ERROR_ARGUMENT, with the names that there are, for one that the file
 * does not have. */
WEFT_API weft_result weft_source_select(const weft_source *source, weft_source_word word,
                                        const char *name, bool *marked, weft_error *err);
/* The same for vertices whose red, green and blue are each within so much of `rgb`, [3], in the
 * file's own numbers; where these are bytes, fractions from 0 to 1 do as well. Negative `within`: a
 * quarter of the whole. WEFT_ERROR_ARGUMENT, with colours that there are, where none is. */
WEFT_API weft_result weft_source_select_coloured(const weft_source *source, const float *rgb,
                                                 float within, bool *marked, weft_error *err);

/* Where the vertices of the file are once those of its mesh are at `positions`, metres: `placed`,
 * [vertex_count] in the file's unit and axes. That the mesh began turned or moved is not undone: it
 * is where the cloth is. Vertices that were welded move with the one they
 * became; those of no face stay where they are. WEFT_ERROR_ARGUMENT where the map is of another
 * source. */
WEFT_API weft_result weft_source_place(const weft_source *source, const weft_mesh_map *map,
                                       const weft_vec3 *positions, weft_vec3 *placed,
                                       weft_error *err);

/* What is drawn of a file: where texture coordinates have a seam, a particle is several vertices.
 * The members are those of weft_gl_drawing_desc (weft_gl/share.h). Zero-initialised it is empty.
 */
typedef struct weft_source_vertices {
  uint32_t vertex_count, triangle_count;
  uint32_t *particles; /* [vertex_count] of a model of the mesh, which are its vertices: first each
                          of them, then once more for every further coordinate that it has */
  float (*uvs)[2];     /* [vertex_count] as the file has them; 0 where it has none */
  uint32_t *triangles; /* [3*triangle_count] of these vertices: those of the mesh, in its order */
} weft_source_vertices;

/* Finds them for a mesh of the same file, *vertices to be freed. Equal coordinates of a particle
 * are one vertex. WEFT_ERROR_ARGUMENT where the mesh is of another source, WEFT_ERROR_MESH for a
 * triangle that names a vertex that is not there. */
WEFT_API weft_result weft_source_split(const weft_source *source, const weft_mesh *mesh,
                                       weft_source_vertices *vertices, weft_error *err);
/* Leaves the empty one. */
WEFT_API void weft_source_vertices_free(weft_source_vertices *vertices);

/* Writes the file again as OBJ with its vertices at `placed`, NULL: where they were. Written under
 * a temporary name and renamed, numbers with nine significant digits. Where the file has normals,
 * they are computed anew; corners of one vertex (or of several that `map` makes one) share a normal
 * where they did. `map` may be NULL. Material files that are there are named from where the file
 * goes; other names stay as they are. WEFT_ERROR_FILE
 * where it cannot be written, WEFT_ERROR_NOT_FINITE for a position that is not finite. */
WEFT_API weft_result weft_source_write_obj(const char *path, const weft_source *source,
                                           const weft_mesh_map *map, const weft_vec3 *placed,
                                           weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
