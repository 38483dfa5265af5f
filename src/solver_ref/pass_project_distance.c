/* project_distance: twin of shaders/solver/project_distance.comp. */
#include "ref.h"

/* One constraint. The permutation is a constant in each caller, as in the shader. */
static inline void project(const weft_ref *ref, const weft_dispatch *d, uint32_t g, bool jacobi,
                           bool with_lambda) {
  uint32_t i = d->first + g;
  weft_distance c = ref->distance[i];
  vec4 pa = ref->x[c.a];
  vec4 pb = ref->x[c.b];
  weft_vec3 difference = weft_v3_sub(exact_xyz(pa), exact_xyz(pb));
  difference = exact_flush3(difference);
  float length2 = exact_dot(difference, difference);
  float shortest2 = c.rest_length * c.rest_length;
  shortest2 = shortest2 * (float)WEFT_MIN_LENGTH_RATIO2;
  float inverse = exact_rsqrt(length2);
  float len = length2 * inverse;
  weft_vec3 n = weft_v3_scale(difference, inverse);
  float violation = len - c.rest_length;
  float before = 0.0f;
  if (with_lambda) {
    weft_xpbd xpbd = ref->distance_xpbd[i];
    before = d->reset == 1 ? 0.0f : ref->distance_lambda[i];
    float held = xpbd.compliance * before;
    weft_vec3 moved_a = weft_v3_sub(exact_xyz(pa), exact_xyz(ref->x_prev[c.a]));
    weft_vec3 moved_b = weft_v3_sub(exact_xyz(pb), exact_xyz(ref->x_prev[c.b]));
    weft_vec3 moved = weft_v3_sub(moved_a, moved_b);
    moved = exact_flush3(moved);
    float damped = exact_dot(n, moved);
    damped = exact_flush(damped);
    damped = xpbd.gamma * damped;
    violation = violation + held;
    violation = violation + damped;
  }
  float step = violation * c.inv_denominator;
  step = length2 > shortest2 ? step : 0.0f;
  step = exact_trim(step);
  float after = before - step;
  bool pushes = d->sense == WEFT_ACTS_STRETCHED && after > 0.0f;
  bool pulls = d->sense == WEFT_ACTS_COMPRESSED && after < 0.0f;
  step = pushes || pulls ? before : step;
  after = pushes || pulls ? 0.0f : after;
  if (with_lambda) ref->distance_lambda[i] = after;
  uint32_t slot = d->offset + 2 * g;
  if (step == 0.0f) {
    if (jacobi) {
      weft_put_delta(ref->delta, slot, weft_v3(0, 0, 0));
      weft_put_delta(ref->delta, slot + 1, weft_v3(0, 0, 0));
    }
    return;
  }
  float step_a = pa.w * step;
  float step_b = pb.w * step;
  weft_vec3 delta_a = weft_v3_scale(n, step_a);
  weft_vec3 delta_b = weft_v3_scale(n, step_b);
  if (jacobi) {
    weft_put_delta(ref->delta, slot, exact_neg(delta_a));
    weft_put_delta(ref->delta, slot + 1, delta_b);
  } else {
    weft_vec3 new_a = weft_v3_sub(exact_xyz(pa), delta_a);
    weft_vec3 new_b = weft_v3_add(exact_xyz(pb), delta_b);
    ref->x[c.a] = exact_vec4(exact_flush3(new_a), pa.w);
    ref->x[c.b] = exact_vec4(exact_flush3(new_b), pb.w);
  }
}

void weft_pass_project_distance(const weft_ref *ref, const weft_dispatch *d) {
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
