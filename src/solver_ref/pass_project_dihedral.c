/* project_dihedral: twin of shaders/solver/project_dihedral.comp. */
#include "ref.h"

void weft_pass_project_dihedral(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->count; ++g) {
    uint32_t i = d->first + g;
    weft_dihedral c = ref->dihedral[i];
    uvec4 q = c.particles;
    vec4 p0 = ref->x[q.x];
    vec4 p1 = ref->x[q.y];
    vec4 p2 = ref->x[q.z];
    vec4 p3 = ref->x[q.w];

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
    bool defined = n1_2 > least && n2_2 > least && e_2 > 0.0f;

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

    float violation = angle - c.rest_angle;
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
    float before = 0.0f;
    if (d->lambda) {
      before = d->reset == 1 ? 0.0f : ref->dihedral_lambda[i];
      float held = c.compliance * before;
      weft_vec3 moved_0 = weft_v3_sub(exact_xyz(p0), exact_xyz(ref->x_prev[q.x]));
      weft_vec3 moved_1 = weft_v3_sub(exact_xyz(p1), exact_xyz(ref->x_prev[q.y]));
      weft_vec3 moved_2 = weft_v3_sub(exact_xyz(p2), exact_xyz(ref->x_prev[q.z]));
      weft_vec3 moved_3 = weft_v3_sub(exact_xyz(p3), exact_xyz(ref->x_prev[q.w]));
      moved_0 = exact_flush3(moved_0);
      moved_1 = exact_flush3(moved_1);
      moved_2 = exact_flush3(moved_2);
      moved_3 = exact_flush3(moved_3);
      float damped = exact_dot(g0, moved_0);
      float damped_1 = exact_dot(g1, moved_1);
      float damped_2 = exact_dot(g2, moved_2);
      float damped_3 = exact_dot(g3, moved_3);
      damped = damped + damped_1;
      damped = damped + damped_2;
      damped = damped + damped_3;
      damped = exact_flush(damped);
      damped = damped * c.gamma;
      violation = violation + held;
      violation = violation + damped;
      float more = sum * c.gamma;
      sum = sum + more;
    }
    defined = defined && sum > (float)WEFT_TRIM && sum < (float)WEFT_LARGEST;
    sum = sum + c.compliance;
    float inverse = exact_rcp(sum);
    float step = violation * inverse;
    step = step * c.relaxation;
    step = defined ? step : 0.0f;
    step = exact_trim(step);
    if (d->lambda) ref->dihedral_lambda[i] = before - step;
    uint32_t slot = d->offset + 4 * g;
    if (step == 0.0f) {
      if (d->jacobi) {
        for (uint32_t role = 0; role < 4; ++role) {
          weft_put_delta(ref->delta, slot + role, weft_v3(0, 0, 0));
        }
      }
      continue;
    }
    weft_vec3 delta_0 = weft_v3_scale(g0, step * p0.w);
    weft_vec3 delta_1 = weft_v3_scale(g1, step * p1.w);
    weft_vec3 delta_2 = weft_v3_scale(g2, step * p2.w);
    weft_vec3 delta_3 = weft_v3_scale(g3, step * p3.w);
    if (d->jacobi) {
      weft_put_delta(ref->delta, slot, exact_neg(delta_0));
      weft_put_delta(ref->delta, slot + 1, exact_neg(delta_1));
      weft_put_delta(ref->delta, slot + 2, exact_neg(delta_2));
      weft_put_delta(ref->delta, slot + 3, exact_neg(delta_3));
    } else {
      ref->x[q.x] = exact_vec4(exact_flush3(weft_v3_sub(exact_xyz(p0), delta_0)), p0.w);
      ref->x[q.y] = exact_vec4(exact_flush3(weft_v3_sub(exact_xyz(p1), delta_1)), p1.w);
      ref->x[q.z] = exact_vec4(exact_flush3(weft_v3_sub(exact_xyz(p2), delta_2)), p2.w);
      ref->x[q.w] = exact_vec4(exact_flush3(weft_v3_sub(exact_xyz(p3), delta_3)), p3.w);
    }
  }
}
