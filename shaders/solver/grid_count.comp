// grid_count: how many particles each bucket holds. Sums of integers do not depend on the order.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/grid.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  uint bucket = grid_bucket(grid_cell(x_at(i).xyz));
  atomicAdd(grid[bucket], 1u);
}
