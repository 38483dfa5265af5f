// aero_force: a third of the air's force on each triangle. Pressure drag along the normal, quadratic
// in the normal part of the relative wind, and skin friction along the triangle. Explicit and
// quadratic, so neither may push harder than what stops the three particles in one step, were they the
// triangle's alone: else light cloth in a storm would be thrown back faster than it came.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict readonly buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_TRIANGLES) restrict readonly buffer Triangles {
  uint triangles[];
};
layout(std430, binding = WEFT_SLOT_FORCES) restrict writeonly buffer Forces { vec4 forces[]; };
layout(std430, binding = WEFT_SLOT_SUBSTEPS) restrict readonly buffer Substeps {
  weft_substep substeps[];
};
#include "lib/aero_force.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_aero_force(u_pass.first + gl_GlobalInvocationID.x, u_substep);
}
