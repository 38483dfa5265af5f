/* damp_sum: twin of shaders/solver/damp_sum.comp. */
#include "ref.h"

void weft_pass_damp_sum(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t row = d->pass.first + g;
    uint32_t begin = d->pass.below_first + (row - d->pass.level_first) * WEFT_FAN;
    uint32_t end = begin + WEFT_FAN < d->pass.level_first ? begin + WEFT_FAN : d->pass.level_first;
    weft_vec3 a = weft_v3(0, 0, 0);
    weft_vec3 b = weft_v3(0, 0, 0);
    weft_vec3 c = weft_v3(0, 0, 0);
    for (uint32_t k = begin; k < end; ++k) {
      a = weft_v3_add(a, exact_xyz(ref->motion[k].a));
      b = weft_v3_add(b, exact_xyz(ref->motion[k].b));
      c = weft_v3_add(c, exact_xyz(ref->motion[k].c));
    }
    ref->motion[row].a = exact_vec4(exact_trim3(a), 0.0f);
    ref->motion[row].b = exact_vec4(exact_trim3(b), 0.0f);
    ref->motion[row].c = exact_vec4(exact_trim3(c), 0.0f);
  }
}
