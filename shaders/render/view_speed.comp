// How fast each particle is, m/s.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_V) readonly buffer v_block { vec4 v[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  values[i] = vec2(length(v[i].xyz), 0.0);
}
