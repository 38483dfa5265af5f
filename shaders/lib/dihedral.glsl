// dihedral.glsl: the arithmetic of the signed angle between the triangles (x0 x2 x3) and (x1 x3 x2) about
// the edge x2 x3 on values. The atan2 form and its gradients (Bridson et al. 2003; Grinspun et al. 2003)
// are regular when flat and when folded, where acos of the normals' product is not. Twin of
// src/solver_ref/dihedral.h.

// Gradients, angle - rest_angle, sum of w |gradient|^2, and whether there are normals at all.
void dihedral_measure(vec4 p0, vec4 p1, vec4 p2, vec4 p3, float rest_angle, out vec3 gradient_0,
                      out vec3 gradient_1, out vec3 gradient_2, out vec3 gradient_3, out float excess,
                      out float weight, out bool defined) {
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
  defined = n1_2 > least && n2_2 > least && e_2 > 0.0;

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

  precise float violation = angle - rest_angle;
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
  gradient_0 = g0;
  gradient_1 = g1;
  gradient_2 = g2;
  gradient_3 = g3;
  excess = violation;
  weight = sum;
}

float dihedral_step(float violation, float weight, bool measured, float compliance, float relaxation) {
  precise float sum = weight;
  bool defined = measured && sum > WEFT_TRIM && sum < WEFT_LARGEST;
  sum = sum + compliance;
  precise float inverse = exact_rcp(sum);
  precise float step = violation * inverse;
  step = step * relaxation;
  step = defined ? step : 0.0;
  step = exact_trim(step);
  return step;
}

// A particle's share in how far the angle has moved in this substep.
float dihedral_turned(vec3 gradient, vec3 p, vec3 prev) {
  precise vec3 moved = p - prev;
  moved = exact_flush3(moved);
  precise float turned = exact_dot(gradient, moved);
  return turned;
}

// With the multiplier so far, and damping; turned are the four shares.
float dihedral_step_lambda(float excess, float weight, bool measured, vec4 turned, float compliance,
                           float gamma, float relaxation, inout float lambda) {
  float before = lambda;
  precise float violation = excess;
  precise float sum = weight;
  precise float held = compliance * before;
  precise float damped = turned.x + turned.y;
  damped = damped + turned.z;
  damped = damped + turned.w;
  damped = exact_flush(damped);
  damped = damped * gamma;
  violation = violation + held;
  violation = violation + damped;
  precise float more = sum * gamma;
  sum = sum + more;
  precise float step = dihedral_step(violation, sum, measured, compliance, relaxation);
  precise float after = before - step;
  after = exact_trim(after);
  lambda = after;
  return step;
}

// What a particle of inverse mass w moves back by.
vec3 dihedral_delta(vec3 gradient, float step, float w) {
  precise float scaled = step * w;
  precise vec3 delta = gradient * scaled;
  return delta;
}
