// grid_sum: the way up the tree of the prefix sum: each block of one level (from u_offset on) becomes
// an entry of the next (from u_reset on). The tree depends on the number of buckets only.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  uint begin = u_offset + WEFT_GRID_BLOCK * i;
  uint sum = 0u;
  for (uint k = 0u; k < WEFT_GRID_BLOCK; ++k) sum += grid[begin + k];
  grid[u_reset + i] = sum;
}
