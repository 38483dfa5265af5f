// level_project: nodes of a level no further apart than the cloth between them is long; one colour.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_LEVEL_X) restrict buffer LevelX { vec4 level_x[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_BASE) restrict readonly buffer LevelBase { vec4 level_base[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_EDGES) restrict readonly buffer LevelEdges {
  weft_distance edges[];
};
#define WEFT_LEVEL_EDGES
#include "lib/level.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  level_project(level_edge_at(u_pass.first + gl_GlobalInvocationID.x));
}
