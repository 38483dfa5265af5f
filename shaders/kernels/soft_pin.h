/* soft_pin.h: a particle is held at a moving point by a damped spring, implicit in the particle alone. It acts on the position that all other
 * constraints have left, so that what hangs from it hangs as low as the stiffness says, whatever the substep. */
#ifndef WEFT_KERNELS_SOFT_PIN_H
#define WEFT_KERNELS_SOFT_PIN_H
#include "kernels/exact.h"

/* before: the position at the start of the substep; step: how far the point moves in it; pull: fraction of the way to the point that is made up;
 * brake: fraction of the motion relative to the point that is lost. */
KERNEL real3 soft_pin(real3 x, real3 before, real3 point, real3 step, real pull, real brake) {
  real3 off = exact_flush3(v3_sub(point, x));
  real3 moved = v3_sub(x, before);
  moved = exact_flush3(v3_sub(moved, step));
  real3 pulled = v3_scale(off, pull);
  real3 braked = v3_scale(moved, brake);
  real3 change = exact_flush3(v3_sub(pulled, braked));
  return v3_add(x, change);
}

#endif
