// damp_velocity: v += k (v_cm + w x r - v): the part of the velocity that is not rigid motion of the whole
// decays (Mueller et al. 2007, section 3.5).
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_MOTION) restrict readonly buffer Motion { weft_motion motion[]; };
#include "lib/damp_velocity.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_damp_velocity(u_pass.first + gl_GlobalInvocationID.x, 2u * u_pass.tree_rows);
}
