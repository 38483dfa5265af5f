// copy: what memory gives at best, to measure passes by; with a count of 0, what a dispatch costs.
// Elements are read as passes read theirs.
// permutations: WEFT_TEXTURES=1
#include "shared/weft_shared.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;
layout(location = 0) uniform uint u_first;
layout(location = 1) uniform uint u_count;
#ifdef WEFT_TEXTURES
layout(binding = 0) uniform usamplerBuffer u_from;
#else
layout(std430, binding = 0) restrict readonly buffer From { vec4 from_elements[]; };
#endif
layout(std430, binding = 1) restrict writeonly buffer To { vec4 to_elements[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
#ifdef WEFT_TEXTURES
  to_elements[i] = uintBitsToFloat(texelFetch(u_from, int(i)));
#else
  to_elements[i] = from_elements[i];
#endif
}
