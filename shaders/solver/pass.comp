// pass: one pass by itself. made.glsl is what the host makes of its row of passes.def: the buffers at their slots, how
// elements are read (AT), the choices among constraints and shapes, the include of passes/NAME.h, and RUN.
#include "solver/blocks.glsl"
#include "made.glsl"

void main() {
  // Where a pass counts the groups of another one, they come in rows: one row has no more than GL promises.
#ifdef BY_GROUP
  uint k = gl_WorkGroupID.x + gl_WorkGroupID.y * WEFT_SELF_ROW;
  if (k >= u_pass.count) return;
  uint i = u_pass.first + k;
  RUN;
#else
  uint k = gl_GlobalInvocationID.x + gl_WorkGroupID.y * (WEFT_SELF_ROW * uint(WEFT_PASS_GROUP));
  if (k >= u_pass.count) return;
  uint i = u_pass.first + k;
  RUN;
#endif
}
