// grid_scan: the way down the tree of the prefix sum: each entry becomes the sum of all entries
// before it, those of earlier blocks taken from the level above (from u_reset on).
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  uint begin = u_offset + WEFT_GRID_BLOCK * i;
  uint sum = 0u;
  if (u_reset != WEFT_GRID_TOP) sum = grid[u_reset + i];
  for (uint k = 0u; k < WEFT_GRID_BLOCK; ++k) {
    uint entry = grid[begin + k];
    grid[begin + k] = sum;
    sum += entry;
  }
}
