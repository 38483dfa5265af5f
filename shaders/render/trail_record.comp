// A row of the ring: where the particles of all trails are now.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_TRAILS) readonly buffer trails_block {
  uvec4 trails[]; // particle, radius as bits, colour
};
layout(std430, binding = WEFT_RENDER_SLOT_RING) writeonly buffer ring_block { vec4 ring[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
layout(location = WEFT_RENDER_LOCATION_ORIGIN) uniform vec3 origin;
layout(location = WEFT_RENDER_LOCATION_ROW) uniform uint row;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  ring[row + i] = vec4(x[trails[i].x].xyz + origin, 0.0);
}
