// grid_clear: empty every bucket of the grid.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_GRID) restrict buffer Grid { uint grid[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  grid[i] = 0u;
}
