// update_velocity: v += (x - x_pred)/dt. The prediction is computed anew from x_prev and v: the same
// operations, so the same bits, and no bytes to store. The form (x - x_prev)/dt would lose gravity in
// float at small dt.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
#include "lib/update_velocity.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_update_velocity(u_pass.first + gl_GlobalInvocationID.x);
}
