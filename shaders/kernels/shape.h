/* shape.h: what rigid shapes share. A shape has a file shape_NAME.h with four functions:
 *   NAME_contact  normal and depth of a point below the surface
 *   NAME_carried  how far the surface point that is now at `from` was carried in this substep
 *   NAME_start    where a particle's start would be had it moved with the shape
 *   NAME_enter    the fraction of `move` from `from` before it enters, 2 if it does not
 * `from` is relative to pose.a. In NAME_contact it has low parts where positions are pairs (`pairs`, the same for all of a pass), because a depth
 * is the small difference of two lengths and must be accurate relative to itself. Every shape is convex, so all beyond a tangent plane is outside:
 * one plane suffices for a fast particle. weft_shared.h describes poses. */
#ifndef WEFT_KERNELS_SHAPE_H
#define WEFT_KERNELS_SHAPE_H
#include "kernels/pair.h"

KERNEL_STRUCT(contact)
  real3 n;    /* outward unit normal; 0 where none is defined */
  real depth; /* m below the surface, thickness included; negative outside */
KERNEL_STRUCT_END(contact)

/* A point relative to pose.a. */
KERNEL pair3 shape_from(weft_collider_pose pose, bool pairs, pair3 p) {
  real3 a = UNI3(pose.a);
  pair3 from = pair3_single(v3_sub(p.high, a));
  if (pairs) from = pair3_kept(pair3_sub(p, pair3_single(a)));
  return from;
}

/* Depth of a height above a surface that is thickened by `reach`. */
KERNEL real shape_below(bool pairs, pair height, real reach) {
  precise real depth = reach - height.high;
  if (pairs) depth = exact_flush(pair_plus(pair_negative(height), reach).high);
  return depth;
}

/* The axis of a shape, from end to end. */
KERNEL_STRUCT(shape_axis)
  real3 axis;
  real axis2, inverse; /* length squared, and 1 over it */
KERNEL_STRUCT_END(shape_axis)

KERNEL shape_axis shape_axis_between(real3 a, real3 b) {
  shape_axis to;
  to.axis = exact_flush3(v3_sub(b, a));
  to.axis2 = exact_dot(to.axis, to.axis);
  to.inverse = exact_rcp(to.axis2);
  return to;
}

/* The axis at the end of the substep, at its beginning, and of a shape without one. */
KERNEL shape_axis shape_axis_at_end(weft_collider_pose pose) { return shape_axis_between(UNI3(pose.a), UNI3(pose.b)); }

KERNEL shape_axis shape_axis_at_start(weft_collider_pose pose) {
  return shape_axis_between(v3_sub(UNI3(pose.a), UNI3(pose.move_a)), v3_sub(UNI3(pose.b), UNI3(pose.move_b)));
}

KERNEL shape_axis shape_axis_none() {
  shape_axis none;
  none.axis = V3(K(0.0), K(0.0), K(0.0));
  none.axis2 = K(0.0);
  none.inverse = K(0.0);
  return none;
}

/* The fraction along an axis at which it is nearest to `from`. */
KERNEL real shape_along(shape_axis axis, real3 from) {
  real along = exact_flush(exact_dot(axis.axis, from));
  precise real t = along * axis.inverse;
  t = SELECT(axis.axis2 > K(0.0), t, K(0.0));
  t = SELECT(t > K(0.0), t, K(0.0));
  t = SELECT(t < K(1.0), t, K(1.0));
  return exact_flush(t);
}

/* The component of v along an axis, as a fraction of it; and the rest, perpendicular to it. */
KERNEL real shape_part(real3 v, shape_axis axis) {
  precise real part = exact_flush(exact_dot(v, axis.axis));
  part = part * axis.inverse;
  return exact_flush(part);
}

KERNEL real3 shape_square_to(real3 v, shape_axis axis) {
  return exact_flush3(v3_sub(v, v3_scale(axis.axis, shape_part(v, axis))));
}

/* The vector from the point at fraction t of an axis. */
KERNEL pair3 shape_off_axis(shape_axis axis, bool pairs, pair3 from, real t) {
  pair3 off = pair3_single(v3_sub(from.high, v3_scale(axis.axis, t)));
  if (pairs) off = pair3_kept(pair3_sub(from, pair3_product(axis.axis, t)));
  return off;
}

/* A world vector in a shape's own axes, and back. */
KERNEL real3 shape_local(weft_collider_pose pose, real3 v) {
  return exact_flush3(V3(exact_dot(UNI3(pose.axis_x), v), exact_dot(UNI3(pose.axis_y), v),
                         exact_dot(UNI3(pose.axis_z), v)));
}

KERNEL real3 shape_world(weft_collider_pose pose, real3 q) {
  real3 v = v3_add(v3_scale(UNI3(pose.axis_x), q.x), v3_scale(UNI3(pose.axis_y), q.y));
  return exact_flush3(v3_add(v, v3_scale(UNI3(pose.axis_z), q.z)));
}

/* How far turning moved the point that is now at pose.a + arm; the same by the transposed matrix. */
KERNEL real3 shape_turned(weft_collider_pose pose, real3 arm) {
  return V3(exact_dot(UNI3(pose.turn_x), arm), exact_dot(UNI3(pose.turn_y), arm), exact_dot(UNI3(pose.turn_z), arm));
}

KERNEL real3 shape_turned_back(weft_collider_pose pose, real3 arm) {
  real3 turned = v3_add(v3_scale(UNI3(pose.turn_x), arm.x), v3_scale(UNI3(pose.turn_y), arm.y));
  return v3_add(turned, v3_scale(UNI3(pose.turn_z), arm.z));
}

/* How far a shape that turns about pose.a carried the point that is now at `from`. */
KERNEL real3 shape_turning_carried(weft_collider_pose pose, real3 from) {
  return exact_flush3(v3_add(UNI3(pose.move_a), shape_turned(pose, exact_flush3(from))));
}

/* radius - away = (radius^2 - away^2) / (radius + away) of a pair: the numerator to 2^-45 of radius^2. */
KERNEL real ball_depth(pair3 from, real radius, real away) {
  pair left = pair_add(pair_square(pair_of(radius, K(0.0))), pair_negative(pair3_square(from)));
  precise real sum = radius + away;
  precise real depth = left.high * exact_rcp(sum);
  return exact_flush(depth);
}

/* Contact with a ball of this radius around the point that is `from` away. */
KERNEL contact ball_contact(bool pairs, pair3 from, real radius) {
  real3 at = exact_flush3(from.high);
  real distance2 = exact_dot(at, at);
  real inverse = exact_rsqrt(distance2);
  precise real away = distance2 * inverse;
  precise real depth = radius - away;
  if (pairs) depth = ball_depth(from, radius, away);
  contact touching;
  touching.n = exact_flush3(v3_scale(at, inverse));
  /* In the exact centre no normal is defined: no contact. */
  touching.depth = SELECT(distance2 > K(0.0), depth, K(0.0));
  return touching;
}

/* Where a path enters the ball around a point that is `from` away from its start. Solved about the path's nearest point, since the textbook
 * quadratic loses a small ball on a long path. */
KERNEL real ball_enter(real3 from, real3 move, real radius) {
  real from2 = exact_dot(from, from);
  precise real radius2 = radius * radius;
  real move2 = exact_dot(move, move);
  precise real toward = exact_dot(from, move);
  toward = -toward;
  toward = exact_flush(toward);
  precise real nearest = toward * exact_rcp(move2);
  nearest = exact_flush(nearest);
  real3 miss = exact_flush3(v3_add(from, v3_scale(move, nearest)));
  real miss2 = exact_dot(miss, miss);
  precise real under = radius2 - miss2;
  precise real half_chord = under * exact_rsqrt(under);
  precise real back = half_chord * exact_rsqrt(move2);
  precise real t = nearest - back;
  t = SELECT(t > K(0.0), t, K(0.0));
  t = exact_flush(t);
  mask enters = AND(toward > K(0.0), under > K(0.0));
  return SELECT(from2 <= radius2, K(0.0), SELECT(enters, t, K(2.0)));
}

#endif
