/* bodies.h: bodies as particles and triangles behind those of the cloth. */
#ifndef WEFT_SOLVER_BODIES_H
#define WEFT_SOLVER_BODIES_H

#include "model.h"
#include "pass.h"
#include "vec3d.h"

/* Why bodies are invalid, or do not go with this cloth, as a sentence. */
weft_result weft_bodies_check(const weft_model *model, const weft_params *params, weft_error *err);

/* Whether the caller gives something on the device, and the host does not know it: see given.c. */
typedef enum weft_given {
  WEFT_GIVEN_NOT = 0,
  WEFT_GIVEN_NOW,  /* the path of the next frame */
  WEFT_GIVEN_OVER, /* that of a frame that is done */
} weft_given;

/* State of a body in a solver. */
typedef struct weft_body_state {
  uint32_t first; /* first vertex among those of all bodies */
  uint32_t awake; /* frames for which it goes on moving; 0: it is at rest and costs nothing */
  bool moved;     /* it was given a motion since it was at the positions of its mesh */
  weft_given given;
  bool jumped; /* and a warning was given that it moves far */
} weft_body_state;

/* Copies what the parameters point to. */
void weft_solver_copy_bodies(weft_solver *solver);
void weft_solver_free_bodies(weft_solver *solver);
/* Back to their start. */
void weft_solver_reset_bodies(weft_solver *solver);
/* Sets former positions to current ones, which no state keeps. */
void weft_solver_settle_bodies(weft_solver *solver);
/* Positions relative to a new origin of the solver. */
void weft_solver_shift_bodies(weft_solver *solver, weft_vec3d from);
/* Copies the paths, and the positions, of another's leading bodies that match. */
void weft_solver_follow_bodies(weft_solver *solver, const weft_solver *leader);
typedef struct weft_heritage weft_heritage;
void weft_solver_take_bodies(weft_solver *to, weft_solver *from, const weft_heritage *of);
/* Paths of a frame. */
void weft_solver_begin_bodies(weft_solver *solver);
void weft_solver_end_bodies(weft_solver *solver);
/* The paths of one in the buffer; frames for which a body goes on after it was told to move. */
void weft_solver_upload_body(weft_solver *solver, uint32_t body);
uint32_t weft_solver_frames_awake(const weft_solver *solver);

#endif
