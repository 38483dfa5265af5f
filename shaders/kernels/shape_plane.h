/* shape_plane.h: a half space; pose.a a point of the plane, pose.b its normal. The test at the end of a step finds any penetration, so it is never
 * swept. */
#ifndef WEFT_KERNELS_SHAPE_PLANE_H
#define WEFT_KERNELS_SHAPE_PLANE_H
#include "kernels/shape.h"

KERNEL contact plane_contact(weft_collider_pose pose, shape_axis axis, bool pairs, pair3 from) {
  UNUSED(axis);
  contact touching;
  touching.n = UNI3(pose.b);
  pair height = pair_of(exact_flush(exact_dot(from.high, touching.n)), K(0.0));
  if (pairs) height = pair3_dot(from, touching.n);
  touching.depth = shape_below(pairs, height, UNI(pose.a.w));
  return touching;
}

KERNEL real3 plane_carried(weft_collider_pose pose, shape_axis axis, real3 from) {
  UNUSED(axis);
  return shape_turning_carried(pose, from);
}

KERNEL real3 plane_start(weft_collider_pose pose, shape_axis axis_then, real3 before) {
  UNUSED(axis_then);
  return exact_flush3(v3_add(before, UNI3(pose.move_a)));
}

KERNEL real plane_enter(weft_collider_pose pose, shape_axis axis, real3 from, real3 move) {
  UNUSED(pose);
  UNUSED(axis);
  UNUSED(from);
  UNUSED(move);
  return K(2.0);
}

#endif
