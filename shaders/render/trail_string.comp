// Ribbons through the recorded positions, newest first: both ends of each piece of the curve with the
// directions there, and in w how old an end is (0 the newest, 1 the oldest; past it: not recorded).
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_RING) readonly buffer ring_block { vec4 ring[]; };
layout(std430, binding = WEFT_RENDER_SLOT_RIBBONS) writeonly buffer ribbons_block {
  vec4 ribbons[]; // end, end, direction, direction
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
layout(location = WEFT_RENDER_LOCATION_RING) uniform uvec4 shape; // trails, rows, newest row, known

const uint PIECES = 4u;

// `back` steps ago, no further than was recorded.
vec3 recorded(uint trail, int back) {
  uint steps = uint(clamp(back, 0, int(shape.w) - 1));
  uint row = (shape.z + shape.y - steps) % shape.y;
  return ring[row * shape.x + trail].xyz;
}

void put(uint i, uint end, uint trail, uint step, float part) {
  vec3 a = recorded(trail, int(step) - 1), b = recorded(trail, int(step));
  vec3 c = recorded(trail, int(step) + 1), d = recorded(trail, int(step) + 2);
  float u = part, u2 = u * u, u3 = u2 * u;
  vec3 from = 0.5 * (c - a), to = 0.5 * (d - b);
  vec3 place = (2.0 * u3 - 3.0 * u2 + 1.0) * b + (u3 - 2.0 * u2 + u) * from +
               (3.0 * u2 - 2.0 * u3) * c + (u3 - u2) * to;
  vec3 way = (6.0 * u2 - 6.0 * u) * (b - c) + (3.0 * u2 - 4.0 * u + 1.0) * from +
             (3.0 * u2 - 2.0 * u) * to;
  bool known = step + 1u < shape.w;
  float age = known ? (float(step) + part) / float(shape.y - 1u) : 2.0;
  ribbons[4u * i + end] = vec4(place, age);
  ribbons[4u * i + 2u + end] = vec4(way, 0.0);
}

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  uint each = (shape.y - 1u) * PIECES;
  uint trail = i / each, piece = i % each;
  uint step = piece / PIECES, part = piece % PIECES;
  put(i, 0u, trail, step, float(part) / float(PIECES));
  put(i, 1u, trail, step, float(part + 1u) / float(PIECES));
}
