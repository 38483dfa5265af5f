// jacobi_apply: every particle adds up its corrections in ascending slot order. The relaxation is in
// the corrections already (per constraint, so that momentum is kept).
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
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  uint begin = gather_offsets[u_offset + i];
  uint end = gather_offsets[u_offset + i + 1u];
  precise vec3 sum = vec3(0.0);
  for (uint k = begin; k < end; ++k) {
    uint slot = 3u * gather_slots[k];
    sum = sum + vec3(delta[slot], delta[slot + 1u], delta[slot + 2u]);
  }
  vec4 p = x[i];
  precise vec3 moved = p.xyz + sum;
  moved = exact_flush3(moved);
  x[i] = vec4(moved, p.w);
}
