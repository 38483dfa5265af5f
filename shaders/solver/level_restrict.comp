// level_restrict: the nodes of a level become the means of nodes of the level below.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_LEVEL_X) restrict buffer LevelX { vec4 level_x[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_BASE) restrict writeonly buffer LevelBase { vec4 level_base[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_OFFSETS) restrict readonly buffer LevelOffsets {
  uint offsets[];
};
layout(std430, binding = WEFT_SLOT_LEVEL_CHILDREN) restrict readonly buffer LevelChildren {
  weft_level_child children[];
};
#define WEFT_LEVEL_MEAN
#include "lib/level.glsl"
#include "lib/level_restrict.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_level_restrict(u_pass.first + gl_GlobalInvocationID.x);
}
