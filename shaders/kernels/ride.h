/* ride.h: a point that is fastened to a triangle with corners a, b, c. share_b, share_c: barycentric coordinates of its foot; offset: from the
 * foot to the point, along the first edge, perpendicular to it in the triangle, and along the normal. */
#ifndef WEFT_KERNELS_RIDE_H
#define WEFT_KERNELS_RIDE_H
#include "kernels/exact.h"

KERNEL real3 ride_foot(real3 a, real3 b, real3 c, real share_b, real share_c) {
  real3 along = exact_flush3(v3_sub(b, a));
  real3 other = exact_flush3(v3_sub(c, a));
  real3 foot = v3_add(v3_scale(along, share_b), v3_scale(other, share_c));
  return v3_add(a, foot);
}

/* On a degenerate triangle the point is at the foot. */
KERNEL real3 ride_position(real3 a, real3 b, real3 c, real share_b, real share_c, real3 offset) {
  real3 foot = ride_foot(a, b, c, share_b, share_c);
  real3 along = exact_flush3(v3_sub(b, a));
  real along2 = exact_dot(along, along);
  along = exact_flush3(v3_scale(along, exact_rsqrt(along2)));
  real3 normal = exact_flush3(exact_cross(along, exact_flush3(v3_sub(c, a))));
  real normal2 = exact_dot(normal, normal);
  normal = exact_flush3(v3_scale(normal, exact_rsqrt(normal2)));
  real3 across = exact_flush3(exact_cross(normal, along));
  real3 beyond = v3_add(v3_scale(along, offset.x), v3_scale(across, offset.y));
  beyond = exact_flush3(v3_add(beyond, v3_scale(normal, offset.z)));
  beyond = v3_select(AND(along2 > K(0.0), normal2 > K(0.0)), beyond, V3(K(0.0), K(0.0), K(0.0)));
  return exact_snap3(v3_add(foot, beyond));
}

/* The velocity of the foot. */
KERNEL real3 ride_velocity(real3 a, real3 b, real3 c, real share_b, real share_c) {
  return exact_snap3(ride_foot(a, b, c, share_b, share_c));
}

#endif
