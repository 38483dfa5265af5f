/* pick.h: whether a particle lies within the cone of a ray, and how far along it. */
#ifndef WEFT_KERNELS_PICK_H
#define WEFT_KERNELS_PICK_H
#include "kernels/exact.h"

KERNEL_STRUCT(ray_hit)
  mask hits;
  real along, offset2; /* m along the ray; m^2: squared distance from it */
KERNEL_STRUCT_END(ray_hit)

/* origin.w: the radius at the origin, direction.w: how it grows along the ray. */
KERNEL ray_hit ray_meets(real3 x, real4 origin, real4 direction) {
  real3 away = exact_flush3(v3_sub(x, XYZ(origin)));
  ray_hit hit;
  hit.along = exact_flush(exact_dot(away, XYZ(direction)));
  real3 foot = v3_scale(XYZ(direction), hit.along);
  real3 aside = exact_flush3(v3_sub(away, foot));
  hit.offset2 = exact_flush(exact_dot(aside, aside));
  precise real wide = direction.w * hit.along;
  wide = origin.w + wide;
  wide = exact_flush(wide);
  precise real wide2 = wide * wide;
  hit.hits = AND(hit.along > K(0.0), hit.offset2 <= wide2);
  return hit;
}

#endif
