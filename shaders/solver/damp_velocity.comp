// damp_velocity: v += k (v_cm + w x r - v): the part of the velocity that is not rigid motion of the whole
// decays (Mueller et al. 2007, section 3.5).
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_MOTION) restrict readonly buffer Motion { weft_motion motion[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  vec4 p = x[i];
  if (p.w == 0.0) return;
  precise vec3 r = p.xyz - motion[u_offset].a.xyz;
  r = exact_flush3(r);
  precise vec3 rigid = exact_cross(motion[u_offset].c.xyz, r);
  rigid = rigid + motion[u_offset].b.xyz;
  precise vec3 velocity = v[i].xyz;
  precise vec3 change = rigid - velocity;
  change = exact_flush3(change);
  change = change * u.global_damping;
  velocity = velocity + change;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
