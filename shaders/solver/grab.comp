// grab: a held particle is pulled to a moving point by a damped spring, implicit in the particle's
// own velocity, whose force is bounded: however far the point jumps, it cannot throw the particle
// past it. Comes right after the prediction: constraints, contacts and colliders answer afterwards.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_GRAB) restrict readonly buffer Grab { weft_grab grab[]; };
layout(std430, binding = WEFT_SLOT_SUBSTEPS) restrict readonly buffer Substeps {
  weft_substep substeps[];
};
#include "lib/grab.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_grab(u_pass.first + gl_GlobalInvocationID.x, u_substep);
}
