// level_prolong: the nodes of a level follow those of the coarser one above.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_LEVEL_X) restrict buffer LevelX { vec4 level_x[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_BASE) restrict readonly buffer LevelBase { vec4 level_base[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_PARENTS) restrict readonly buffer LevelParents {
  weft_level_parents parents[];
};
#define WEFT_LEVEL_FOLLOW
#include "lib/level.glsl"
#include "lib/level_prolong.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_level_prolong(u_pass.first + gl_GlobalInvocationID.x);
}
