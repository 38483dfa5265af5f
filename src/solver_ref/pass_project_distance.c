/* project_distance: twin of shaders/solver/project_distance.comp. */
#include "distance.h"
#include "moved.h"

/* One constraint. The permutation is a constant in each caller, as in the shader. */
static inline void project(const weft_ref *ref, const weft_dispatch *d, uint32_t g, bool jacobi,
                           bool with_lambda) {
  uint32_t i = d->pass.first + g;
  weft_distance c = ref->distances[i];
  vec4 pa = ref->x[c.a];
  vec4 pb = ref->x[c.b];
  weft_vec3 n;
  float violation, step;
  bool defined;
  distance_measure(exact_xyz(pa), exact_xyz(pb), c.rest_length, &n, &violation, &defined);
  if (with_lambda) {
    float lambda = d->pass.first_iteration == 1 ? 0.0f : ref->distance_lambda[i];
    float parted = distance_parted(n, exact_xyz(pa), exact_xyz(pb), exact_xyz(ref->x_prev[c.a]),
                                   exact_xyz(ref->x_prev[c.b]));
    step = distance_step_lambda(violation, parted, defined, c.inv_denominator,
                                ref->distance_xpbd[i], d->pass.acts, &lambda);
    ref->distance_lambda[i] = lambda;
  } else {
    step = distance_step(violation, defined, c.inv_denominator, d->pass.acts);
  }
  uint32_t slot = d->pass.delta_first + 2 * g;
  if (step == 0.0f) {
    if (jacobi) {
      weft_put_delta(ref->delta, slot, weft_v3(0, 0, 0));
      weft_put_delta(ref->delta, slot + 1, weft_v3(0, 0, 0));
    }
    return;
  }
  weft_vec3 delta_a = distance_delta(n, step, pa.w);
  weft_vec3 delta_b = distance_delta(n, step, pb.w);
  if (jacobi) {
    weft_put_delta(ref->delta, slot, exact_neg(delta_a));
    weft_put_delta(ref->delta, slot + 1, delta_b);
  } else {
    ref->x[c.a] = exact_vec4(moved_back(exact_xyz(pa), delta_a), pa.w);
    ref->x[c.b] = exact_vec4(moved_on(exact_xyz(pb), delta_b), pb.w);
  }
}

void weft_pass_project_distance(const weft_ref *ref, const weft_dispatch *d) {
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
