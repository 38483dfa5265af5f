// project_distance: |x_a - x_b| = rest_length, one batch (or the Jacobi tail) of constraints.
// Mueller et al. 2007 section 3.3; XPBD with damping: Macklin et al. 2016. As an inequality (u_sense) its
// multiplier keeps its sign: what would change it stops at 0.
// permutations: WEFT_JACOBI=1; WEFT_LAMBDA=1; WEFT_JACOBI=1 WEFT_LAMBDA=1
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONSTRAINTS) restrict readonly buffer Constraints {
  weft_distance constraints[];
};
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_XPBD) restrict readonly buffer Xpbd { weft_xpbd xpbd[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { float lambda[]; };
#endif
#ifdef WEFT_JACOBI
#include "lib/delta.glsl"
#endif

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  weft_distance c = constraints[i];
  vec4 pa = x[c.a];
  vec4 pb = x[c.b];
  precise vec3 d = pa.xyz - pb.xyz;
  d = exact_flush3(d);
  precise float length2 = exact_dot(d, d);
  precise float shortest2 = c.rest_length * c.rest_length;
  shortest2 = shortest2 * WEFT_MIN_LENGTH_RATIO2;
  precise float inverse = exact_rsqrt(length2);
  precise float len = length2 * inverse;
  precise vec3 n = d * inverse;
  precise float violation = len - c.rest_length;
#ifdef WEFT_LAMBDA
  float before = u_reset == 1u ? 0.0 : lambda[i];
  precise float held = xpbd[i].compliance * before;
  precise vec3 moved_a = pa.xyz - x_prev[c.a].xyz;
  precise vec3 moved_b = pb.xyz - x_prev[c.b].xyz;
  precise vec3 moved = moved_a - moved_b;
  moved = exact_flush3(moved);
  precise float damped = exact_dot(n, moved);
  damped = exact_flush(damped);
  damped = xpbd[i].gamma * damped;
  violation = violation + held;
  violation = violation + damped;
#endif
  precise float step = violation * c.inv_denominator;
  step = length2 > shortest2 ? step : 0.0;
  step = exact_trim(step);
#ifdef WEFT_LAMBDA
  precise float after = before - step;
  bool pushes = u_sense == WEFT_ACTS_STRETCHED && after > 0.0;
  bool pulls = u_sense == WEFT_ACTS_COMPRESSED && after < 0.0;
  step = pushes || pulls ? before : step;
  after = pushes || pulls ? 0.0 : after;
  lambda[i] = after;
#else
  bool pushes = u_sense == WEFT_ACTS_STRETCHED && step < 0.0;
  bool pulls = u_sense == WEFT_ACTS_COMPRESSED && step > 0.0;
  step = pushes || pulls ? 0.0 : step;
#endif
  // Where the direction is undefined n may be anything; step is 0 there, and 0 times a NaN must not
  // reach the positions.
  if (step == 0.0) {
#ifdef WEFT_JACOBI
    uint still = u_offset + 2u * gl_GlobalInvocationID.x;
    put_delta(still, vec3(0.0));
    put_delta(still + 1u, vec3(0.0));
#endif
    return;
  }
  precise float step_a = pa.w * step;
  precise float step_b = pb.w * step;
  precise vec3 delta_a = n * step_a;
  precise vec3 delta_b = n * step_b;
#ifdef WEFT_JACOBI
  uint slot = u_offset + 2u * gl_GlobalInvocationID.x;
  put_delta(slot, -delta_a);
  put_delta(slot + 1u, delta_b);
#else
  precise vec3 new_a = pa.xyz - delta_a;
  new_a = exact_flush3(new_a);
  precise vec3 new_b = pb.xyz + delta_b;
  new_b = exact_flush3(new_b);
  x[c.a] = vec4(new_a, pa.w);
  x[c.b] = vec4(new_b, pb.w);
#endif
}
