// project_isometric: K0 x0 + K1 x1 + K2 x2 + K3 x3 = 0 with K from the rest cotangents (Bergou et al.
// 2006, "A quadratic bending model for inextensible surfaces"). Constant gradient and denominator: no
// root, no division. K3 = -(K0+K1+K2), so the sum is taken over differences to x3.
// permutations: WEFT_JACOBI=1; WEFT_LAMBDA=1; WEFT_JACOBI=1 WEFT_LAMBDA=1
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONSTRAINTS) restrict readonly buffer Constraints {
  weft_isometric constraints[];
};
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_XPBD) restrict readonly buffer Xpbd { weft_xpbd xpbd[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { vec4 lambda[]; };
#endif
#ifdef WEFT_JACOBI
#include "lib/delta.glsl"
#endif

vec3 weighted_sum(vec3 p0, vec3 p1, vec3 p2, vec3 p3, vec4 k) {
  precise vec3 d0 = p0 - p3;
  precise vec3 d1 = p1 - p3;
  precise vec3 d2 = p2 - p3;
  d0 = d0 * k.x;
  d1 = d1 * k.y;
  d2 = d2 * k.z;
  precise vec3 s = d0 + d1;
  s = s + d2;
  s = exact_flush3(s);
  return s;
}

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  uvec4 q = constraints[i].particles;
  vec4 k = constraints[i].weights;
  vec4 p0 = x[q.x];
  vec4 p1 = x[q.y];
  vec4 p2 = x[q.z];
  vec4 p3 = x[q.w];
  precise float k3 = k.x + k.y;
  k3 = k3 + k.z;
  k3 = -k3;
  precise vec3 violation = weighted_sum(p0.xyz, p1.xyz, p2.xyz, p3.xyz, k);
#ifdef WEFT_LAMBDA
  vec3 before = u_reset == 1u ? vec3(0.0) : lambda[i].xyz;
  precise vec3 held = before * xpbd[i].compliance;
  precise vec3 then = weighted_sum(x_prev[q.x].xyz, x_prev[q.y].xyz, x_prev[q.z].xyz,
                                   x_prev[q.w].xyz, k);
  precise vec3 damped = violation - then;
  damped = exact_flush3(damped);
  damped = damped * xpbd[i].gamma;
  violation = violation + held;
  violation = violation + damped;
#endif
  precise vec3 step = violation * k.w;
  step = exact_trim3(step);
#ifdef WEFT_LAMBDA
  precise vec3 after = before - step;
  lambda[i] = vec4(after, 0.0);
#endif
  precise float s0 = p0.w * k.x;
  precise float s1 = p1.w * k.y;
  precise float s2 = p2.w * k.z;
  precise float s3 = p3.w * k3;
  precise vec3 delta_0 = step * s0;
  precise vec3 delta_1 = step * s1;
  precise vec3 delta_2 = step * s2;
  precise vec3 delta_3 = step * s3;
#ifdef WEFT_JACOBI
  uint slot = u_offset + 4u * gl_GlobalInvocationID.x;
  put_delta(slot, -delta_0);
  put_delta(slot + 1u, -delta_1);
  put_delta(slot + 2u, -delta_2);
  put_delta(slot + 3u, -delta_3);
#else
  precise vec3 new_0 = p0.xyz - delta_0;
  new_0 = exact_flush3(new_0);
  precise vec3 new_1 = p1.xyz - delta_1;
  new_1 = exact_flush3(new_1);
  precise vec3 new_2 = p2.xyz - delta_2;
  new_2 = exact_flush3(new_2);
  precise vec3 new_3 = p3.xyz - delta_3;
  new_3 = exact_flush3(new_3);
  x[q.x] = vec4(new_0, p0.w);
  x[q.y] = vec4(new_1, p1.w);
  x[q.z] = vec4(new_2, p2.w);
  x[q.w] = vec4(new_3, p3.w);
#endif
}
