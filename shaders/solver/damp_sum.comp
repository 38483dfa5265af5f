// damp_sum: one level of the fixed tree: each row is the sum of WEFT_FAN rows of the level below, in
// ascending order. The level below begins at u_offset and ends where this one begins, at u_reset.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_MOTION) restrict buffer Motion { weft_motion motion[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint row = u_first + gl_GlobalInvocationID.x;
  uint begin = u_offset + (row - u_reset) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u_reset);
  precise vec3 a = vec3(0.0);
  precise vec3 b = vec3(0.0);
  precise vec3 c = vec3(0.0);
  for (uint k = begin; k < end; ++k) {
    a = a + motion[k].a.xyz;
    b = b + motion[k].b.xyz;
    c = c + motion[k].c.xyz;
  }
  motion[row].a = vec4(a, 0.0);
  motion[row].b = vec4(b, 0.0);
  motion[row].c = vec4(c, 0.0);
}
