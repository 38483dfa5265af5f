// update_velocity: v += (x - x_pred)/dt. The prediction is computed anew from x_prev and v: the same
// operations, so the same bits, and no bytes to store. The form (x - x_prev)/dt would lose gravity in
// float at small dt.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  vec4 p = x[i];
  if (p.w == 0.0) return;
  precise vec3 velocity = v[i].xyz;
  precise vec3 step = velocity * u.dt;
  precise vec3 predicted = x_prev[i].xyz + step;
  predicted = exact_snap3(predicted);
  precise vec3 correction = p.xyz - predicted;
  correction = correction * u.inv_dt;
  velocity = velocity + correction;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
