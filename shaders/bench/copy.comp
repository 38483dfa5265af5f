// copy: what memory gives at best, to measure passes by; with a count of 0, what a dispatch costs.
// Rows are read as passes read theirs.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(location = 0) uniform uint u_first;
layout(location = 1) uniform uint u_count;
layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer From { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict writeonly buffer To { vec4 to_rows[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  to_rows[i] = x_at(i);
}
