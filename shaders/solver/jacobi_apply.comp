// jacobi_apply: every particle adds up its corrections in ascending slot order. The relaxation is in
// the corrections already (per constraint, so that momentum is kept).
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_GATHER_OFFSETS) restrict readonly buffer GatherOffsets {
  uint gather_offsets[];
};
layout(std430, binding = WEFT_SLOT_GATHER_SLOTS) restrict readonly buffer GatherSlots {
  uint gather_slots[];
};
layout(std430, binding = WEFT_SLOT_DELTA) restrict readonly buffer Delta { float delta[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  uint begin = gather_offset_at(u_pass.gather_first + i);
  uint end = gather_offset_at(u_pass.gather_first + i + 1u);
  precise vec3 sum = vec3(0.0);
  for (uint k = begin; k < end; ++k) {
    uint slot = gather_slot_at(k);
    sum = sum + delta_at(slot);
  }
  vec4 p = x_at(i);
  precise vec3 moved = p.xyz + sum;
  moved = exact_flush3(moved);
  x[i] = vec4(moved, p.w);
}
