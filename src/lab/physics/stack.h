/* stack.h: sheets of cloth that lie one over the other, as pieces of one mesh, level or tilted
 * about z. */
#ifndef WEFT_PHYSICS_STACK_H
#define WEFT_PHYSICS_STACK_H

#include "case.h"

enum { WEFT_STACK_SHEETS = 3 };

/* One sheet. Its middle stands at (x, height) of the stack's own frame: x runs down the slope,
 * height square to it. */
typedef struct weft_sheet {
  uint32_t rows, columns;
  double edge;   /* m, along rows and columns */
  double height; /* m */
  double x;      /* m. Default 0 */
  double askew;  /* rad, turned in its own plane, so that no vertex lies over another. Default 0 */
  bool pinned;   /* everywhere. Default false */
} weft_sheet;

/* Its sheets are the model's particles in this order. */
typedef struct weft_stack {
  uint32_t count;
  weft_sheet sheets[WEFT_STACK_SHEETS];
  double tilt; /* rad, downhill is +x. Default 0: level */
} weft_stack;

/* As it stands at rest. */
weft_model *weft_stack_model(weft_physics_run *run, const weft_stack *stack);
/* [particles], freed with weft_free: where the particles of a stack are. */
weft_vec3 *weft_stack_places(const weft_stack *stack);

/* A sheet's means in the stack's own frame: m and m/s. Zeros once the run has failed. */
typedef struct weft_sheet_mean {
  double down, height, down_speed, height_speed;
} weft_sheet_mean;
weft_sheet_mean weft_stack_mean(const weft_rig *rig, const weft_stack *stack, uint32_t sheet);

/* All particles: joules, and the momentum along the stack's height. */
typedef struct weft_stack_motion {
  double energy, momentum;
} weft_stack_motion;
weft_stack_motion weft_stack_move(const weft_rig *rig, const weft_stack *stack);
/* Gives each sheet a speed of its own along the stack's height, m/s. */
void weft_stack_throw(weft_rig *rig, const weft_stack *stack, const double *speeds);

#endif
