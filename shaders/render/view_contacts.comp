// Whether each particle touches a collider (x), and another particle (y): the shapes where the picture
// has them, and the neighbours that the last substep found.
#include "shared/weft_shared.h"
#include "kernels/lang_glsl.h"
#include "kernels/exact.h"
#include "made.glsl" // the choices among shapes
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_POSES) readonly buffer poses_block {
  weft_collider_pose poses[];
};
layout(std430, binding = WEFT_RENDER_SLOT_CONTACTS) readonly buffer contacts_block {
  weft_neighbour contacts[];
};
layout(std430, binding = WEFT_RENDER_SLOT_CONTACT_FOUND) readonly buffer found_block {
  uint contact_found[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

layout(location = WEFT_RENDER_LOCATION_MARGIN) uniform float margin;
layout(location = WEFT_RENDER_LOCATION_DISTANCE) uniform float distance_of_two;
layout(location = WEFT_RENDER_LOCATION_POSES) uniform uint pose_count;

bool touches_collider(vec3 p) {
  for (uint k = 0u; k < pose_count; ++k) {
    weft_collider_pose pose = poses[k];
    pair3 from = pair3_single(v3_sub(p, pose.a.xyz));
    if (shape_contact(pose, shape_axis_now(pose), false, from).depth > -margin) return true;
  }
  return false;
}

bool touches_particle(uint i) {
  if (distance_of_two == 0.0) return false;
  uint found = min(contact_found[i] & ~WEFT_CONTACT_CROWDED, WEFT_CONTACT_SLOTS);
  for (uint k = 0u; k < found; ++k) {
    uint other = contacts[WEFT_CONTACT_SLOTS * i + k].other;
    if (length(x[i].xyz - x[other].xyz) <= distance_of_two) return true;
  }
  return false;
}

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  values[i] = vec2(touches_collider(x[i].xyz) ? 1.0 : 0.0, touches_particle(i) ? 1.0 : 0.0);
}
