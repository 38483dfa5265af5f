/* shape_capsule.h: all points within a radius of the axis from pose.a to pose.b, whose ends move independently. */
#ifndef WEFT_KERNELS_SHAPE_CAPSULE_H
#define WEFT_KERNELS_SHAPE_CAPSULE_H
#include "kernels/shape.h"

/* How much further than its first end a point at fraction t of the axis moved. */
KERNEL real3 capsule_bend(weft_collider_pose pose, real t) {
  return v3_scale(v3_sub(UNI3(pose.move_b), UNI3(pose.move_a)), t);
}

KERNEL contact capsule_contact(weft_collider_pose pose, shape_axis axis, bool pairs, pair3 from) {
  real t = shape_along(axis, from.high);
  return ball_contact(pairs, shape_off_axis(axis, pairs, from, t), UNI(pose.a.w));
}

KERNEL real3 capsule_carried(weft_collider_pose pose, shape_axis axis, real3 from) {
  real t = shape_along(axis, from);
  real3 arm = exact_flush3(v3_sub(from, v3_scale(axis.axis, t)));
  real3 carried = v3_add(UNI3(pose.move_a), capsule_bend(pose, t));
  return exact_flush3(v3_add(carried, shape_turned(pose, arm)));
}

KERNEL real3 capsule_start(weft_collider_pose pose, shape_axis axis_then, real3 before) {
  real3 start = v3_add(before, UNI3(pose.move_a));
  real3 a_then = v3_sub(UNI3(pose.a), UNI3(pose.move_a));
  real t = shape_along(axis_then, v3_sub(before, a_then));
  return exact_flush3(v3_add(start, capsule_bend(pose, t)));
}

/* First against the infinite cylinder; if that hit lies past an end of the axis, only that end's ball can be hit. */
KERNEL real capsule_enter(weft_collider_pose pose, shape_axis axis, real3 from, real3 move) {
  real radius = UNI(pose.a.w);
  real at_a = ball_enter(from, move, radius);
  real at_b = ball_enter(exact_flush3(v3_sub(from, axis.axis)), move, radius);
  real3 from_side = shape_square_to(from, axis);
  real3 move_side = shape_square_to(move, axis);
  real side2 = exact_dot(move_side, move_side);
  precise real parallel = exact_dot(move, move) * K(WEFT_MIN_LENGTH_RATIO2);
  real t = SELECT(side2 > parallel, ball_enter(from_side, move_side, radius), K(0.0));
  real along = shape_part(v3_add(from, v3_scale(move, t)), axis);
  real entry = SELECT(along > K(1.0), at_b, t);
  entry = SELECT(along < K(0.0), at_a, entry);
  entry = SELECT(t > K(1.0), K(2.0), entry);
  return SELECT(axis.axis2 > K(0.0), entry, at_a);
}

#endif
