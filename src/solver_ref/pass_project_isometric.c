/* project_isometric: twin of shaders/solver/project_isometric.comp. */
#include "ref.h"

static inline weft_vec3 weighted_sum(vec4 p0, vec4 p1, vec4 p2, vec4 p3, vec4 k) {
  weft_vec3 d0 = weft_v3_sub(exact_xyz(p0), exact_xyz(p3));
  weft_vec3 d1 = weft_v3_sub(exact_xyz(p1), exact_xyz(p3));
  weft_vec3 d2 = weft_v3_sub(exact_xyz(p2), exact_xyz(p3));
  d0 = weft_v3_scale(d0, k.x);
  d1 = weft_v3_scale(d1, k.y);
  d2 = weft_v3_scale(d2, k.z);
  weft_vec3 s = weft_v3_add(d0, d1);
  s = weft_v3_add(s, d2);
  return exact_flush3(s);
}

/* One constraint. The permutation is a constant in each caller, as in the shader. */
static inline void project(const weft_ref *ref, const weft_dispatch *d, uint32_t g, bool jacobi,
                           bool with_lambda) {
  uint32_t i = d->first + g;
  uvec4 q = ref->isometric[i].particles;
  vec4 k = ref->isometric[i].weights;
  vec4 p0 = ref->x[q.x];
  vec4 p1 = ref->x[q.y];
  vec4 p2 = ref->x[q.z];
  vec4 p3 = ref->x[q.w];
  float k3 = k.x + k.y;
  k3 = k3 + k.z;
  k3 = -k3;
  weft_vec3 violation = weighted_sum(p0, p1, p2, p3, k);
  weft_vec3 before = weft_v3(0, 0, 0);
  if (with_lambda) {
    weft_xpbd xpbd = ref->isometric_xpbd[i];
    if (d->reset != 1) before = exact_xyz(ref->isometric_lambda[i]);
    weft_vec3 held = weft_v3_scale(before, xpbd.compliance);
    weft_vec3 then =
        weighted_sum(ref->x_prev[q.x], ref->x_prev[q.y], ref->x_prev[q.z], ref->x_prev[q.w], k);
    weft_vec3 damped = weft_v3_sub(violation, then);
    damped = exact_flush3(damped);
    damped = weft_v3_scale(damped, xpbd.gamma);
    violation = weft_v3_add(violation, held);
    violation = weft_v3_add(violation, damped);
  }
  weft_vec3 step = weft_v3_scale(violation, k.w);
  step = exact_trim3(step);
  if (with_lambda) ref->isometric_lambda[i] = exact_vec4(weft_v3_sub(before, step), 0.0f);
  float s0 = p0.w * k.x;
  float s1 = p1.w * k.y;
  float s2 = p2.w * k.z;
  float s3 = p3.w * k3;
  weft_vec3 delta_0 = weft_v3_scale(step, s0);
  weft_vec3 delta_1 = weft_v3_scale(step, s1);
  weft_vec3 delta_2 = weft_v3_scale(step, s2);
  weft_vec3 delta_3 = weft_v3_scale(step, s3);
  if (jacobi) {
    uint32_t slot = d->offset + 4 * g;
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

void weft_pass_project_isometric(const weft_ref *ref, const weft_dispatch *d) {
  uint32_t n = d->count;
  if (!d->jacobi && !d->lambda) {
    for (uint32_t g = 0; g < n; ++g) project(ref, d, g, false, false);
  } else if (!d->jacobi) {
    for (uint32_t g = 0; g < n; ++g) project(ref, d, g, false, true);
  } else if (!d->lambda) {
    for (uint32_t g = 0; g < n; ++g) project(ref, d, g, true, false);
  } else {
    for (uint32_t g = 0; g < n; ++g) project(ref, d, g, true, true);
  }
}
