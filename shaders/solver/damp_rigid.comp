// damp_rigid: from the two roots, the last rows of their trees, to the rigid motion of a body: centre,
// its velocity, and the angular velocity w with I w = L, by a symmetric elimination that takes the
// largest diagonal first. What has no inertia (particles on a line, a single one) does not turn about
// that axis.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_MOTION) restrict buffer Motion { weft_motion motion[]; };
#include "lib/damp_rigid.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint k = gl_GlobalInvocationID.x;
  pass_damp_rigid(u_pass.first + k, u_pass.tree_rows - 1u + k, 2u * u_pass.tree_rows - 1u + k);
}
