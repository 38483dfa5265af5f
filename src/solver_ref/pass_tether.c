/* tether: twin of shaders/solver/tether.comp. */
#include "ref.h"

void weft_pass_tether(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 start = ref->x[i];
    if (start.w == 0.0f) continue;
    const weft_tether *tether = &ref->tethers[i];
    const uint32_t anchors[4] = {tether->anchors.x, tether->anchors.y, tether->anchors.z,
                                 tether->anchors.w};
    const float lengths[4] = {tether->lengths.x, tether->lengths.y, tether->lengths.z,
                              tether->lengths.w};
    weft_vec3 p = exact_xyz(start);
    bool taut = false;
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t anchor = anchors[k];
      if (anchor == WEFT_NO_ANCHOR) break;
      weft_vec3 a = exact_xyz(ref->x[anchor]);
      float most = lengths[k];
      weft_vec3 away = weft_v3_sub(p, a);
      away = exact_flush3(away);
      float length2 = exact_dot(away, away);
      float inverse = exact_rsqrt(length2);
      float len = length2 * inverse;
      if (!(len > most)) continue;
      weft_vec3 n = weft_v3_scale(away, inverse);
      n = exact_flush3(n);
      weft_vec3 reach = weft_v3_scale(n, most);
      p = weft_v3_add(a, reach);
      p = exact_flush3(p);
      taut = true;
    }
    if (taut) ref->x[i] = exact_vec4(p, start.w);
  }
}
