// Where the lines of constraints are: straight from the solver's positions.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SEGMENTS) readonly buffer segments_block {
  weft_render_segment segments[];
};
layout(std430, binding = WEFT_RENDER_SLOT_ENDS) writeonly buffer ends_block { vec4 ends[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
layout(location = WEFT_RENDER_LOCATION_ORIGIN) uniform vec3 origin;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  weft_render_segment segment = segments[i];
  ends[2u * i] = vec4(x[segment.from].xyz + origin, 0.0);
  ends[2u * i + 1u] = vec4(x[segment.to].xyz + origin, 0.0);
}
