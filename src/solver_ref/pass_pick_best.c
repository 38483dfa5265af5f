/* pick_best: twin of shaders/solver/pick_best.comp. */
#include "ref.h"

void weft_pass_pick_best(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t row = d->pass.first + g;
    uint32_t begin = d->pass.below_first + (row - d->pass.level_first) * WEFT_FAN;
    uint32_t end = begin + WEFT_FAN < d->pass.level_first ? begin + WEFT_FAN : d->pass.level_first;
    weft_pick best = {0.0f, 0.0f, WEFT_PICK_NONE, 0};
    for (uint32_t k = begin; k < end; ++k) {
      weft_pick other = ref->pick[k];
      bool first = best.particle == WEFT_PICK_NONE || other.along < best.along;
      if (other.particle != WEFT_PICK_NONE && first) best = other;
    }
    ref->pick[row] = best;
  }
}
