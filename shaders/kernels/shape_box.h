/* shape_box.h: a box about pose.a of half size pose.b in its own axes. */
#ifndef WEFT_KERNELS_SHAPE_BOX_H
#define WEFT_KERNELS_SHAPE_BOX_H
#include "kernels/shape.h"

KERNEL real box_side(real q) { return SELECT(q < K(0.0), K(-1.0), K(1.0)); }

/* A point in the box's own axes, to the precision of a pair. */
KERNEL pair3 box_local(weft_collider_pose pose, pair3 from) {
  return pair3_from(pair3_dot(from, UNI3(pose.axis_x)), pair3_dot(from, UNI3(pose.axis_y)),
                    pair3_dot(from, UNI3(pose.axis_z)));
}

/* The signed distance of q to the nearer face along each axis: |q| - half. */
KERNEL pair box_past(pair q, real side, real half_size) {
  precise real high = q.high * side;
  precise real low = q.low * side;
  precise real less = -half_size;
  return pair_kept(pair_plus(pair_of(high, low), less));
}

/* The offset from the nearest point of the box, along one axis. */
KERNEL pair box_corner(pair over, real side) {
  precise real high = SELECT(over.high > K(0.0), over.high, K(0.0)) * side;
  precise real low = SELECT(over.high > K(0.0), over.low, K(0.0)) * side;
  return pair_of(high, low);
}

KERNEL real box_on(mask on_x, mask on_y, real3 v) { return SELECT(on_x, v.x, SELECT(on_y, v.y, v.z)); }

/* Outside: from the nearest point of the box. Inside: towards the nearest face. */
KERNEL contact box_contact(weft_collider_pose pose, shape_axis axis, bool pairs, pair3 from) {
  UNUSED(axis);
  pair3 q = pair3_single(shape_local(pose, exact_flush3(from.high)));
  if (pairs) q = box_local(pose, from);
  real3 half_size = UNI3(pose.b);
  real3 side = V3(box_side(q.high.x), box_side(q.high.y), box_side(q.high.z));
  pair3 over = pair3_single(v3_sub(V3(ABS(q.high.x), ABS(q.high.y), ABS(q.high.z)), half_size));
  if (pairs) {
    over = pair3_from(box_past(pair_x(q), side.x, half_size.x), box_past(pair_y(q), side.y, half_size.y),
                      box_past(pair_z(q), side.z, half_size.z));
  }
  mask on_x = AND(over.high.x >= over.high.y, over.high.x >= over.high.z);
  mask on_y = AND(NOT(on_x), over.high.y >= over.high.z);
  mask on_z = AND(NOT(on_x), NOT(on_y));
  pair away = pair_of(box_on(on_x, on_y, over.high), box_on(on_x, on_y, over.low));
  mask outside = away.high > K(0.0);
  pair3 past = pair3_from(box_corner(pair_x(over), side.x), box_corner(pair_y(over), side.y),
                          box_corner(pair_z(over), side.z));
  contact corner = ball_contact(pairs, past, UNI(pose.a.w));
  real3 face = V3(SELECT(on_x, side.x, K(0.0)), SELECT(on_y, side.y, K(0.0)), SELECT(on_z, side.z, K(0.0)));
  real inside_depth = shape_below(pairs, away, UNI(pose.a.w));
  contact touching;
  touching.n = shape_world(pose, v3_select(outside, corner.n, face));
  touching.depth = SELECT(outside, corner.depth, inside_depth);
  return touching;
}

KERNEL real3 box_carried(weft_collider_pose pose, shape_axis axis, real3 from) {
  UNUSED(axis);
  return shape_turning_carried(pose, from);
}

KERNEL real3 box_start(weft_collider_pose pose, shape_axis axis_then, real3 before) {
  UNUSED(axis_then);
  real3 start = v3_add(before, UNI3(pose.move_a));
  real3 arm = exact_flush3(v3_sub(start, UNI3(pose.a)));
  return exact_flush3(v3_sub(start, shape_turned_back(pose, arm)));
}

/* The slab of one axis: where the path enters and leaves it. */
KERNEL_STRUCT(box_span)
  real enter, leave;
KERNEL_STRUCT_END(box_span)

KERNEL box_span box_slab(real from, real move, real half_size) {
  real inverse = exact_rcp(ABS(move));
  precise real turned = -from;
  real along = SELECT(move < K(0.0), turned, from);
  precise real enter = -half_size;
  enter = enter - along;
  enter = enter * inverse;
  precise real leave = half_size - along;
  leave = leave * inverse;
  mask still = move == K(0.0);
  mask beside = ABS(from) > half_size;
  box_span span;
  span.enter = SELECT(still, SELECT(beside, K(2.0), K(-1.0)), enter);
  span.leave = SELECT(still, SELECT(beside, K(-1.0), K(2.0)), leave);
  return span;
}

/* The box grown by the thickness, its edges sharp. */
KERNEL real box_enter(weft_collider_pose pose, shape_axis axis, real3 from, real3 move) {
  UNUSED(axis);
  real3 q = shape_local(pose, from);
  real3 step = shape_local(pose, move);
  real thickness = UNI(pose.a.w);
  real3 grown = v3_add(UNI3(pose.b), V3(thickness, thickness, thickness));
  box_span x = box_slab(q.x, step.x, grown.x);
  box_span y = box_slab(q.y, step.y, grown.y);
  box_span z = box_slab(q.z, step.z, grown.z);
  real enter = SELECT(x.enter > y.enter, x.enter, y.enter);
  enter = SELECT(enter > z.enter, enter, z.enter);
  real leave = SELECT(x.leave < y.leave, x.leave, y.leave);
  leave = SELECT(leave < z.leave, leave, z.leave);
  mask misses = OR(enter > leave, leave < K(0.0));
  enter = SELECT(enter > K(0.0), enter, K(0.0));
  return SELECT(misses, K(2.0), exact_flush(enter));
}

#endif
