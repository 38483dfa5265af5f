/* weft/mesh.h: positions and triangles, built in code. weft_kit/import.h reads them from files.
 *
 * All functions that build a mesh fill *mesh, which is the empty mesh where they fail. They answer
 * WEFT_ERROR_ARGUMENT for lengths outside 1e-6 to 1e6 m, a centre further than 1e6 m from the
 * origin, counts below what is stated, and a mesh of more than 2^24 vertices or 2^26 triangles;
 * their descriptor may be NULL. */
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

/* Which way a sheet lies in its rest pose. */
typedef enum weft_plane {
  WEFT_PLANE_XY = 0, /* hanging: columns along +x, rows along -y (row 0 on top) */
  WEFT_PLANE_XZ,     /* lying: columns along +x, rows along +z */
} weft_plane;

/* No vertex: of a source, one that the mesh has not. */
#define WEFT_NO_VERTEX UINT32_MAX

/* What mending did to a source on its way to a mesh. */
typedef struct weft_mending {
  uint32_t vertices_welded; /* became one with an earlier vertex */
  uint32_t faces_dropped;   /* all of whose triangles had no area or doubled others */
  uint32_t faces_turned;    /* with a triangle that was turned over */
  uint32_t vertices_parted; /* of layers that lay on another (weft_mesh_separate_layers) */
  bool skin_lost;           /* the file binds vertices to bones, which a mesh does not keep */
  bool animation_lost;      /* the file moves something, which a mesh does not */
} weft_mending;

/* How a mesh lies in its source: the file it was imported from, or the mesh that weft_mesh_order or
 * weft_mesh_find_grid was given. Vertices and faces are counted from 0. Import begins one; welding,
 * dropping, turning and ordering keep it true. Pin lists, picks and messages count in numbers of
 * the source. All zero: each vertex and each triangle is its own source. */
typedef struct weft_mesh_map {
  uint32_t source_vertex_count, source_face_count;
  uint32_t *vertices; /* [source_vertex_count] the vertex of the mesh that each is: several may be
                         one; WEFT_NO_VERTEX where no face that was taken has it. One that only
                         dropped faces have is the nearest vertex of these that is left */
  uint32_t *numbers;  /* [vertex_count of the mesh] the vertex of the source that each is; of
                         several that were welded the lowest */
  uint32_t *faces;    /* [triangle_count of the mesh] the face that each was cut from */
  weft_mending mending;
} weft_mesh_map;

/* Positions and triangles. Zero-initialised it is the empty mesh. A mesh that a function below has
 * filled is freed with weft_mesh_free; one over arrays of the caller's own is not. */
typedef struct weft_mesh {
  uint32_t vertex_count;
  uint32_t triangle_count;
  weft_vec3 *positions; /* [vertex_count], metres */
  uint32_t *triangles;  /* [3*triangle_count] vertices, counter-clockwise seen from the front */
  /* Vertex (row, column) of a grid is row*grid_columns + column, and the model uses that for the
   * order of its constraints, warp and weft directions and shear. Set by weft_mesh_grid and
   * weft_mesh_find_grid; 0 for meshes that are no grid. */
  uint32_t grid_rows, grid_columns;
  weft_grid_pattern grid_pattern;
  weft_mesh_map map;
} weft_mesh;

/* Leaves the empty mesh. */
WEFT_API void weft_mesh_free(weft_mesh *mesh);

/* A mesh of its own with copies of the arrays, [vertex_count] metres and [3*triangle_count]
 * vertices: one that functions below may change. WEFT_ERROR_MESH for a position that is not finite
 * and a triangle that names a vertex it does not have. */
WEFT_API weft_result weft_mesh_from_arrays(const weft_vec3 *positions, uint32_t vertex_count,
                                           const uint32_t *triangles, uint32_t triangle_count,
                                           weft_mesh *mesh, weft_error *err);

/* A rectangular sheet. */
typedef struct weft_grid_desc {
  uint32_t rows, columns;    /* vertices, each at least 2. Default 64 */
  float width;               /* metres along columns. Default 1 */
  float height;              /* metres along rows. Default 1; not used by the equilateral pattern,
                                where it follows from width and counts */
  weft_grid_pattern pattern; /* default WEFT_GRID_SAME_DIAGONAL */
  weft_plane plane;          /* default WEFT_PLANE_XY */
  weft_vec3 centre;          /* metres, where the middle of the sheet lies. Default origin */
} weft_grid_desc;
WEFT_API weft_result weft_mesh_grid(const weft_grid_desc *desc, weft_mesh *mesh, weft_error *err);

/* A flat disc in the XZ plane, or a ring: concentric circles of vertices, nearly equal edges
 * everywhere. */
typedef struct weft_disc_desc {
  float radius;       /* metres. Default 0.5 */
  float inner_radius; /* metres, of the hole, at most 0.999 of the radius. Default 0: no hole */
  uint32_t rings;     /* circles from the hole or the centre to the rim, at least 1. Default 32 */
  weft_vec3 centre;   /* metres. Default origin */
} weft_disc_desc;
WEFT_API weft_result weft_mesh_disc(const weft_disc_desc *desc, weft_mesh *mesh, weft_error *err);

/* An open tube about the y axis: a skirt when the radii differ. Row 0 is the top. */
typedef struct weft_tube_desc {
  float top_radius;     /* metres. Default 0.14 */
  float bottom_radius;  /* metres. Default 0.42 */
  float height;         /* metres. Default 0.55 */
  uint32_t rings;       /* rows of vertices, at least 2. Default 48 */
  uint32_t segments;    /* vertices around, at least 3. Default 128 */
  weft_vec3 centre_top; /* metres, centre of the top row. Default origin */
} weft_tube_desc;
WEFT_API weft_result weft_mesh_tube(const weft_tube_desc *desc, weft_mesh *mesh, weft_error *err);

/* A rectangular sheet in the XZ plane with a round neck hole in its middle. */
typedef struct weft_poncho_desc {
  float width, depth; /* metres along x and z, at most 16 to 1. Default 1.2 */
  float neck_radius;  /* metres, at most 0.49 of the shorter side. Default 0.12 */
  uint32_t segments;  /* vertices around the neck, a multiple of 4, at least 8. Default 128 */
  uint32_t rings;     /* closed rows of vertices from neck to hem, at least 2. Default 48 */
  weft_vec3 centre;   /* metres. Default origin */
} weft_poncho_desc;
WEFT_API weft_result weft_mesh_poncho(const weft_poncho_desc *desc, weft_mesh *mesh,
                                      weft_error *err);

/* Marks the vertices of pieces that lie loose on the cloth, as buttons, zips and patches do, for
 * weft_model_desc.attached: pieces that share no vertex with the rest, have less than 2 % of the
 * area of the whole, and lie on one that has more: their vertices are in the mean no further from
 * it than half the diagonal of the piece's box, taken as half a mean edge of the cloth at least and
 * two at most. `attached` is [vertex_count] and is filled; returns how many pieces there are, 0 for
 * a mesh that is broken. */
WEFT_API uint32_t weft_mesh_find_attached(const weft_mesh *mesh, bool *attached);

/* Whether a mesh is a sheet of rows and columns, as a file may hold one in any order; it then
 * becomes the grid that weft_mesh_grid would have made, vertices and triangles in its order and
 * grid_rows, grid_columns and grid_pattern set, and is simulated as one. It is, where
 *   - it is one piece without holes, of two triangles for each cell;
 *   - cells are equal rectangles, to 0.5 % of their sides and diagonals and 1.5e-5 of the largest
 *     coordinate; the sheet may be bent;
 *   - the diagonals are those of the pattern same or alternating. A cell that is one face of its
 *     source (weft_mesh_map) is cut anew: all of them by the pattern same.
 * Of the ways in which rows and columns can lie, columns run along +x as far as may be (else down,
 * else along +z); rows then follow from the front of the triangles: down in a sheet that stands and
 * faces +z, along +z in one that lies and faces up. Returns false, and does nothing, for any other
 * mesh, for one that is a grid already and one that is broken. */
WEFT_API bool weft_mesh_find_grid(weft_mesh *mesh);

/* Puts the vertices and triangles of a large mesh in an order in which neighbours lie close in
 * memory (Cuthill and McKee 1969): several times faster than a random one. Returns false, and does
 * nothing, where that is no gain: for a grid, a mesh below 16,384 vertices, or one whose order is
 * good already; and for a mesh that is broken. */
WEFT_API bool weft_mesh_order(weft_mesh *mesh);
/* The number that a vertex has in the source of the mesh (weft_mesh_map); the vertex itself where
 * there is none and for one that does not exist. */
WEFT_API uint32_t weft_mesh_number(const weft_mesh *mesh, uint32_t vertex);
/* The same of a triangle: its face. */
WEFT_API uint32_t weft_mesh_face(const weft_mesh *mesh, uint32_t triangle);

/* What a mesh suffers from and how big it is. */
typedef struct weft_mesh_report {
  uint32_t vertex_count, triangle_count;
  uint32_t edge_count;
  uint32_t boundary_edges;      /* of one triangle */
  uint32_t nonmanifold_edges;   /* shared by more than two triangles */
  uint32_t flipped_edges;       /* interior edges whose two triangles run the same way along it */
  uint32_t zero_area_triangles; /* area below 1e-6 of the mean, or repeated vertices */
  uint32_t duplicate_triangles; /* same vertices as an earlier one or, of whole faces of the source,
                                   as an earlier face, whichever way they are wound */
  uint32_t unused_vertices;     /* named by no triangle */
  uint32_t duplicate_positions; /* vertices at exactly the position of an earlier one */
  uint32_t components;          /* connected through shared vertices; unused ones not counted */
  float shortest_edge, longest_edge, mean_edge; /* metres */
  float smallest_angle;                         /* degrees */
  double area;                                  /* square metres */
  weft_vec3 box_min, box_max;                   /* metres, the box around all vertices */
} weft_mesh_report;
/* Of a mesh with a triangle that names a vertex it does not have, only the counts of vertices and
 * triangles are told. */
WEFT_API void weft_mesh_inspect(const weft_mesh *mesh, weft_mesh_report *report);

/* Drops unused vertices, duplicate triangles and those without area, and turns flipped triangles so
 * that each manifold component is wound consistently. Fills *changes with what it found before
 * mending; `changes` may be NULL. WEFT_ERROR_MESH where no triangle is left, a position is not
 * finite or a triangle names a vertex it does not have. */
WEFT_API weft_result weft_mesh_repair(weft_mesh *mesh, weft_mesh_report *changes, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
