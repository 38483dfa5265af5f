// aero_gather: every particle takes its share of the forces on its triangles, in ascending order.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_FORCES) restrict readonly buffer Forces { vec4 forces[]; };
layout(std430, binding = WEFT_SLOT_CORNER_OFFSETS) restrict readonly buffer CornerOffsets {
  uint corner_offsets[];
};
layout(std430, binding = WEFT_SLOT_CORNER_ITEMS) restrict readonly buffer CornerItems {
  uint corner_items[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  precise vec3 force = vec3(0.0);
  uint end = corner_offsets[i + 1u];
  for (uint k = corner_offsets[i]; k < end; ++k) {
    uint triangle = corner_items[k];
    force = force + forces[triangle].xyz;
  }
  precise float scale = x[i].w * u.dt;
  precise vec3 change = force * scale;
  precise vec3 velocity = v[i].xyz + change;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
