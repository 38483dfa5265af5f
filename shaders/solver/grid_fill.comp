// grid_fill: particles into their buckets, in whatever order they come. Each moves its bucket's
// start on, so that afterwards the start of a bucket is its end, and the one before it its start.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/grid.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };
layout(std430, binding = WEFT_SLOT_GRID_LOOSE) restrict writeonly buffer GridLoose {
  uint grid_loose[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  uint bucket = grid_bucket(grid_cell(x_at(i).xyz));
  uint place = atomicAdd(grid[bucket], 1u);
  grid_loose[place] = i;
}
