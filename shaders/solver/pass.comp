// pass: one pass by itself. made.glsl is what the host makes of its row of passes.def: the buffers at their slots, how
// elements are read (AT), the choices among constraints and shapes, the include of passes/NAME.h, and RUN.
#include "solver/blocks.glsl"
#include "made.glsl"

void main() {
#ifdef BY_GROUP
  uint i = u_pass.first + gl_WorkGroupID.x;
  RUN;
#else
  // Where a pass counts the groups of another one, they come in rows: one row has no more than GL promises.
  uint k = gl_GlobalInvocationID.x + gl_WorkGroupID.y * (WEFT_SELF_ROW * uint(WEFT_PASS_GROUP));
  if (k >= u_pass.count) return;
  uint i = u_pass.first + k;
  RUN;
#endif
}
