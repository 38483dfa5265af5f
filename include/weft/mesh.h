/* weft/mesh.h: positions and triangles, built in code or imported. */
#ifndef WEFT_MESH_H
#define WEFT_MESH_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the quads of a grid are cut into triangles. */
typedef enum weft_grid_pattern {
  WEFT_GRID_SAME_DIAGONAL = 0, /* every quad cut the same way: at most 6 edges at a vertex */
  WEFT_GRID_ALTERNATING,       /* union-jack, diagonals alternate: at most 8 edges at a vertex */
  WEFT_GRID_EQUILATERAL,       /* odd rows shifted by half a spacing, rows sqrt(3)/2 apart */
} weft_grid_pattern;

/* Which way the sheet lies in its rest pose. */
typedef enum weft_plane {
  WEFT_PLANE_XY = 0, /* hanging: columns along +x, rows along -y (row 0 on top) */
  WEFT_PLANE_XZ,     /* lying:   columns along +x, rows along +z */
} weft_plane;

/* Positions and triangles. Owned by the caller once a function below has filled it; free with
 * weft_mesh_free. Zero-initialised is the empty mesh. */
typedef struct weft_mesh {
  uint32_t vertex_count;
  uint32_t triangle_count;
  weft_vec3 *positions; /* [vertex_count], metres */
  uint32_t *triangles;  /* [3*triangle_count], counter-clockwise seen from the front */
  /* Set by weft_mesh_grid only (0 otherwise): vertex (row, column) is row*grid_columns + column.
   * The model uses it for the natural constraint order, warp/weft directions and shear. */
  uint32_t grid_rows, grid_columns;
  weft_grid_pattern grid_pattern;
  /* Set by weft_mesh_order, else NULL: which vertex and which triangle each was before. Pin lists,
   * messages and exported files go on using those numbers. */
  uint32_t *numbers;          /* [vertex_count] */
  uint32_t *triangle_numbers; /* [triangle_count] */
} weft_mesh;

void weft_mesh_free(weft_mesh *mesh); /* leaves the empty mesh; NULL is allowed */

/* A rectangular sheet. */
typedef struct weft_grid_desc {
  uint32_t rows, columns;    /* vertices; each at least 2. Default 64 */
  float width, height;       /* metres along columns and rows. Default 1. For the equilateral
                                pattern the height follows from width and rows */
  weft_grid_pattern pattern; /* default same diagonal */
  weft_plane plane;          /* default XY */
  weft_vec3 centre;          /* where the middle of the sheet lies, metres. Default origin */
} weft_grid_desc;
weft_result weft_mesh_grid(const weft_grid_desc *desc, weft_mesh *mesh, weft_error *err);

/* A flat disc in the XZ plane: concentric rings, nearly equal edges everywhere. With
 * inner_radius > 0 it becomes a ring, and with `poncho` shape a garment with a neck hole. */
typedef struct weft_disc_desc {
  float radius;       /* metres, default 0.5 */
  float inner_radius; /* metres, the hole, default 0 (none); less than radius */
  uint32_t rings;     /* from hole (or centre) to rim, at least 1. Default 32 */
  weft_vec3 centre;
} weft_disc_desc;
weft_result weft_mesh_disc(const weft_disc_desc *desc, weft_mesh *mesh, weft_error *err);

/* An open tube about the y axis: a skirt when the radii differ. Row 0 is the top. */
typedef struct weft_tube_desc {
  float top_radius, bottom_radius; /* metres, defaults 0.14 and 0.42 */
  float height;                    /* metres, default 0.55 */
  uint32_t rings;                  /* vertex rows, at least 2. Default 48 */
  uint32_t segments;               /* vertices around, at least 3. Default 128 */
  weft_vec3 centre_top;            /* centre of the top ring */
} weft_tube_desc;
weft_result weft_mesh_tube(const weft_tube_desc *desc, weft_mesh *mesh, weft_error *err);

/* A square (or rectangular) sheet in the XZ plane with a round neck hole in its middle. */
typedef struct weft_poncho_desc {
  float width, depth; /* metres, default 1.2 */
  float neck_radius;  /* metres, default 0.12 */
  uint32_t segments;  /* vertices around the neck, at least 8, a multiple of 4. Default 128 */
  uint32_t rings;     /* vertex rings from neck to hem, at least 2. Default 48 */
  weft_vec3 centre;
} weft_poncho_desc;
weft_result weft_mesh_poncho(const weft_poncho_desc *desc, weft_mesh *mesh, weft_error *err);

/* What to take from a file. */
typedef struct weft_import_desc {
  const char *groups;  /* comma-separated names of OBJ groups/objects; NULL takes everything */
  float scale;         /* multiplies positions (e.g. 0.1 for decimetres). Default 1 */
  float weld_distance; /* vertices closer than this become one, metres after scaling. Default 0:
                          only equal positions are welded */
  bool keep_defects;   /* for inspection: leave what weft_mesh_repair would mend, and the vertices
                          as the file has them, equal and (without groups) unused ones too */
} weft_import_desc;

/* Reads Wavefront OBJ with weft's own reader (file, line and reason for every refusal) and any
 * other format through the importer library when weft was built with it. Vertices are welded by
 * position, so texture seams do not split the cloth; unused vertices are dropped; zero-area and
 * repeated triangles are removed and flipped ones turned unless keep_defects. */
weft_result weft_mesh_import(const char *path, const weft_import_desc *desc, weft_mesh *mesh,
                             weft_error *err);

/* What reads formats other than OBJ in this build: "assimp 5.2.5", or that nothing does. */
const char *weft_mesh_importer(void);

/* Names of the groups and objects in an OBJ file, in file order with their face counts; each
 * string of *names and the array itself are freed with weft_mesh_groups_free. */
typedef struct weft_mesh_group {
  char *name;
  uint32_t face_count; /* polygons before triangulation */
} weft_mesh_group;
weft_result weft_mesh_groups(const char *path, weft_mesh_group **groups, uint32_t *count,
                             weft_error *err);
void weft_mesh_groups_free(weft_mesh_group *groups, uint32_t count);

/* Puts the vertices and triangles of a large mesh in an order in which neighbours lie close in
 * memory: several times faster than one at random. Returns false, and does nothing, where that is
 * no gain: for a grid, a mesh below 16,384 vertices, or one whose order is good already. The last
 * step: an ordered mesh can neither be repaired nor ordered again. */
bool weft_mesh_order(weft_mesh *mesh);
/* The number that a vertex had before weft_mesh_order; its own where that was not called. */
uint32_t weft_mesh_number(const weft_mesh *mesh, uint32_t vertex);

/* What a mesh suffers from and how big it is. */
typedef struct weft_mesh_report {
  uint32_t vertex_count, triangle_count;
  uint32_t edge_count, boundary_edges;
  uint32_t nonmanifold_edges;   /* shared by more than two triangles */
  uint32_t flipped_edges;       /* interior edges whose two triangles run the same way along it */
  uint32_t zero_area_triangles; /* area below 1e-6 of the mean, or repeated indices */
  uint32_t duplicate_triangles; /* same three vertices as an earlier one */
  uint32_t unused_vertices;
  uint32_t duplicate_positions; /* vertices at exactly the position of an earlier one */
  uint32_t components;          /* connected through shared vertices; unused ones not counted */
  float shortest_edge, longest_edge, mean_edge; /* metres */
  float smallest_angle;                         /* degrees */
  double area;                                  /* square metres */
  weft_vec3 box_min, box_max;
} weft_mesh_report;
void weft_mesh_inspect(const weft_mesh *mesh, weft_mesh_report *report);

/* Drops unused vertices, zero-area and duplicate triangles, and turns flipped triangles so that
 * each manifold component is consistently wound. Fills *changes (may be NULL) with what it found
 * before mending. Fails when no triangle is left, a position is not finite or a triangle names a
 * vertex that does not exist. */
weft_result weft_mesh_repair(weft_mesh *mesh, weft_mesh_report *changes, weft_error *err);

/* Writes an OBJ (temporary name, checked, renamed). positions replaces mesh->positions when not
 * NULL: the triangles of a model with the state of a solver. Nine significant digits, so that
 * reading it back gives the same floats. */
weft_result weft_mesh_export_obj(const char *path, const weft_mesh *mesh,
                                 const weft_vec3 *positions, weft_error *err);

/* The same for particles without triangles: a line ("l") for every pair of indices, and a point
 * ("p") for every vertex that no line has. */
weft_result weft_mesh_export_lines(const char *path, const weft_vec3 *positions, uint32_t count,
                                   const uint32_t *pairs, uint32_t pair_count, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
