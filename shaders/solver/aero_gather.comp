// aero_gather: every particle takes its share of the forces on its triangles, in ascending order.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_FORCES) restrict readonly buffer Forces { vec4 forces[]; };
layout(std430, binding = WEFT_SLOT_CORNER_OFFSETS) restrict readonly buffer CornerOffsets {
  uint corner_offsets[];
};
layout(std430, binding = WEFT_SLOT_CORNER_ITEMS) restrict readonly buffer CornerItems {
  uint corner_items[];
};
#include "lib/aero_gather.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_aero_gather(u_pass.first + gl_GlobalInvocationID.x);
}
