// How much the most stretched edge or link at each particle is stretched; with COMPRESSION how much the most
// compressed one is compressed. Either is 0 where there is none of it, and goes smoothly from particle
// to particle, which the larger of both with its sign does not.
// permutations: COMPRESSION
#include "shared/weft_shared.h"
#include "render/frame.h"
#include "render/strain.glsl"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };
layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uint end = offsets[i + 1u];
  float most = offsets[i] == end ? WEFT_NO_VALUE : 0.0;
  for (uint k = offsets[i]; k < end; ++k) most = max(most, strain_of(items[k]));
  values[i] = vec2(most, 0.0);
}
