// project_isometric: K0 x0 + K1 x1 + K2 x2 + K3 x3 = 0 with K from the rest cotangents. Constant gradient
// and denominator: no root, no division. The arithmetic is in lib/isometric.glsl.
// permutations: WEFT_JACOBI=1; WEFT_LAMBDA=1; WEFT_JACOBI=1 WEFT_LAMBDA=1
// permutations: WEFT_TEXELS=1; WEFT_TEXELS=1 WEFT_LAMBDA=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/isometric.glsl"
#include "lib/moved.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONSTRAINTS) restrict readonly buffer Constraints {
  weft_isometric isometrics[];
};
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_XPBD) restrict readonly buffer Xpbd { weft_xpbd isometric_xpbd[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { vec4 lambda[]; };
#endif
#ifdef WEFT_JACOBI
#include "lib/delta.glsl"
#endif

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  weft_isometric c = isometric_at(i);
  uvec4 q = c.particles;
  vec4 k = c.weights;
  vec4 p0 = x_at(q.x);
  vec4 p1 = x_at(q.y);
  vec4 p2 = x_at(q.z);
  vec4 p3 = x_at(q.w);
  precise float k3 = isometric_last_weight(k);
  precise vec3 violation = isometric_sum(p0.xyz, p1.xyz, p2.xyz, p3.xyz, k);
#ifdef WEFT_LAMBDA
  vec3 multiplier = u_pass.first_iteration == 1u ? vec3(0.0) : lambda3_at(i);
  precise vec3 then = isometric_sum(x_prev_at(q.x).xyz, x_prev_at(q.y).xyz, x_prev_at(q.z).xyz,
                                    x_prev_at(q.w).xyz, k);
  precise vec3 step = isometric_step_lambda(violation, then, k.w, isometric_xpbd_at(i), multiplier);
  lambda[i] = vec4(multiplier, 0.0);
#else
  precise vec3 step = isometric_step(violation, k.w);
#endif
  precise vec3 delta_0 = isometric_delta(step, p0.w, k.x);
  precise vec3 delta_1 = isometric_delta(step, p1.w, k.y);
  precise vec3 delta_2 = isometric_delta(step, p2.w, k.z);
  precise vec3 delta_3 = isometric_delta(step, p3.w, k3);
#ifdef WEFT_JACOBI
  uint slot = u_pass.delta_first + 4u * gl_GlobalInvocationID.x;
  put_delta(slot, -delta_0);
  put_delta(slot + 1u, -delta_1);
  put_delta(slot + 2u, -delta_2);
  put_delta(slot + 3u, -delta_3);
#else
  x[q.x] = vec4(moved_back(p0.xyz, delta_0), p0.w);
  x[q.y] = vec4(moved_back(p1.xyz, delta_1), p1.w);
  x[q.z] = vec4(moved_back(p2.xyz, delta_2), p2.w);
  x[q.w] = vec4(moved_back(p3.xyz, delta_3), p3.w);
#endif
}
