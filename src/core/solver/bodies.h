/* bodies.h: bodies as particles and triangles behind those of the cloth. */
#ifndef WEFT_SOLVER_BODIES_H
#define WEFT_SOLVER_BODIES_H

#include "model.h"
#include "pass.h"
#include "vec3d.h"

/* A sentence for bodies that cannot be, or not with this cloth. */
weft_result weft_bodies_check(const weft_model *model, const weft_params *params, weft_error *err);

/* Of a solver's body. */
typedef struct weft_body_state {
  uint32_t first; /* vertex, counted from the first of all bodies */
  uint32_t awake; /* frames that it goes on moving; 0: it stands still and costs nothing */
  bool moved;     /* was told to, since it stood where its mesh is */
  bool jumped;    /* and far, of which a warning told */
} weft_body_state;

/* Copies what the parameters point to. */
void weft_solver_copy_bodies(weft_solver *solver);
void weft_solver_free_bodies(weft_solver *solver);
/* Back to where they began. */
void weft_solver_reset_bodies(weft_solver *solver);
/* Where they stand is where they have come from: what no state keeps. */
void weft_solver_settle_bodies(weft_solver *solver);
/* Counted from the solver's origin, which was elsewhere before. */
void weft_solver_shift_bodies(weft_solver *solver, weft_vec3d from);
/* As the first bodies of another, as far as they are alike: the same paths; and the same places. */
void weft_solver_follow_bodies(weft_solver *solver, const weft_solver *leader);
void weft_solver_take_bodies(weft_solver *to, weft_solver *from);
/* Paths of a frame. */
void weft_solver_begin_bodies(weft_solver *solver);
void weft_solver_end_bodies(weft_solver *solver);

#endif
