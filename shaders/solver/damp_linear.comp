// damp_linear: first leaf sums of global damping (Mueller et al. 2007, section 3.5): mass times position and
// mass times velocity of WEFT_FAN particles in ascending order. Pinned ones have no part in it.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict readonly buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_MOTION) restrict writeonly buffer Motion { weft_motion motion[]; };
#include "lib/damp_linear.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_damp_linear(u_pass.first + gl_GlobalInvocationID.x, u_pass.level_first);
}
