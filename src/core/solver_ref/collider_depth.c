#include "collider_depth.h"

#include "inspect.h"
#include "shape_rows.h"

float weft_collider_depth(const weft_collider *collider, double time, float thickness,
                          weft_vec3 point) {
  weft_collider_pose pose = weft_collider_pose_at(collider, time, time, thickness);
  pair3 from = pair3_single(weft_v3_sub(point, exact_xyz(pose.a)));
  return shape_contact(pose, shape_axis_now(pose), false, from).depth;
}
