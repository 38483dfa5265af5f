// predict: external accelerations and damping, then the position the particle would reach freely.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict writeonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
#include "lib/predict.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_predict(u_pass.first + gl_GlobalInvocationID.x);
}
