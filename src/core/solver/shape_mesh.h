/* shape_mesh.h: a shape as triangles, which edges and faces of cloth are held against. */
#ifndef WEFT_SOLVER_SHAPE_MESH_H
#define WEFT_SOLVER_SHAPE_MESH_H

#include <weft/solver.h>

#include "pass.h"

/* Points as in weft_shape_path. Triangles face out. */
typedef struct weft_shape_mesh {
  uint32_t point_count, triangle_count;
  vec4 *points;        /* [point_count] */
  uint32_t *triangles; /* [3*triangle_count] */
} weft_shape_mesh;

/* What it is for, m: how far vertices of the cloth are kept from the shape, the longest edge of the
 * cloth, and what floats can tell apart. */
typedef struct weft_shape_use {
  double thickness, edge, least;
} weft_shape_use;

/* m: edges and faces of cloth are kept so far from the triangles. */
double weft_shape_push(const weft_shape_use *use);
/* m: how far a flat face of them lies over the surface; 0 or less. */
double weft_shape_rise(const weft_shape_use *use);
/* False, and nothing is made, of what vertices alone hold all of (a plane), and of what is too
 * small for its triangles to be told apart. */
bool weft_shape_mesh_make(const weft_collider *shape, const weft_shape_use *use,
                          weft_shape_mesh *mesh);
void weft_shape_mesh_free(weft_shape_mesh *mesh);

#endif
