/* contact_apply: twin of shaders/solver/contact_apply.comp. */
#include "ref.h"

void weft_pass_contact_apply(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    const float *delta = &ref->contact_delta[3 * (size_t)i];
    weft_vec3 moved = weft_v3_add(exact_xyz(p), weft_v3(delta[0], delta[1], delta[2]));
    moved = exact_flush3(moved);
    ref->x[i] = exact_vec4(moved, p.w);
  }
}
