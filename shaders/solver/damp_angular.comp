// damp_angular: second leaf sums of global damping: angular momentum about the centre of mass and the
// inertia tensor of WEFT_FAN particles. The row before this level, the root of the first tree, holds
// the sums that give the centre and its velocity.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict readonly buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_MOTION) restrict buffer Motion { weft_motion motion[]; };
#include "lib/damp_angular.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_damp_angular(u_pass.first + gl_GlobalInvocationID.x, u_pass.level_first);
}
