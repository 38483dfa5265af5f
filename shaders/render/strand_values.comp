// The values at both ends of each ball and rod; strain is that of the link a rod stands for.
// permutations: STRAIN; STRAIN COMPRESSION
#include "shared/weft_shared.h"
#include "render/frame.h"
#ifdef STRAIN
#include "render/strain.glsl"
#endif

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_VALUES) readonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_INSTANCES) readonly buffer strands_block {
  uvec4 strands[]; // particle, particle, radius as bits, colour
};
layout(std430, binding = WEFT_RENDER_SLOT_STRAND_VALUES) writeonly buffer out_block {
  vec4 strand_values[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

vec4 values_at(uint a, uint b) {
#ifdef STRAIN
  float most = 0.0;
  bool found = false;
  for (uint k = offsets[a]; k < offsets[a + 1u] && a != b; ++k) {
    weft_pair_element c = distances[items[k] & WEFT_ITEM_INDEX];
    if (c.a + c.b - a != b) continue;
    most = max(most, strain_of(items[k]));
    found = true;
  }
  if (found) return vec4(most, 0.0, most, 0.0);
#endif
  return vec4(values[a], values[b]);
}

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  strand_values[i] = values_at(strands[i].x, strands[i].y);
}
