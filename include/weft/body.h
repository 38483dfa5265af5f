/* weft/body.h: bodies: triangle meshes that push cloth, standing still or moving. */
#ifndef WEFT_BODY_H
#define WEFT_BODY_H

#include <weft/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_MAX_BODIES = 64 };

/* A body is made of triangles that cloth cannot pass, from either side: cloth that starts free of
 * it stays free of it, under the same certificate as cloth beside cloth (docs/method.md). Open
 * meshes will do. Its own triangles may cross each other, and bodies may cross each other.
 *
 * A body goes where it is told. Where cloth has no room to make way (between an arm and the chest)
 * it holds back those vertices of the body that would go through it; they come after as soon as
 * there is room. */
typedef struct weft_body {
  const weft_mesh *mesh;  /* required; metres. Solvers copy it. Its grid fields are not used */
  float friction_static;  /* mu_s against cloth, 0 to 1000. Default 0: frictionless */
  float friction_dynamic; /* mu_k, 0 to 1000; at most mu_s is physical. Default 0 */
  const char *name; /* for messages; solvers copy it. Default: "body 2" by its number, from 0 */
  float thickness;  /* m: how far cloth keeps away from it, at most 1. Default: as cloth from cloth,
                       weft_params.self_thickness */
} weft_body;

/* ---- what is fastened to a body ----
 *
 * Points bound to a surface go where it goes: a waistband with the hips, a brooch with the cloth.
 * For pins, bind where they are at the start, and before each frame give weft_solver_move_body and
 * weft_solver_move_pins what the frame shall end with. Nothing here knows a solver. */
typedef struct weft_binding weft_binding;

/* Binds each of the points, [count] metres, to the nearest triangle of the mesh that has an area,
 * of several as near to the first: to the point of the triangle nearest to it and, in the
 * triangle's own directions, to how far it is from there. Copies what it needs. The time of a point
 * grows with the logarithm of the triangles, where few of them are as near.
 * WEFT_ERROR_MESH for a mesh without area, or whose triangles name a vertex that does not exist;
 * WEFT_ERROR_NOT_FINITE for a point that is not finite. */
WEFT_API weft_result weft_binding_create(const weft_mesh *mesh, const weft_vec3 *points,
                                         uint32_t count, weft_binding **binding, weft_error *err);
WEFT_API void weft_binding_destroy(weft_binding *binding);

/* m: how far a point was from the mesh. 0 for a point that does not exist. */
WEFT_API double weft_binding_distance(const weft_binding *binding, uint32_t point);

/* Where the points, [count of them], are when the vertices of the mesh, [its vertex_count], are at
 * these positions, metres. A body that moves without changing its shape takes them along rigidly.
 * On a triangle that has lost its area a point has no direction to stand off: it lies on it. */
WEFT_API weft_result weft_binding_at(const weft_binding *binding, const weft_vec3 *positions,
                                     weft_vec3 *points, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
