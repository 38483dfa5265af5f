/* shape_bodies.h: bodies inside of shapes, which edges and faces of cloth are held against with
 * self-collision. Their vertices are particles behind those of other bodies. Each part of a joined
 * model has bodies of its own, as its cloth holds them back: those of the first part, of the
 * second, and so on. */
#ifndef WEFT_SOLVER_SHAPE_BODIES_H
#define WEFT_SOLVER_SHAPE_BODIES_H

#include "shape_fit.h"
#include "vec3d.h"

typedef struct weft_shape_bodies {
  uint32_t count, particles;
  uint32_t each;        /* of a part: the same colliders */
  uint32_t *colliders;  /* [count] */
  uint32_t *first;      /* [count + 1] vertex of all shapes; as many of a collider in each part */
  weft_shape_mesh *own; /* [count] at full size; [vertices of it] points */
  weft_mesh *meshes;    /* [count] where they begin, counted from the origin */
  weft_body *bodies;    /* [those of the solver + count], behind the solver's */
  weft_shape_state *states; /* [count] */
  weft_shape_path *paths;   /* [particles] */
  weft_vec3d origin;        /* m, of the solver as it was made */
  bool awake;               /* any of them, in this frame */
} weft_shape_bodies;

/* Where vertices alone hold shapes, and the cloth is too coarse for one of them. */
void weft_solver_warn_of_shapes(const weft_solver *solver);
/* Of a solver whose other bodies are there already. */
void weft_solver_make_shapes(weft_solver *solver);
void weft_solver_free_shapes(weft_solver *solver);
/* As weft_solver_fit_shapes of all of them at the start, before there are buffers. */
void weft_solver_size_shapes(weft_solver *solver);
/* weft_model_marks_with, of a part and parameters with the bodies of its shapes: these are counted
 * where cloth and other bodies are given. */
uint8_t *weft_shapes_mark_tangled(const weft_model *model, const weft_params *params,
                                  weft_vec3d origin);
/* The solver's parameters with all bodies, for its contents: body_count of a part, and those of the
 * shapes of all parts. */
weft_params weft_solver_with_shapes(const weft_solver *solver);
/* From shape `first` of each part on: to where colliders stand, as large as leaves out the cloth.
 */
void weft_solver_fit_shapes(weft_solver *solver, uint32_t first);
/* Of a state whose buffers are restored already. */
void weft_solver_restore_shapes(weft_solver *solver, const weft_shape_state *states);
/* As those of bodies. */
void weft_solver_follow_shapes(weft_solver *solver, const weft_solver *leader);
void weft_solver_take_shapes(weft_solver *to, weft_solver *from);
/* In the next frame all go to where they are told to be, under the certificate of the cloth: far
 * from the origin that was, they were rounded to what floats tell apart there. */
void weft_solver_call_shapes(weft_solver *solver);
void weft_solver_begin_shapes(weft_solver *solver);
void weft_solver_end_shapes(weft_solver *solver);

#endif
