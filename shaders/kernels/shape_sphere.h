/* shape_sphere.h: a ball about pose.a. Only friction depends on its rotation. */
#ifndef WEFT_KERNELS_SHAPE_SPHERE_H
#define WEFT_KERNELS_SHAPE_SPHERE_H
#include "kernels/shape.h"

KERNEL contact sphere_contact(weft_collider_pose pose, shape_axis axis, bool pairs, pair3 from) {
  UNUSED(axis);
  return ball_contact(pairs, from, UNI(pose.a.w));
}

KERNEL real3 sphere_carried(weft_collider_pose pose, shape_axis axis, real3 from) {
  UNUSED(axis);
  return shape_turning_carried(pose, from);
}

KERNEL real3 sphere_start(weft_collider_pose pose, shape_axis axis_then, real3 before) {
  UNUSED(axis_then);
  return exact_flush3(v3_add(before, UNI3(pose.move_a)));
}

KERNEL real sphere_enter(weft_collider_pose pose, shape_axis axis, real3 from, real3 move) {
  UNUSED(axis);
  return ball_enter(from, move, UNI(pose.a.w));
}

#endif
