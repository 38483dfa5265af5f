// The values at both ends of each ball and rod.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_VALUES) readonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_OFFSETS) readonly buffer strands_block {
  uvec4 strands[]; // particle, particle, radius as bits, colour
};
layout(std430, binding = WEFT_RENDER_SLOT_STRAND_VALUES) writeonly buffer out_block {
  vec4 strand_values[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uvec4 strand = strands[i];
  strand_values[i] = vec4(values[strand.x], values[strand.y]);
}
