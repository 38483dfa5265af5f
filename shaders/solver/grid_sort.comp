// grid_sort: each particle finds its rank among those of its bucket, which makes the order that
// grid_fill left to chance ascending. Overfull buckets (WEFT_GRID_MOST) are left out.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/grid.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_GRID) restrict readonly buffer Grid { uint grid[]; };
layout(std430, binding = WEFT_SLOT_GRID_LOOSE) restrict readonly buffer GridLoose {
  uint grid_loose[];
};
layout(std430, binding = WEFT_SLOT_GRID_ITEMS) restrict writeonly buffer GridItems {
  uint grid_items[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  uint bucket = grid_bucket(grid_cell(x_at(i).xyz));
  uint begin = bucket == 0u ? 0u : grid_at(bucket - 1u);
  uint end = grid_at(bucket);
  if (end - begin > WEFT_GRID_MOST) return;
  uint rank = 0u;
  for (uint k = begin; k < end; ++k) rank += grid_loose_at(k) < i ? 1u : 0u;
  grid_items[begin + rank] = i;
}
