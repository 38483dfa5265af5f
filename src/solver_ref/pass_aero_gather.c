/* aero_gather: twin of shaders/solver/aero_gather.comp. */
#include "ref.h"

void weft_pass_aero_gather(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    weft_vec3 force = weft_v3(0, 0, 0);
    uint32_t end = ref->corner_offsets[i + 1];
    for (uint32_t k = ref->corner_offsets[i]; k < end; ++k) {
      uint32_t triangle = ref->corner_items[k];
      force = weft_v3_add(force, exact_xyz(ref->forces[triangle]));
    }
    float scale = ref->x[i].w * u->dt;
    weft_vec3 change = weft_v3_scale(force, scale);
    weft_vec3 velocity = weft_v3_add(exact_xyz(ref->v[i]), change);
    velocity = exact_snap3(velocity);
    ref->v[i] = exact_vec4(velocity, 0.0f);
  }
}
