// pick_best: one level of the tree above pick_near: the first of WEFT_FAN rows of the level below,
// the earliest of several. The level below begins at below_first and ends at level_first.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_PICK) restrict buffer Pick { weft_pick pick[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint row = u_pass.first + gl_GlobalInvocationID.x;
  uint begin = u_pass.below_first + (row - u_pass.level_first) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u_pass.level_first);
  weft_pick best = weft_pick(0.0, 0.0, WEFT_PICK_NONE, 0u);
  for (uint k = begin; k < end; ++k) {
    weft_pick other = pick[k];
    bool first = best.particle == WEFT_PICK_NONE || other.along < best.along;
    if (other.particle != WEFT_PICK_NONE && first) best = other;
  }
  pick[row] = best;
}
