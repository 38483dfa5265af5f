// grid_sum: the way up the tree of the prefix sum: each block of one level (from level_first on) becomes
// an entry of the next (from above_first on). The tree depends on the number of buckets only.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  uint begin = u_pass.level_first + WEFT_GRID_BLOCK * i;
  uint sum = 0u;
  for (uint k = 0u; k < WEFT_GRID_BLOCK; ++k) sum += grid[begin + k];
  grid[u_pass.above_first + i] = sum;
}
