/* shape_mesh.h: a shape as triangles, with which edges and faces of cloth collide. */
#ifndef WEFT_SOLVER_SHAPE_MESH_H
#define WEFT_SOLVER_SHAPE_MESH_H

#include <weft/solver.h>

#include "pass.h"

/* Points as in weft_shape_path. Triangles face outwards. */
typedef struct weft_shape_mesh {
  uint32_t point_count, triangle_count;
  vec4 *points;        /* [point_count] */
  uint32_t *triangles; /* [3*triangle_count] */
} weft_shape_mesh;

/* Its requirements, m: the distance at which cloth vertices are held from the shape, the longest
 * edge of the cloth, and epsilon. */
typedef struct weft_shape_use {
  double thickness, edge, least;
} weft_shape_use;

/* m: repulsion distance of edges and faces from the triangles. */
double weft_shape_push(const weft_shape_use *use);
/* m: height of a flat triangle above the surface; 0 or less. */
double weft_shape_rise(const weft_shape_use *use);
/* False, without a mesh, for a plane, where vertices suffice, and for a shape too small compared
 * with epsilon. */
bool weft_shape_mesh_make(const weft_collider *shape, const weft_shape_use *use,
                          weft_shape_mesh *mesh);
void weft_shape_mesh_free(weft_shape_mesh *mesh);

#endif
