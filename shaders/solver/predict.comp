// predict: external accelerations and damping, then the position the particle would reach freely.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict writeonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  vec4 p = x[i];
  x_prev[i] = p;
  if (p.w == 0.0) {
    v[i] = vec4(0.0);
    return;
  }
  precise vec3 velocity = v[i].xyz;
  velocity = velocity + u.gravity_step.xyz;
  velocity = velocity * u.keep;
  velocity = exact_snap3(velocity);
  precise vec3 step = velocity * u.dt;
  precise vec3 predicted = p.xyz + step;
  predicted = exact_snap3(predicted);
  v[i] = vec4(velocity, 0.0);
  x[i] = vec4(predicted, p.w);
}
