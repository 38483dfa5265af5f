/* find_nonfinite.h: finds the first pass that makes a finite state non-finite.
 *
 * Checking every value after every pass would cost more than the passes. So whoever runs frames
 * checks now and then and keeps the last finite state. If a check fails, the frames since then
 * run again on the same backend, with the same motion of pins and colliders: first substep by
 * substep, then the first bad substep pass by pass. Passes are deterministic, so the error
 * repeats. */
#ifndef WEFT_SOLVER_FIND_NONFINITE_H
#define WEFT_SOLVER_FIND_NONFINITE_H

#include "pass.h"
#include "soft_pins.h"
#include "vec3d.h"

/* A vertex of a body at the start of a frame, and its target at the end, m. */
typedef struct weft_body_way {
  weft_vec3d from, to;
} weft_body_way;

/* A state between two frames: raw bits of the buffers, and positions of pins and offsets of
 * colliders. */
typedef struct weft_kept_state {
  void *elements[WEFT_BUFFER_COUNT];  /* of every buffer whose use is STATE; else NULL */
  uint64_t counts[WEFT_BUFFER_COUNT]; /* capacity in elements: that of the last solver whose
                                         state was kept */
  vec4 *x, *v;                        /* [particles], two of these */
  weft_vec3d origin;                  /* that positions count from */
  uint32_t pins;
  weft_vec3d *pin_from, *pin_to;                /* [pins] */
  weft_body_way *body_ways;                     /* [particles of bodies] */
  uint32_t *body_awake;                         /* [bodies] */
  weft_shape_state *shapes;                     /* [shapes with bodies] */
  weft_collider *colliders_from, *colliders_to; /* [colliders] */
  weft_softs soft;
  bool pins_moving;
  uint64_t frame; /* frames done */
} weft_kept_state;

void weft_kept_state_alloc(const weft_solver *solver, weft_kept_state *state);
void weft_kept_state_free(weft_kept_state *state); /* a zeroed one as well */
/* Copies the solver's state; an error only of the driver. */
weft_result weft_solver_keep(weft_solver *solver, weft_kept_state *state, weft_error *err);
/* The buffers alone, there and back. */
void weft_solver_keep_elements(weft_solver *solver, weft_kept_state *state);
void weft_solver_restore_elements(weft_solver *solver, const weft_kept_state *state);
/* Back to that state, time included. */
void weft_solver_restore(weft_solver *solver, const weft_kept_state *state);

/* The first particle whose position (or, after those, velocity) is infinite or NaN; UINT32_MAX when
 * all are finite. */
uint32_t weft_kept_state_nonfinite(const weft_kept_state *state, uint32_t particles);

/* The first cause of a non-finite state. */
typedef struct weft_nonfinite {
  bool found;
  uint64_t frame;        /* frames done before the one it happened in */
  uint32_t substep;      /* from 0 */
  const weft_pass *pass; /* of the solver's list */
  uint32_t group;        /* group of constraints, UINT32_MAX for other passes */
  weft_buffer_id buffer; /* the buffer that the pass wrote it into */
  uint64_t element;
  uint32_t component;
  float value;
  uint32_t particle; /* UINT32_MAX: the buffer's elements belong to none */
} weft_nonfinite;

/* Called before each frame that is run again, as it was before the first run; moves the pins. */
typedef weft_result weft_animate(void *user, weft_solver *solver, weft_error *err);

/* Runs up to `frames` frames again from *good, which must be finite. Found: *place says where,
 * *good is the state before the frame it happened in, and the solver is back in it. Not found: the
 * solver is `frames` further. animate may be NULL. */
weft_result weft_solver_find_nonfinite(weft_solver *solver, weft_kept_state *good, uint64_t frames,
                                       weft_animate *animate, void *user, weft_nonfinite *place,
                                       weft_error *err);

/* In one substep of a begun frame, from the state before it (its pins and frame do not count):
 * restores that, runs pass by pass. For callers that step by hand; fills place->frame from the
 * solver. */
void weft_solver_find_nonfinite_pass(weft_solver *solver, uint32_t substep,
                                     const weft_kept_state *before, weft_nonfinite *place);

/* "in frame 37, substep 4 of 20: pass project_distance, batch 2 of group stretch, made the position
 * of particle 17 NaN". Frames and substeps count from 1. */
void weft_nonfinite_describe(const weft_solver *solver, const weft_nonfinite *place, char *text,
                             size_t size);

/* The group of constraints a projection pass works on; UINT32_MAX for other passes. */
uint32_t weft_pass_group(const weft_model *model, const weft_pass *pass);

#endif
