// level_spread: the particles follow the nodes of the finest of the coarse levels.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_X) restrict readonly buffer LevelX { vec4 level_x[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_BASE) restrict readonly buffer LevelBase { vec4 level_base[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_PARENTS) restrict readonly buffer LevelParents {
  weft_level_parents particle_parents[];
};
#define WEFT_LEVEL_FOLLOW
#include "lib/level.glsl"
#include "lib/level_spread.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_level_spread(u_pass.first + gl_GlobalInvocationID.x);
}
