// project_distance: |x_a - x_b| = rest_length, one batch (or the Jacobi tail) of constraints.
// The arithmetic is in lib/distance.glsl.
// permutations: WEFT_JACOBI=1; WEFT_LAMBDA=1; WEFT_JACOBI=1 WEFT_LAMBDA=1
// permutations: WEFT_TEXELS=1; WEFT_TEXELS=1 WEFT_LAMBDA=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/distance.glsl"
#include "lib/moved.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONSTRAINTS) restrict readonly buffer Constraints {
  weft_distance distances[];
};
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_XPBD) restrict readonly buffer Xpbd { weft_xpbd distance_xpbd[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { float lambda[]; };
#endif
#ifdef WEFT_JACOBI
#include "lib/delta.glsl"
#endif

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  weft_distance c = distance_at(i);
  vec4 pa = x_at(c.a);
  vec4 pb = x_at(c.b);
  precise vec3 n;
  precise float violation;
  bool defined;
  distance_measure(pa.xyz, pb.xyz, c.rest_length, n, violation, defined);
#ifdef WEFT_LAMBDA
  float multiplier = u_pass.first_iteration == 1u ? 0.0 : lambda_at(i);
  precise float parted = distance_parted(n, pa.xyz, pb.xyz, x_prev_at(c.a).xyz, x_prev_at(c.b).xyz);
  precise float step = distance_step_lambda(violation, parted, defined, c.inv_denominator, distance_xpbd_at(i),
                                            u_pass.acts, multiplier);
  lambda[i] = multiplier;
#else
  precise float step = distance_step(violation, defined, c.inv_denominator, u_pass.acts);
#endif
  // Where the direction is undefined n may be anything; step is 0 there, and 0 times a NaN must not
  // reach the positions.
  if (step == 0.0) {
#ifdef WEFT_JACOBI
    uint still = u_pass.delta_first + 2u * gl_GlobalInvocationID.x;
    put_delta(still, vec3(0.0));
    put_delta(still + 1u, vec3(0.0));
#endif
    return;
  }
  precise vec3 delta_a = distance_delta(n, step, pa.w);
  precise vec3 delta_b = distance_delta(n, step, pb.w);
#ifdef WEFT_JACOBI
  uint slot = u_pass.delta_first + 2u * gl_GlobalInvocationID.x;
  put_delta(slot, -delta_a);
  put_delta(slot + 1u, delta_b);
#else
  x[c.a] = vec4(moved_back(pa.xyz, delta_a), pa.w);
  x[c.b] = vec4(moved_on(pb.xyz, delta_b), pb.w);
#endif
}
