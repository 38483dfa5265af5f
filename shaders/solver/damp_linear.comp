// damp_linear: first leaf sums of global damping (Mueller et al. 2007, section 3.5): mass times position and
// mass times velocity of WEFT_FAN particles in ascending order. Pinned ones have no part in it.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict readonly buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_MOTION) restrict writeonly buffer Motion { weft_motion motion[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint row = u_first + gl_GlobalInvocationID.x;
  uint begin = (row - u_reset) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u.particle_count);
  precise vec3 moment = vec3(0.0);
  precise vec3 momentum = vec3(0.0);
  for (uint i = begin; i < end; ++i) {
    vec4 p = x[i];
    if (p.w == 0.0) continue;
    precise float mass = exact_rcp(p.w);
    precise vec3 mx = p.xyz * mass;
    precise vec3 mv = v[i].xyz * mass;
    moment = moment + exact_trim3(mx);
    momentum = momentum + exact_trim3(mv);
  }
  motion[row].a = vec4(moment, 0.0);
  motion[row].b = vec4(momentum, 0.0);
  motion[row].c = vec4(0.0);
}
