// contact_apply: every particle takes the corrections that contact_project added up for it.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONTACT_DELTA) restrict readonly buffer ContactDelta {
  float contact_delta[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  vec4 p = x_at(i);
  vec3 delta = contact_delta_at(i);
  precise vec3 moved = p.xyz + delta;
  moved = exact_flush3(moved);
  x[i] = vec4(moved, p.w);
}
