/* dihedral.h: twin of shaders/lib/dihedral.glsl. */
#ifndef WEFT_REF_DIHEDRAL_H
#define WEFT_REF_DIHEDRAL_H

#include "ref.h"

static inline void dihedral_measure(vec4 p0, vec4 p1, vec4 p2, vec4 p3, float rest_angle,
                                    weft_vec3 gradients[4], float *excess, float *weight,
                                    bool *defined) {
  weft_vec3 e = weft_v3_sub(exact_xyz(p3), exact_xyz(p2));
  weft_vec3 a2 = weft_v3_sub(exact_xyz(p2), exact_xyz(p0));
  weft_vec3 a3 = weft_v3_sub(exact_xyz(p3), exact_xyz(p0));
  weft_vec3 b2 = weft_v3_sub(exact_xyz(p2), exact_xyz(p1));
  weft_vec3 b3 = weft_v3_sub(exact_xyz(p3), exact_xyz(p1));
  e = exact_flush3(e);
  a2 = exact_flush3(a2);
  a3 = exact_flush3(a3);
  b2 = exact_flush3(b2);
  b3 = exact_flush3(b3);
  weft_vec3 n1 = exact_cross(a2, a3);
  weft_vec3 n2 = exact_cross(b3, b2);
  n1 = exact_flush3(n1);
  n2 = exact_flush3(n2);
  float e_2 = exact_dot(e, e);
  float n1_2 = exact_dot(n1, n1);
  float n2_2 = exact_dot(n2, n2);
  float least = e_2 * e_2;
  least = least * (float)WEFT_MIN_LENGTH_RATIO2;
  least = least * (float)WEFT_MIN_LENGTH_RATIO2;
  *defined = n1_2 > least && n2_2 > least && e_2 > 0.0f;

  float e_inverse = exact_rsqrt(e_2);
  float e_length = e_2 * e_inverse;
  weft_vec3 e_unit = weft_v3_scale(e, e_inverse);
  float r1 = exact_rcp(n1_2);
  float r2 = exact_rcp(n2_2);
  float s1 = exact_rsqrt(n1_2);
  float s2 = exact_rsqrt(n2_2);
  weft_vec3 u1 = weft_v3_scale(n1, s1);
  weft_vec3 u2 = weft_v3_scale(n2, s2);
  u1 = exact_flush3(u1);
  u2 = exact_flush3(u2);
  weft_vec3 turned = exact_cross(u1, u2);
  turned = exact_flush3(turned);
  float sine = exact_dot(turned, e_unit);
  float cosine = exact_dot(u1, u2);
  sine = exact_flush(sine);
  cosine = exact_flush(cosine);
  float angle = exact_atan2(sine, cosine);

  float violation = angle - rest_angle;
  float lower = violation - EXACT_TWO_PI;
  float higher = violation + EXACT_TWO_PI;
  violation = violation > EXACT_PI ? lower : violation;
  violation = violation < -EXACT_PI ? higher : violation;

  weft_vec3 m1 = weft_v3_scale(n1, r1);
  weft_vec3 m2 = weft_v3_scale(n2, r2);
  float a3e = exact_dot(a3, e_unit);
  float b3e = exact_dot(b3, e_unit);
  float a2e = exact_dot(a2, e_unit);
  float b2e = exact_dot(b2, e_unit);
  float minus_length = -e_length;
  weft_vec3 g0 = weft_v3_scale(m1, minus_length);
  weft_vec3 g1 = weft_v3_scale(m2, minus_length);
  weft_vec3 g2 = weft_v3_scale(m1, a3e);
  weft_vec3 g2b = weft_v3_scale(m2, b3e);
  g2 = weft_v3_add(g2, g2b);
  weft_vec3 g3 = weft_v3_scale(m1, a2e);
  weft_vec3 g3b = weft_v3_scale(m2, b2e);
  g3 = weft_v3_add(g3, g3b);
  g3 = exact_neg(g3);

  float k0 = exact_dot(g0, g0);
  float k1 = exact_dot(g1, g1);
  float k2 = exact_dot(g2, g2);
  float k3 = exact_dot(g3, g3);
  k0 = k0 * p0.w;
  k1 = k1 * p1.w;
  k2 = k2 * p2.w;
  k3 = k3 * p3.w;
  float sum = k0 + k1;
  sum = sum + k2;
  sum = sum + k3;
  gradients[0] = g0;
  gradients[1] = g1;
  gradients[2] = g2;
  gradients[3] = g3;
  *excess = violation;
  *weight = sum;
}

static inline float dihedral_step(float violation, float sum, bool measured, float compliance,
                                  float relaxation) {
  bool defined = measured && sum > (float)WEFT_TRIM && sum < (float)WEFT_LARGEST;
  sum = sum + compliance;
  float inverse = exact_rcp(sum);
  float step = violation * inverse;
  step = step * relaxation;
  step = defined ? step : 0.0f;
  return exact_trim(step);
}

static inline float dihedral_turned(weft_vec3 gradient, weft_vec3 p, weft_vec3 prev) {
  weft_vec3 moved = weft_v3_sub(p, prev);
  moved = exact_flush3(moved);
  return exact_dot(gradient, moved);
}

static inline float dihedral_step_lambda(float violation, float sum, bool measured, vec4 turned,
                                         float compliance, float gamma, float relaxation,
                                         float *lambda) {
  float before = *lambda;
  float held = compliance * before;
  float damped = turned.x + turned.y;
  damped = damped + turned.z;
  damped = damped + turned.w;
  damped = exact_flush(damped);
  damped = damped * gamma;
  violation = violation + held;
  violation = violation + damped;
  float more = sum * gamma;
  sum = sum + more;
  float step = dihedral_step(violation, sum, measured, compliance, relaxation);
  *lambda = exact_trim(before - step);
  return step;
}

static inline weft_vec3 dihedral_delta(weft_vec3 gradient, float step, float w) {
  return weft_v3_scale(gradient, step * w);
}

#endif
