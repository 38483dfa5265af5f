/* jacobi_apply: twin of shaders/solver/jacobi_apply.comp. */
#include "ref.h"

void weft_pass_jacobi_apply(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t begin = ref->gather_offsets[d->pass.gather_first + i];
    uint32_t end = ref->gather_offsets[d->pass.gather_first + i + 1];
    weft_vec3 sum = weft_v3(0, 0, 0);
    for (uint32_t k = begin; k < end; ++k) {
      weft_delta delta = ref->delta[ref->gather_slots[k]];
      sum = weft_v3_add(sum, weft_v3(delta.x, delta.y, delta.z));
    }
    vec4 p = ref->x[i];
    weft_vec3 moved = weft_v3_add(exact_xyz(p), sum);
    moved = exact_flush3(moved);
    ref->x[i] = exact_vec4(moved, p.w);
  }
}
