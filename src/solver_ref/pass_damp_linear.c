/* damp_linear: twin of shaders/solver/damp_linear.comp. */
#include "ref.h"

void weft_pass_damp_linear(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t row = d->pass.first + g;
    uint32_t begin = (row - d->pass.level_first) * WEFT_FAN;
    uint32_t end = begin + WEFT_FAN < u->particle_count ? begin + WEFT_FAN : u->particle_count;
    weft_vec3 moment = weft_v3(0, 0, 0);
    weft_vec3 momentum = weft_v3(0, 0, 0);
    for (uint32_t i = begin; i < end; ++i) {
      vec4 p = ref->x[i];
      if (p.w == 0.0f) continue;
      float mass = exact_rcp(p.w);
      weft_vec3 mx = weft_v3_scale(exact_xyz(p), mass);
      weft_vec3 mv = weft_v3_scale(exact_xyz(ref->v[i]), mass);
      moment = weft_v3_add(moment, exact_trim3(mx));
      momentum = weft_v3_add(momentum, exact_trim3(mv));
    }
    ref->motion[row].a = exact_vec4(exact_trim3(moment), 0.0f);
    ref->motion[row].b = exact_vec4(exact_trim3(momentum), 0.0f);
    ref->motion[row].c = exact_vec4(weft_v3(0, 0, 0), 0.0f);
  }
}
