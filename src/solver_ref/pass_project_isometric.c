/* project_isometric: twin of shaders/solver/project_isometric.comp. */
#include "isometric.h"
#include "moved.h"

/* One constraint. The permutation is a constant in each caller, as in the shader. */
static inline void project(const weft_ref *ref, const weft_dispatch *d, uint32_t g, bool jacobi,
                           bool with_lambda) {
  uint32_t i = d->pass.first + g;
  uvec4 q = ref->isometrics[i].particles;
  vec4 k = ref->isometrics[i].weights;
  vec4 p0 = ref->x[q.x];
  vec4 p1 = ref->x[q.y];
  vec4 p2 = ref->x[q.z];
  vec4 p3 = ref->x[q.w];
  float k3 = isometric_last_weight(k);
  weft_vec3 violation =
      isometric_sum(exact_xyz(p0), exact_xyz(p1), exact_xyz(p2), exact_xyz(p3), k);
  weft_vec3 step;
  if (with_lambda) {
    weft_vec3 lambda = weft_v3(0, 0, 0);
    if (d->pass.first_iteration != 1) lambda = exact_xyz(ref->isometric_lambda[i]);
    weft_vec3 then = isometric_sum(exact_xyz(ref->x_prev[q.x]), exact_xyz(ref->x_prev[q.y]),
                                   exact_xyz(ref->x_prev[q.z]), exact_xyz(ref->x_prev[q.w]), k);
    step = isometric_step_lambda(violation, then, k.w, ref->isometric_xpbd[i], &lambda);
    ref->isometric_lambda[i] = exact_vec4(lambda, 0.0f);
  } else {
    step = isometric_step(violation, k.w);
  }
  weft_vec3 delta_0 = isometric_delta(step, p0.w, k.x);
  weft_vec3 delta_1 = isometric_delta(step, p1.w, k.y);
  weft_vec3 delta_2 = isometric_delta(step, p2.w, k.z);
  weft_vec3 delta_3 = isometric_delta(step, p3.w, k3);
  if (jacobi) {
    uint32_t slot = d->pass.delta_first + 4 * g;
    weft_put_delta(ref->delta, slot, exact_neg(delta_0));
    weft_put_delta(ref->delta, slot + 1, exact_neg(delta_1));
    weft_put_delta(ref->delta, slot + 2, exact_neg(delta_2));
    weft_put_delta(ref->delta, slot + 3, exact_neg(delta_3));
  } else {
    ref->x[q.x] = exact_vec4(moved_back(exact_xyz(p0), delta_0), p0.w);
    ref->x[q.y] = exact_vec4(moved_back(exact_xyz(p1), delta_1), p1.w);
    ref->x[q.z] = exact_vec4(moved_back(exact_xyz(p2), delta_2), p2.w);
    ref->x[q.w] = exact_vec4(moved_back(exact_xyz(p3), delta_3), p3.w);
  }
}

void weft_pass_project_isometric(const weft_ref *ref, const weft_dispatch *d) {
  uint32_t n = d->pass.count;
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
