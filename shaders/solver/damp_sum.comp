// damp_sum: one level of the fixed tree: each row is the sum of WEFT_FAN rows of the level below, in
// ascending order. The level below begins at below_first and ends where this one begins, at level_first.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_MOTION) restrict buffer Motion { weft_motion motion[]; };
#include "lib/damp_sum.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_damp_sum(u_pass.first + gl_GlobalInvocationID.x, u_pass.below_first, u_pass.level_first);
}
