/* predict: twin of shaders/solver/predict.comp. */
#include "ref.h"

void weft_pass_predict(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    ref->x_prev[i] = p;
    if (p.w == 0.0f) {
      ref->v[i] = (vec4){0, 0, 0, 0};
      continue;
    }
    weft_vec3 velocity = exact_xyz(ref->v[i]);
    velocity = weft_v3_add(velocity, exact_xyz(u->gravity_step));
    velocity = weft_v3_scale(velocity, u->keep);
    velocity = exact_snap3(velocity);
    weft_vec3 step = weft_v3_scale(velocity, u->dt);
    weft_vec3 predicted = weft_v3_add(exact_xyz(p), step);
    predicted = exact_snap3(predicted);
    ref->v[i] = exact_vec4(velocity, 0.0f);
    ref->x[i] = exact_vec4(predicted, p.w);
  }
}
