/* grab.h: a held particle is pulled to a moving point by a damped spring, implicit in the particle's own velocity. Its force is bounded, so that a
 * jump of the point cannot throw the particle beyond it. */
#ifndef WEFT_KERNELS_GRAB_H
#define WEFT_KERNELS_GRAB_H
#include "kernels/exact.h"

/* The point at fraction t of the frame. */
KERNEL real3 grab_target(real3 from, real3 to, real t) {
  real3 path = v3_sub(to, from);
  path = v3_scale(path, t);
  path = exact_flush3(path);
  return v3_add(from, path);
}

KERNEL_STRUCT(grabbed)
  mask defined; /* false: the change is too large for a float, and the particle is left unchanged */
  real3 velocity;
KERNEL_STRUCT_END(grabbed)

/* stiffness: velocity per metre of distance; damping: fraction of the velocity lost; impulse_limit: largest change of velocity. */
KERNEL grabbed grab_velocity(real3 x, real3 v, real3 target, real stiffness, real damping, real impulse_limit) {
  real3 off = exact_flush3(v3_sub(target, x));
  real3 pulled = v3_scale(off, stiffness);
  real3 braked = v3_scale(v, damping);
  real3 kick = exact_snap3(v3_sub(pulled, braked));
  real size2 = exact_dot(kick, kick);
  real inverse = exact_rsqrt(size2);
  precise real size = size2 * inverse;
  precise real part = impulse_limit * inverse;
  part = SELECT(size > impulse_limit, part, K(1.0));
  kick = exact_snap3(v3_scale(kick, part));
  grabbed to;
  to.defined = size2 <= K(WEFT_LARGEST);
  to.velocity = exact_snap3(v3_add(v, kick));
  return to;
}

#endif
