/* point_on_shape.h: a point that moves with a shape. */
#ifndef WEFT_KERNELS_POINT_ON_SHAPE_H
#define WEFT_KERNELS_POINT_ON_SHAPE_H
#include "kernels/pin.h"
#include "kernels/shape.h"

/* World position of a point that moves from `from` to `to` in the shape's own axes, at fraction t. Their w is the fraction along the axis that
 * they are relative to. */
KERNEL real3 shape_point(weft_collider_pose pose, real4 from, real4 to, real t) {
  real3 own = pin_position(XYZ(from), XYZ(to), t);
  precise real along = to.w - from.w;
  along = along * t;
  along = along + from.w;
  real3 axis = v3_scale(exact_flush3(v3_sub(UNI3(pose.b), UNI3(pose.a))), exact_flush(along));
  real3 seen_from = v3_add(UNI3(pose.a), axis);
  return exact_snap3(v3_add(seen_from, shape_world(pose, own)));
}

#endif
