// Where the balls and rods of a picture are: both ends from the solver's positions.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_STRANDS) readonly buffer strands_block {
  uvec4 strands[]; // particle, particle, radius as bits, colour
};
layout(std430, binding = WEFT_RENDER_SLOT_ENDS) writeonly buffer ends_block { vec4 ends[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
layout(location = WEFT_RENDER_LOCATION_ORIGIN) uniform vec3 origin;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uvec4 strand = strands[i];
  ends[2u * i] = vec4(x[strand.x].xyz + origin, uintBitsToFloat(strand.z));
  ends[2u * i + 1u] = vec4(x[strand.y].xyz + origin, 0.0);
}
