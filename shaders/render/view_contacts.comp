// Whether each particle touches a collider or a body (x), and another particle (y): the shapes where the picture has
// them, and the pairs and neighbours that the last substep found, at the positions of the picture.
// permutations: PAIRS
#include "shared/weft_shared.h"
#include "kernels/lang_glsl.h"
#include "kernels/exact.h"
#include "made.glsl" // the choices among shapes
#include "render/frame.h"

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };

#ifdef PAIRS
// A second pass, over pairs of self-collision: who touches a body. Its groups are those of the solver's own passes.
layout(local_size_x = WEFT_SELF_GROUP) in;

layout(std140, binding = WEFT_UNIFORM_BINDING) uniform Uniforms { weft_uniforms u; };
layout(std430, binding = WEFT_RENDER_SLOT_SELF_COUNTS) readonly buffer counts_block { uint self_counts[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SELF_PAIRS) readonly buffer pairs_block { uvec4 pairs[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SELF_PLANES) readonly buffer planes_block { weft_self_plane planes[]; };

bool has_body(uvec4 p) { return any(greaterThanEqual(p, uvec4(u.particle_count))); }

void main() {
  uint k = gl_GlobalInvocationID.x + gl_WorkGroupID.y * (WEFT_SELF_ROW * WEFT_SELF_GROUP);
  uint end = u.self_parts > 1u ? u.self_parts * WEFT_SELF_COUNTS : 0u; // of all parts together
  if (k >= self_counts[end + WEFT_SELF_AT_PAIRS] || k >= uint(pairs.length())) return;
  uvec4 p = weft_self_particles(pairs[k]);
  if (!has_body(p)) return;
  vec4 weights = planes[k].weights;
  vec3 apart = vec3(0.0);
  for (uint c = 1u; c < 4u; ++c) apart += weights[c] * (x[p[c]].xyz - x[p.x].xyz);
  if (length(apart) > 1.1 * planes[k].reach + 0.001) return;
  for (uint c = 0u; c < 4u; ++c) {
    if (p[c] < u.particle_count && weights[c] != 0.0) values[p[c]].x = 1.0;
  }
}
#else
layout(local_size_x = WEFT_GROUP_SIZE) in;

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
#endif
