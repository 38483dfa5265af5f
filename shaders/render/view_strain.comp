// The strain of the most strained edge or link at each particle, with its sign. A rope that hangs
// loose and a strut that has lifted off are not strained.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_OFFSETS) readonly buffer offsets_block { uint offsets[]; };
layout(std430, binding = WEFT_RENDER_SLOT_ITEMS) readonly buffer items_block { uint items[]; };
layout(std430, binding = WEFT_RENDER_SLOT_DISTANCE) readonly buffer distance_block {
  weft_distance distances[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

float strain_of(uint item) {
  weft_distance c = distances[item & WEFT_ITEM_INDEX];
  float strain = length(x[c.a].xyz - x[c.b].xyz) / c.rest_length - 1.0;
  uint sense = item >> WEFT_ITEM_SHIFT;
  if (sense == WEFT_ACTS_STRETCHED) return max(strain, 0.0);
  if (sense == WEFT_ACTS_COMPRESSED) return min(strain, 0.0);
  return strain;
}

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uint end = offsets[i + 1u];
  float most = offsets[i] == end ? WEFT_NO_VALUE : 0.0;
  for (uint k = offsets[i]; k < end; ++k) {
    float strain = strain_of(items[k]);
    if (k == offsets[i] || abs(strain) > abs(most)) most = strain;
  }
  values[i] = vec2(most, 0.0);
}
