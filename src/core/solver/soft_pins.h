/* soft_pins.h: particles that springs hold at their places. */
#ifndef WEFT_SOLVER_SOFT_PINS_H
#define WEFT_SOLVER_SOFT_PINS_H

#include "origin.h"
#include "pass.h"
#include "vec3d.h"

typedef struct weft_soft {
  uint32_t particle;
  float weight;        /* between 0 and 1 */
  weft_vec3d from, to; /* m: its place at the beginning and the end of the frame */
} weft_soft;

/* Ascending by particle. */
typedef struct weft_softs {
  weft_soft *items;
  uint32_t count;
  size_t capacity;
} weft_softs;

/* N/m and N s/m, and the mass in kg, of a soft pin. */
typedef struct weft_soft_spring {
  double stiffness, damping, mass;
} weft_soft_spring;
weft_soft_spring weft_soft_spring_of(const weft_solver *solver, const weft_soft *soft);
/* An element of WEFT_BUFFER_SOFT_PINS. */
weft_soft_pin weft_soft_element(const weft_solver *solver, const weft_soft *soft);

/* NULL: it is none. */
weft_soft *weft_soft_find(const weft_solver *solver, uint32_t particle);
/* Makes particles soft pins where they are, or no longer (weight 0). The solver has room for them.
 */
void weft_soft_set(weft_solver *solver, const uint32_t *particles, uint32_t count, float weight);
/* How many there are then. */
uint32_t weft_soft_count_with(const weft_solver *solver, const uint32_t *particles, uint32_t count,
                              float weight);
void weft_soft_copy(weft_softs *to, const weft_softs *from);
/* Those that the model pins are soft no longer. */
void weft_soft_forget_pinned(weft_solver *solver);
/* Takes those of another that this one does not pin; it has room for them. */
void weft_soft_take(weft_solver *solver, const weft_softs *from);
/* Room for so many, made anew where there is less: change.c. */
weft_result weft_soft_make_room(weft_solver *solver, uint32_t count, weft_error *err);
void weft_soft_free(weft_softs *soft);
/* Of a frame; and positions that are written move them. */
void weft_soft_upload(weft_solver *solver);
void weft_soft_end(weft_solver *solver);
void weft_soft_write(weft_solver *solver, const weft_vectors *positions);

#endif
