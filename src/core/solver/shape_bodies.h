/* shape_bodies.h: with self-collision, edges and faces of cloth collide with triangle bodies
 * inside the shapes. Vertices of these are particles after those of other bodies. Each instance
 * of a joined model has shape bodies of its own, since its cloth may hold them back: those of
 * the first instance, of the second, and so on. */
#ifndef WEFT_SOLVER_SHAPE_BODIES_H
#define WEFT_SOLVER_SHAPE_BODIES_H

#include "shape_fit.h"
#include "vec3d.h"

typedef struct weft_shape_bodies {
  uint32_t count, particles;
  uint32_t each;            /* of an instance; the same colliders in each */
  uint32_t *colliders;      /* [count] */
  uint32_t *first;          /* [count + 1] first vertex among all; the same number for a collider in
                               each instance */
  weft_shape_mesh *own;     /* [count] at full size; [vertices] points in its frame */
  weft_mesh *meshes;        /* [count] start positions, relative to the origin */
  weft_body *bodies;        /* [those of the solver + count]; the solver's come first */
  weft_shape_state *states; /* [count] */
  weft_shape_path *paths;   /* [particles] */
  weft_vec3d origin;        /* m: thickness at creation */
  bool awake;               /* whether any of them moves in this frame */
} weft_shape_bodies;

/* Where only vertices collide with shapes, and the cloth is too coarse for one of them. */
void weft_solver_warn_of_shapes(const weft_solver *solver);
/* For a solver whose other bodies exist already. */
void weft_solver_make_shapes(weft_solver *solver);
void weft_solver_free_shapes(weft_solver *solver);
/* Like weft_solver_fit_shapes for all of them at the start, before there are buffers. */
void weft_solver_size_shapes(weft_solver *solver);
/* weft_model_marks_with for an instance and parameters that include its shape bodies, which are
 * relative to the origin; cloth and other bodies are not. */
uint8_t *weft_shapes_mark_tangled(const weft_model *model, const weft_params *params,
                                  weft_vec3d origin);
/* The solver's parameters with all bodies, for its contents: body_count of an instance, and the
 * shape bodies of all instances. */
weft_params weft_solver_with_shapes(const weft_solver *solver);
/* Moves the bodies of all shapes to the colliders, scaled so that no cloth is inside; with `parts`
 * only those of instances that it marks. */
void weft_solver_fit_shapes(weft_solver *solver, const bool *parts);
/* For a state whose buffers are restored already. */
void weft_solver_restore_shapes(weft_solver *solver, const weft_shape_state *states);
/* Like the functions of the same name for bodies. */
void weft_solver_follow_shapes(weft_solver *solver, const weft_solver *leader);
typedef struct weft_heritage weft_heritage;
void weft_solver_take_shapes(weft_solver *to, weft_solver *from, const weft_heritage *of);
/* What a vertex of a body inside a shape of `from` is in `to`; WEFT_NEW: it is not there. */
uint32_t weft_solver_shape_particle(const weft_solver *to, const weft_solver *from,
                                    const weft_heritage *of, uint32_t particle);
/* In the next frame all bodies move to their exact targets, and the cloth is certified against
 * that motion: far from the old origin they had been rounded. */
void weft_solver_call_shapes(weft_solver *solver);
void weft_solver_begin_shapes(weft_solver *solver);
void weft_solver_end_shapes(weft_solver *solver);

#endif
