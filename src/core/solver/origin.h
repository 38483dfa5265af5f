/* origin.h: the origin of positions in buffers. Input and output are relative to the model's
 * origin; these functions convert. */
#ifndef WEFT_SOLVER_ORIGIN_H
#define WEFT_SOLVER_ORIGIN_H

#include "pass.h"
#include "vec3d.h"

/* Vectors of a caller, in either precision; both NULL: none. */
typedef struct weft_vectors {
  const weft_vec3 *single;
  const double *wide; /* three each */
} weft_vectors;
bool weft_vectors_given(const weft_vectors *v);
weft_vec3d weft_vectors_at(const weft_vectors *v, uint32_t i);

/* The shift of the origin for cloth between two corners: a multiple of 1/64 m on each axis, 0
 * for near cloth. */
weft_vec3d weft_origin_way(weft_vec3d low, weft_vec3d high);
/* Whether it is 0 for any cloth that has parts at these corners of a box. */
bool weft_origin_stays(weft_vec3d low, weft_vec3d high);
/* Sets the initial origin of a solver. */
weft_vec3d weft_origin_at_start(const weft_model *model, const weft_params *params);

/* To the buffers' origin, rounded once; back to the model's. */
weft_vec3 weft_origin_enter(weft_vec3d origin, weft_vec3d world);
weft_vec3 weft_origin_leave(weft_vec3d origin, vec4 x);
weft_vec3d weft_origin_leave_in_double(weft_vec3d origin, vec4 x);

/* For cloth positions that are about to be written; bodies are converted too. */
void weft_origin_set(weft_solver *solver, weft_vec3d origin);
/* Before a frame: moves the origin with the cloth. */
void weft_origin_follow(weft_solver *solver);

#endif
