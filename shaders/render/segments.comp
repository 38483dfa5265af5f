// Where the lines of constraints are: straight from the solver's tables and positions.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SEGMENTS) readonly buffer segments_block {
  weft_render_segment segments[];
};
layout(std430, binding = WEFT_RENDER_SLOT_ENDS) writeonly buffer ends_block { vec4 ends[]; };
layout(std430, binding = WEFT_RENDER_SLOT_DISTANCE) readonly buffer distance_block {
  weft_pair_row distances[];
};
layout(std430, binding = WEFT_RENDER_SLOT_ISOMETRIC) readonly buffer isometric_block {
  weft_quad_row isometrics[];
};
layout(std430, binding = WEFT_RENDER_SLOT_DIHEDRAL) readonly buffer dihedral_block {
  weft_quad_row dihedrals[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

uvec4 particles_of(uint item) {
  uint type = item >> WEFT_ITEM_SHIFT, index = item & WEFT_ITEM_INDEX;
  if (type == WEFT_ITEM_ISOMETRIC) return isometrics[index].particles;
  if (type == WEFT_ITEM_DIHEDRAL) return dihedrals[index].particles;
  return uvec4(distances[index].a, distances[index].b, 0u, 0u);
}

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  weft_render_segment segment = segments[i];
  uvec4 particles = particles_of(segment.item);
  ends[2u * i] = vec4(x[particles[segment.from]].xyz, 0.0);
  ends[2u * i + 1u] = vec4(x[particles[segment.to]].xyz, 0.0);
}
