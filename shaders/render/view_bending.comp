// The largest angle by which a hinge at each particle is bent away from its rest angle, radians. A
// distance that stands for bending tells it by the chord of two equal sides straight at rest.
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
layout(std430, binding = WEFT_RENDER_SLOT_ISOMETRIC) readonly buffer isometric_block {
  weft_isometric isometrics[];
};
layout(std430, binding = WEFT_RENDER_SLOT_DIHEDRAL) readonly buffer dihedral_block {
  weft_dihedral dihedrals[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

// The signed angle between the triangles p0 p2 p3 and p1 p3 p2 about the edge p2 p3.
float angle_of(vec3 p0, vec3 p1, vec3 p2, vec3 p3) {
  vec3 n1 = cross(p2 - p0, p3 - p0), n2 = cross(p3 - p1, p2 - p1), e = p3 - p2;
  float sine = dot(cross(n1, n2), e), cosine = dot(n1, n2) * length(e);
  return sine == 0.0 && cosine == 0.0 ? 0.0 : atan(sine, cosine);
}

float bend_of(uint item) {
  uint type = item >> WEFT_ITEM_SHIFT, index = item & WEFT_ITEM_INDEX;
  if (type == WEFT_ITEM_DISTANCE) {
    weft_distance c = distances[index];
    float chord = length(x[c.a].xyz - x[c.b].xyz) / c.rest_length;
    return 2.0 * acos(clamp(chord, 0.0, 1.0));
  }
  if (type == WEFT_ITEM_ISOMETRIC) {
    uvec4 p = isometrics[index].particles;
    return abs(angle_of(x[p.z].xyz, x[p.w].xyz, x[p.x].xyz, x[p.y].xyz));
  }
  weft_dihedral c = dihedrals[index];
  uvec4 p = c.particles;
  float bend = abs(angle_of(x[p.x].xyz, x[p.y].xyz, x[p.z].xyz, x[p.w].xyz) - c.rest_angle);
  return min(bend, abs(6.28318531 - bend));
}

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uint end = offsets[i + 1u];
  float most = offsets[i] == end ? WEFT_NO_VALUE : 0.0;
  for (uint k = offsets[i]; k < end; ++k) most = max(most, bend_of(items[k]));
  values[i] = vec2(most, 0.0);
}
