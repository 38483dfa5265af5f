// Which particles are corners of a triangle that intersects another at the start (x): 1, else 0; nothing where self-collision is
// off.
// permutations: TRIANGLES
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SELF_TRIANGLES) readonly buffer triangles_block { weft_self_triangle triangles[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
layout(location = WEFT_RENDER_LOCATION_TANGLED) uniform uint table; // triangles of self-collision

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
#ifdef TRIANGLES
  // A second pass, over triangles: those of bodies are behind those of the cloth.
  uvec3 corners = triangles[i].corners;
  uint flags = triangles[i].flags;
  if ((flags & WEFT_SELF_BODY) != 0u || (flags & WEFT_SELF_TANGLED) == 0u) return;
  for (uint k = 0u; k < 3u; ++k) values[corners[k]].x = 1.0;
#else
  values[i] = vec2(table > 0u ? 0.0 : WEFT_NO_VALUE, 0.0);
#endif
}
