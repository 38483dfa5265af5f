/* update_velocity: twin of shaders/solver/update_velocity.comp. */
#include "ref.h"

void weft_pass_update_velocity(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    if (p.w == 0.0f) continue;
    weft_vec3 velocity = exact_xyz(ref->v[i]);
    weft_vec3 step = weft_v3_scale(velocity, u->dt);
    weft_vec3 predicted = weft_v3_add(exact_xyz(ref->x_prev[i]), step);
    predicted = exact_snap3(predicted);
    weft_vec3 correction = weft_v3_sub(exact_xyz(p), predicted);
    correction = weft_v3_scale(correction, u->inv_dt);
    velocity = weft_v3_add(velocity, correction);
    velocity = exact_snap3(velocity);
    ref->v[i] = exact_vec4(velocity, 0.0f);
  }
}
