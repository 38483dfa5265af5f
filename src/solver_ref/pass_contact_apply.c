/* contact_apply: twin of shaders/solver/contact_apply.comp. */
#include "ref.h"

void weft_pass_contact_apply(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    weft_delta delta = ref->contact_delta[i];
    weft_vec3 moved = weft_v3_add(exact_xyz(p), weft_v3(delta.x, delta.y, delta.z));
    moved = exact_flush3(moved);
    ref->x[i] = exact_vec4(moved, p.w);
  }
}
