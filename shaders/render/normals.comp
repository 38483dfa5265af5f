// Vertex normals, weighted by area: the cross product of two edges is twice the area long. Each
// vertex gathers over its own triangles, so there is nothing to clear and nothing to add up
// atomically.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_TRIANGLES) readonly buffer triangles_block {
  uint triangles[];
};
layout(std430, binding = WEFT_RENDER_SLOT_CORNER_OFFSETS) readonly buffer offsets_block {
  uint corner_offsets[];
};
layout(std430, binding = WEFT_RENDER_SLOT_CORNER_ITEMS) readonly buffer items_block {
  uint corner_items[];
};
layout(std430, binding = WEFT_RENDER_SLOT_NORMALS) writeonly buffer normals_block {
  vec4 normals[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint vertex = first + gl_GlobalInvocationID.x;
  vec3 sum = vec3(0.0);
  uint end = corner_offsets[vertex + 1u];
  for (uint i = corner_offsets[vertex]; i < end; ++i) {
    uint t = corner_items[i] / 3u * 3u;
    vec3 a = x[triangles[t]].xyz;
    sum += cross(x[triangles[t + 1u]].xyz - a, x[triangles[t + 2u]].xyz - a);
  }
  float size = length(sum);
  normals[vertex] = vec4(size > 0.0 ? sum / size : vec3(0.0, 1.0, 0.0), 0.0);
}
