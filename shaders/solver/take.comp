// take: paths of pins, or of a body's vertices, end where the caller's buffer says. A path is a row of words, its start
// first and its end from the fifth on. `round` is the words of a path, `group` the first of a body's; `steps` are the
// words from one position of the caller's to the next, `first` those in front of the first.
#include "solver/blocks.glsl"
#include "kernels/exact.h"

layout(local_size_x = 64) in;
layout(std430, binding = 0) restrict buffer Paths { float paths[]; };
layout(std430, binding = 1) restrict readonly buffer Given { float given[]; };
layout(std430, binding = 2) restrict readonly buffer Places { uint places[]; }; // the origin; then which pin each is

void main() {
  uint k = gl_GlobalInvocationID.x;
  if (k >= u_pass.count) return;
  uint place = u_pass.group + k;
  if (u_pass.acts == WEFT_TAKE_PINS) place = places[4u + k];
  uint row = place * u_pass.round;
  if (u_pass.acts == WEFT_TAKE_OVER) { // the frame is done: it starts where it ended
    for (uint c = 0u; c < 3u; ++c) paths[row + c] = paths[row + 4u + c];
    return;
  }
  uint at = u_pass.first + k * u_pass.steps;
  vec3 origin = uintBitsToFloat(uvec3(places[0], places[1], places[2]));
  vec3 to = exact_snap3(v3_sub(vec3(given[at], given[at + 1u], given[at + 2u]), origin));
  for (uint c = 0u; c < 3u; ++c) paths[row + 4u + c] = to[c];
  paths[row + 7u] = 0.0; // a body moves
}
