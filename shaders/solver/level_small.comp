// level_small: all levels that are small, up and down again, inside one work group: what would be dozens
// of dispatches with hardly any work in each. Steps are the other level passes; between two of them the
// group waits and sees what it wrote.
#define WEFT_PASS_GROUP WEFT_LEVEL_GROUP
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_LEVEL_X) coherent restrict buffer LevelX { vec4 level_x[]; };
layout(std430, binding = WEFT_SLOT_LEVEL_BASE) coherent restrict buffer LevelBase {
  vec4 level_base[];
};
layout(std430, binding = WEFT_SLOT_LEVEL_EDGES) restrict readonly buffer LevelEdges {
  weft_distance edges[];
};
layout(std430, binding = WEFT_SLOT_LEVEL_OFFSETS) restrict readonly buffer LevelOffsets {
  uint offsets[];
};
layout(std430, binding = WEFT_SLOT_LEVEL_CHILDREN) restrict readonly buffer LevelChildren {
  weft_level_child children[];
};
layout(std430, binding = WEFT_SLOT_LEVEL_ALL_PARENTS) restrict readonly buffer LevelParents {
  weft_level_parents parents[];
};
layout(std430, binding = WEFT_SLOT_LEVEL_STEPS) restrict readonly buffer LevelSteps {
  weft_level_step steps[];
};
#define WEFT_LEVEL_MEAN
#define WEFT_LEVEL_FOLLOW
#define WEFT_LEVEL_EDGES
#include "lib/level.glsl"
#include "lib/level_restrict.glsl"
#include "lib/level_prolong.glsl"

void main() {
  for (uint s = 0u; s < u_pass.steps; ++s) {
    weft_level_step step = steps[u_pass.first + s];
    for (uint k = gl_LocalInvocationID.x; k < step.count; k += uint(WEFT_LEVEL_GROUP)) {
      uint i = step.first + k;
      if (step.kind == WEFT_LEVEL_RESTRICT) {
        pass_level_restrict(i);
      } else if (step.kind == WEFT_LEVEL_PROJECT) {
        level_project(level_edge_at(i));
      } else {
        pass_level_prolong(i);
      }
    }
    memoryBarrierBuffer();
    barrier();
  }
}
