// The largest angle by which a hinge at each particle is bent away from its rest angle, radians. A
// distance that stands for bending tells it by the chord of two equal sides straight at rest.
// permutations: ENERGY
//
// ENERGY: what the model's bending constraints store, C^2 / (2 alpha) each, in equal parts at their
// particles; J/m^2 of the cloth that a particle stands for, J where there are no triangles.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_VALUES) writeonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_OFFSETS) readonly buffer offsets_block { uint offsets[]; };
layout(std430, binding = WEFT_RENDER_SLOT_ITEMS) readonly buffer items_block { uint items[]; };
layout(std430, binding = WEFT_RENDER_SLOT_LENGTHS) readonly buffer length_block {
  weft_pair_element lengths[];
};
layout(std430, binding = WEFT_RENDER_SLOT_SUMS) readonly buffer sum_block {
  weft_quad_element sums[];
};
layout(std430, binding = WEFT_RENDER_SLOT_ANGLES) readonly buffer angle_block {
  weft_quad_element angles[];
};

#ifdef ENERGY
// 1 / area of each particle; then by measure, from `bases` on, 1 / (2 alpha) over the number of
// particles: of a distance when it is stretched and when it is compressed, of a hinge once.
layout(std430, binding = WEFT_RENDER_SLOT_TERMS) readonly buffer terms_block { float terms[]; };
layout(location = WEFT_RENDER_LOCATION_BASES) uniform uvec3 bases;
#endif
layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

// The signed angle between the triangles p0 p2 p3 and p1 p3 p2 about the edge p2 p3.
float angle_of(vec3 p0, vec3 p1, vec3 p2, vec3 p3) {
  vec3 n1 = cross(p2 - p0, p3 - p0), n2 = cross(p3 - p1, p2 - p1), e = p3 - p2;
  float sine = dot(cross(n1, n2), e), cosine = dot(n1, n2) * length(e);
  return sine == 0.0 && cosine == 0.0 ? 0.0 : atan(sine, cosine);
}

float bend_of_angle(weft_quad_element c) {
  uvec4 p = c.particles;
  float bend = abs(angle_of(x[p.x].xyz, x[p.y].xyz, x[p.z].xyz, x[p.w].xyz) - c.data.x);
  return min(bend, abs(6.28318531 - bend));
}

#ifdef ENERGY
float energy_of(uint item) {
  uint measure = item >> WEFT_ITEM_SHIFT, index = item & WEFT_ITEM_INDEX;
  if (measure == WEFT_ITEM_LENGTH) {
    weft_pair_element c = lengths[index];
    float error = length(x[c.a].xyz - x[c.b].xyz) - c.rest;
    return terms[bases.x + 2u * index + (error < 0.0 ? 1u : 0u)] * error * error;
  }
  if (measure == WEFT_ITEM_SUM) {
    uvec4 p = sums[index].particles;
    vec4 k = sums[index].data;
    vec3 last = x[p.w].xyz;
    vec3 error = k.x * (x[p.x].xyz - last) + k.y * (x[p.y].xyz - last) + k.z * (x[p.z].xyz - last);
    return terms[bases.y + index] * dot(error, error);
  }
  float bend = bend_of_angle(angles[index]);
  return terms[bases.z + index] * bend * bend;
}

float value_at(uint particle, uint begin, uint end) {
  float sum = 0.0;
  for (uint k = begin; k < end; ++k) sum += energy_of(items[k]);
  return sum * terms[particle];
}
#else
float bend_of(uint item) {
  uint measure = item >> WEFT_ITEM_SHIFT, index = item & WEFT_ITEM_INDEX;
  if (measure == WEFT_ITEM_LENGTH) {
    weft_pair_element c = lengths[index];
    float chord = length(x[c.a].xyz - x[c.b].xyz) / c.rest;
    return 2.0 * acos(clamp(chord, 0.0, 1.0));
  }
  if (measure == WEFT_ITEM_SUM) {
    uvec4 p = sums[index].particles;
    return abs(angle_of(x[p.z].xyz, x[p.w].xyz, x[p.x].xyz, x[p.y].xyz));
  }
  return bend_of_angle(angles[index]);
}

float value_at(uint particle, uint begin, uint end) {
  float most = 0.0;
  for (uint k = begin; k < end; ++k) most = max(most, bend_of(items[k]));
  return most;
}
#endif

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uint begin = offsets[i], end = offsets[i + 1u];
  values[i] = vec2(begin == end ? WEFT_NO_VALUE : value_at(i, begin, end), 0.0);
}
