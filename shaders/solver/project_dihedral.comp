// project_dihedral: the signed angle between the triangles (x0 x2 x3) and (x1 x3 x2) about the edge
// x2 x3 = rest_angle. The atan2 form and its gradients (Bridson et al. 2003; Grinspun et al. 2003) are
// regular when flat and when folded, where acos of the normals' product is not.
// permutations: WEFT_JACOBI=1; WEFT_LAMBDA=1; WEFT_JACOBI=1 WEFT_LAMBDA=1
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONSTRAINTS) restrict readonly buffer Constraints {
  weft_dihedral constraints[];
};
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { float lambda[]; };
#endif
#ifdef WEFT_JACOBI
#include "lib/delta.glsl"
#endif

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  weft_dihedral c = constraints[i];
  uvec4 q = c.particles;
  vec4 p0 = x[q.x];
  vec4 p1 = x[q.y];
  vec4 p2 = x[q.z];
  vec4 p3 = x[q.w];

  precise vec3 e = p3.xyz - p2.xyz;
  precise vec3 a2 = p2.xyz - p0.xyz;
  precise vec3 a3 = p3.xyz - p0.xyz;
  precise vec3 b2 = p2.xyz - p1.xyz;
  precise vec3 b3 = p3.xyz - p1.xyz;
  e = exact_flush3(e);
  a2 = exact_flush3(a2);
  a3 = exact_flush3(a3);
  b2 = exact_flush3(b2);
  b3 = exact_flush3(b3);
  precise vec3 n1 = exact_cross(a2, a3);
  precise vec3 n2 = exact_cross(b3, b2);
  n1 = exact_flush3(n1);
  n2 = exact_flush3(n2);
  precise float e_2 = exact_dot(e, e);
  precise float n1_2 = exact_dot(n1, n1);
  precise float n2_2 = exact_dot(n2, n2);
  // A triangle without area has no normal: such a hinge rests (relative to its edge, 2^-40 in area).
  precise float least = e_2 * e_2;
  least = least * WEFT_MIN_LENGTH_RATIO2;
  least = least * WEFT_MIN_LENGTH_RATIO2;
  bool defined = n1_2 > least && n2_2 > least && e_2 > 0.0;

  precise float e_inverse = exact_rsqrt(e_2);
  precise float e_length = e_2 * e_inverse;
  precise vec3 e_unit = e * e_inverse;
  precise float r1 = exact_rcp(n1_2);
  precise float r2 = exact_rcp(n2_2);
  // Unit normals for the angle: the products of the full ones could leave the range of float.
  precise float s1 = exact_rsqrt(n1_2);
  precise float s2 = exact_rsqrt(n2_2);
  precise vec3 u1 = n1 * s1;
  precise vec3 u2 = n2 * s2;
  u1 = exact_flush3(u1);
  u2 = exact_flush3(u2);
  precise vec3 turned = exact_cross(u1, u2);
  turned = exact_flush3(turned);
  precise float sine = exact_dot(turned, e_unit);
  precise float cosine = exact_dot(u1, u2);
  sine = exact_flush(sine);
  cosine = exact_flush(cosine);
  precise float angle = exact_atan2(sine, cosine);

  precise float violation = angle - c.rest_angle;
  precise float lower = violation - 6.28318548202514648438;
  precise float higher = violation + 6.28318548202514648438;
  violation = violation > 3.14159274101257324219 ? lower : violation;
  violation = violation < -3.14159274101257324219 ? higher : violation;

  precise vec3 m1 = n1 * r1;
  precise vec3 m2 = n2 * r2;
  precise float a3e = exact_dot(a3, e_unit);
  precise float b3e = exact_dot(b3, e_unit);
  precise float a2e = exact_dot(a2, e_unit);
  precise float b2e = exact_dot(b2, e_unit);
  precise float minus_length = -e_length;
  precise vec3 g0 = m1 * minus_length;
  precise vec3 g1 = m2 * minus_length;
  precise vec3 g2 = m1 * a3e;
  precise vec3 g2b = m2 * b3e;
  g2 = g2 + g2b;
  precise vec3 g3 = m1 * a2e;
  precise vec3 g3b = m2 * b2e;
  g3 = g3 + g3b;
  g3 = -g3;

  precise float k0 = exact_dot(g0, g0);
  precise float k1 = exact_dot(g1, g1);
  precise float k2 = exact_dot(g2, g2);
  precise float k3 = exact_dot(g3, g3);
  k0 = k0 * p0.w;
  k1 = k1 * p1.w;
  k2 = k2 * p2.w;
  k3 = k3 * p3.w;
  precise float sum = k0 + k1;
  sum = sum + k2;
  sum = sum + k3;
#ifdef WEFT_LAMBDA
  float before = u_reset == 1u ? 0.0 : lambda[i];
  precise float held = c.compliance * before;
  precise vec3 moved_0 = p0.xyz - x_prev[q.x].xyz;
  precise vec3 moved_1 = p1.xyz - x_prev[q.y].xyz;
  precise vec3 moved_2 = p2.xyz - x_prev[q.z].xyz;
  precise vec3 moved_3 = p3.xyz - x_prev[q.w].xyz;
  moved_0 = exact_flush3(moved_0);
  moved_1 = exact_flush3(moved_1);
  moved_2 = exact_flush3(moved_2);
  moved_3 = exact_flush3(moved_3);
  precise float damped = exact_dot(g0, moved_0);
  precise float damped_1 = exact_dot(g1, moved_1);
  precise float damped_2 = exact_dot(g2, moved_2);
  precise float damped_3 = exact_dot(g3, moved_3);
  damped = damped + damped_1;
  damped = damped + damped_2;
  damped = damped + damped_3;
  damped = exact_flush(damped);
  damped = damped * c.gamma;
  violation = violation + held;
  violation = violation + damped;
  precise float more = sum * c.gamma;
  sum = sum + more;
#endif
  defined = defined && sum > WEFT_TRIM && sum < WEFT_LARGEST;
  sum = sum + c.compliance;
  precise float inverse = exact_rcp(sum);
  precise float step = violation * inverse;
  step = step * c.relaxation;
  step = defined ? step : 0.0;
  step = exact_trim(step);
#ifdef WEFT_LAMBDA
  precise float after = before - step;
  lambda[i] = after;
#endif
  // As in project_distance: undefined gradients must not reach the positions.
  if (step == 0.0) {
#ifdef WEFT_JACOBI
    uint still = u_offset + 4u * gl_GlobalInvocationID.x;
    put_delta(still, vec3(0.0));
    put_delta(still + 1u, vec3(0.0));
    put_delta(still + 2u, vec3(0.0));
    put_delta(still + 3u, vec3(0.0));
#endif
    return;
  }
  precise float step_0 = step * p0.w;
  precise float step_1 = step * p1.w;
  precise float step_2 = step * p2.w;
  precise float step_3 = step * p3.w;
  precise vec3 delta_0 = g0 * step_0;
  precise vec3 delta_1 = g1 * step_1;
  precise vec3 delta_2 = g2 * step_2;
  precise vec3 delta_3 = g3 * step_3;
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
