/* ray_cast.h: which collider or body lies under the mouse, once per press of a button, so that the
 * processor computes it. */
#ifndef WEFT_DEMO_RAY_CAST_H
#define WEFT_DEMO_RAY_CAST_H

#include <weft/solver.h>

/* How far along the ray, in metres from its origin, it enters the shape as it lies at a time;
 * negative: nowhere, and always so for planes, which cannot be dragged. */
float weft_demo_ray_cast(const weft_collider *collider, double time, const weft_ray *ray);
/* The same for triangles, from either side, whose vertices are at `positions`. */
float weft_demo_ray_cast_mesh(const weft_mesh *mesh, const weft_vec3 *positions,
                              const weft_ray *ray);

#endif
