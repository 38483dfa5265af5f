/* origin.h: the origin that buffers count positions from. Everything that comes in or goes out
 * counts from that of the model; here one becomes the other. */
#ifndef WEFT_SOLVER_ORIGIN_H
#define WEFT_SOLVER_ORIGIN_H

#include "pass.h"
#include "vec3d.h"

/* Vectors as a caller gives them, in either precision; both NULL: none. */
typedef struct weft_vectors {
  const weft_vec3 *single;
  const double *wide; /* three each */
} weft_vectors;
bool weft_vectors_given(const weft_vectors *v);
weft_vec3d weft_vectors_at(const weft_vectors *v, uint32_t i);

/* How far the origin goes for cloth between two corners: a multiple of 1/64 m on each axis,
 * 0 for what is near. */
weft_vec3d weft_origin_way(weft_vec3d low, weft_vec3d high);
/* Where a solver begins with it. */
weft_vec3d weft_origin_at_start(const weft_model *model, const weft_params *params);

/* Into buffers, rounded once; out of them. */
weft_vec3 weft_origin_enter(weft_vec3d origin, weft_vec3d world);
weft_vec3 weft_origin_leave(weft_vec3d origin, vec4 x);
weft_vec3d weft_origin_leave_in_double(weft_vec3d origin, vec4 x);

/* For cloth that is about to be written: bodies come along. */
void weft_origin_set(weft_solver *solver, weft_vec3d origin);
/* Before a frame: it goes along with the cloth. */
void weft_origin_follow(weft_solver *solver);

#endif
