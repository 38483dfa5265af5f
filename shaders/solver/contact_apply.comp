// contact_apply: every particle takes the corrections that contact_project added up for it.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONTACT_DELTA) restrict readonly buffer ContactDelta {
  float contact_delta[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  vec4 p = x[i];
  vec3 delta = vec3(contact_delta[3u * i], contact_delta[3u * i + 1u], contact_delta[3u * i + 2u]);
  precise vec3 moved = p.xyz + delta;
  moved = exact_flush3(moved);
  x[i] = vec4(moved, p.w);
}
