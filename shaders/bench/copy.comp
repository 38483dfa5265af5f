// copy: what memory gives at best, to measure passes by; with a count of 0, what a dispatch costs.
#include "shared/weft_shared.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(location = WEFT_LOCATION_FIRST) uniform uint u_first;
layout(location = WEFT_LOCATION_COUNT) uniform uint u_count;
layout(std430, binding = 0) restrict readonly buffer From { vec4 from_rows[]; };
layout(std430, binding = 1) restrict writeonly buffer To { vec4 to_rows[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  to_rows[i] = from_rows[i];
}
