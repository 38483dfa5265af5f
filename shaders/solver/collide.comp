// collide: push particles out of planes, spheres, capsules and boxes, one collider after the other,
// with Coulomb friction against the surface's own motion (Mueller et al. 2007; Macklin et al. 2014,
// "Unified particle physics", section 6.1).
// permutations: WEFT_TEXELS=1; WEFT_SHAPES=1u; WEFT_SHAPES=2u; WEFT_SHAPES=12u
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/contact.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_COLLIDERS) restrict readonly buffer Colliders {
  weft_collider_pose colliders[];
};
#include "lib/collide.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_collide(u_pass.first + gl_GlobalInvocationID.x, u_substep);
}
