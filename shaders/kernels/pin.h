/* pin.h: a pinned particle on its straight path through the frame. */
#ifndef WEFT_KERNELS_PIN_H
#define WEFT_KERNELS_PIN_H
#include "kernels/exact.h"

/* The point at part t between two points; at the end exactly there. */
KERNEL real3 pin_position(real3 from, real3 to, real t) {
  real3 path = v3_sub(to, from);
  path = v3_scale(path, t);
  real3 position = exact_snap3(v3_add(from, path));
  return v3_select(t == K(1.0), to, position);
}

KERNEL real3 pin_velocity(real3 position, real3 x_prev, real inv_dt) {
  real3 velocity = v3_sub(position, x_prev);
  velocity = v3_scale(velocity, inv_dt);
  return exact_snap3(velocity);
}

#endif
