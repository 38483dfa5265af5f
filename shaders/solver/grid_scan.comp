// grid_scan: the way down the tree of the prefix sum: each entry becomes the sum of all entries
// before it, those of earlier blocks taken from the level above (from above_first on).
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  uint begin = u_pass.level_first + WEFT_GRID_BLOCK * i;
  uint sum = 0u;
  if (u_pass.above_first != WEFT_GRID_TOP) sum = grid[u_pass.above_first + i];
  for (uint k = 0u; k < WEFT_GRID_BLOCK; ++k) {
    uint entry = grid[begin + k];
    grid[begin + k] = sum;
    sum += entry;
  }
}
