/* shape_box.h: a box about pose.a of half size pose.b in its own axes. */
#ifndef WEFT_KERNELS_SHAPE_BOX_H
#define WEFT_KERNELS_SHAPE_BOX_H
#include "kernels/shape.h"

KERNEL real box_side(real q) { return SELECT(q < K(0.0), K(-1.0), K(1.0)); }

/* Outside: the nearest point of the box. Inside: out of the nearest face. */
KERNEL contact box_contact(weft_collider_pose pose, shape_axis axis, real3 from) {
  UNUSED(axis);
  real3 q = shape_local(pose, exact_flush3(from));
  real3 over = v3_sub(V3(ABS(q.x), ABS(q.y), ABS(q.z)), UNI3(pose.b));
  real3 side = V3(box_side(q.x), box_side(q.y), box_side(q.z));
  mask on_x = AND(over.x >= over.y, over.x >= over.z);
  mask on_y = AND(NOT(on_x), over.y >= over.z);
  mask on_z = AND(NOT(on_x), NOT(on_y));
  real away = SELECT(on_x, over.x, SELECT(on_y, over.y, over.z));
  mask outside = away > K(0.0);
  precise real corner_x = SELECT(over.x > K(0.0), over.x, K(0.0)) * side.x;
  precise real corner_y = SELECT(over.y > K(0.0), over.y, K(0.0)) * side.y;
  precise real corner_z = SELECT(over.z > K(0.0), over.z, K(0.0)) * side.z;
  contact corner = ball_contact(V3(corner_x, corner_y, corner_z), UNI(pose.a.w));
  real3 face = V3(SELECT(on_x, side.x, K(0.0)), SELECT(on_y, side.y, K(0.0)), SELECT(on_z, side.z, K(0.0)));
  precise real inside_depth = UNI(pose.a.w) - away;
  contact touching;
  touching.n = shape_world(pose, v3_select(outside, corner.n, face));
  touching.depth = SELECT(outside, corner.depth, inside_depth);
  return touching;
}

KERNEL real3 box_carried(weft_collider_pose pose, shape_axis axis, real3 p) {
  UNUSED(axis);
  return shape_turning_carried(pose, p);
}

KERNEL real3 box_start(weft_collider_pose pose, shape_axis axis_then, real3 before) {
  UNUSED(axis_then);
  real3 start = v3_add(before, UNI3(pose.move_a));
  real3 arm = exact_flush3(v3_sub(start, UNI3(pose.a)));
  return exact_flush3(v3_sub(start, shape_turned_back(pose, arm)));
}

/* Between the two faces across one axis: where the path comes in and goes out. */
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

/* Into the box grown by the thickness, whose edges stay sharp. */
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
