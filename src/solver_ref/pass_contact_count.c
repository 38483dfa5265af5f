/* contact_count: twin of shaders/solver/contact_count.comp. */
#include "ref.h"

void weft_pass_contact_count(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    uint32_t found = ref->contact_found[i] & ~WEFT_CONTACT_CROWDED;
    uint32_t listed = found < WEFT_CONTACT_SLOTS ? found : WEFT_CONTACT_SLOTS;
    uint32_t load = 0u;
    for (uint32_t k = 0u; k < listed; ++k) {
      vec4 q = ref->x[ref->contacts[(size_t)WEFT_CONTACT_SLOTS * i + k].other];
      weft_vec3 from = weft_v3_sub(exact_xyz(p), exact_xyz(q));
      from = exact_flush3(from);
      float distance2 = exact_dot(from, from);
      float inverse_distance = exact_rsqrt(distance2);
      float away = distance2 * inverse_distance;
      float depth = u->contact_distance - away;
      depth = distance2 == 0.0f ? u->contact_distance : depth;
      load += depth > 0.0f ? 1u : 0u;
    }
    ref->contact_load[i] = p.w == 0.0f ? 0u : load;
  }
}
