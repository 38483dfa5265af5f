// damp_angular: second leaf sums of global damping: angular momentum about the centre of mass and the
// inertia tensor of WEFT_FAN particles. The row before this level, the root of the first tree, holds
// the sums that give the centre and its velocity.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_V) restrict readonly buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_MOTION) restrict buffer Motion { weft_motion motion[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint row = u_first + gl_GlobalInvocationID.x;
  uint begin = (row - u_reset) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u.particle_count);
  precise vec3 centre = motion[u_reset - 1u].a.xyz * u.inv_total_mass;
  precise vec3 drift = motion[u_reset - 1u].b.xyz * u.inv_total_mass;
  precise vec3 spin = vec3(0.0);
  precise vec3 diagonal = vec3(0.0);
  precise vec3 products = vec3(0.0);
  for (uint i = begin; i < end; ++i) {
    vec4 p = x[i];
    if (p.w == 0.0) continue;
    precise float mass = exact_rcp(p.w);
    precise vec3 r = p.xyz - centre;
    r = exact_flush3(r);
    precise vec3 relative = v[i].xyz - drift;
    relative = exact_flush3(relative);
    precise vec3 turn = exact_cross(r, relative);
    turn = exact_trim3(turn);
    turn = turn * mass;
    spin = spin + exact_trim3(turn);
    precise vec3 square = r * r;
    precise vec3 around = square.yzx + square.zxy;
    around = around * mass;
    diagonal = diagonal + exact_trim3(around);
    precise vec3 mixed = r.xxy * r.yzz;
    mixed = mixed * mass;
    products = products - exact_trim3(mixed);
  }
  motion[row].a = vec4(spin, 0.0);
  motion[row].b = vec4(diagonal, 0.0);
  motion[row].c = vec4(products, 0.0);
}
