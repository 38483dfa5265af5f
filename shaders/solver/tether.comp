// tether: a particle further from a pinned one than the cloth between them is long comes back to
// that length, nearest attachment first (Kim, Chentanez and Mueller-Fischer 2012, "Long range
// attachments"). Pinned particles are read and never written, so the order of particles is free.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_TETHERS) restrict readonly buffer Tethers {
  weft_tether tethers[];
};
#include "lib/tether.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_tether(u_pass.first + gl_GlobalInvocationID.x);
}
