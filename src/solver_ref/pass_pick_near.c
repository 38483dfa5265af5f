/* pick_near: twin of shaders/solver/pick_near.comp. */
#include "ref.h"

void weft_pass_pick_near(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  vec4 origin = ref->pick_ray[0].origin;
  vec4 direction = ref->pick_ray[0].direction;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t row = d->pass.first + g;
    uint32_t begin = row * WEFT_FAN;
    uint32_t end = begin + WEFT_FAN < u->particle_count ? begin + WEFT_FAN : u->particle_count;
    weft_pick best = {0.0f, 0.0f, WEFT_PICK_NONE, 0};
    for (uint32_t i = begin; i < end; ++i) {
      weft_vec3 away = weft_v3_sub(exact_xyz(ref->x[i]), exact_xyz(origin));
      away = exact_flush3(away);
      float along = exact_dot(away, exact_xyz(direction));
      along = exact_flush(along);
      weft_vec3 foot = weft_v3_scale(exact_xyz(direction), along);
      weft_vec3 aside = weft_v3_sub(away, foot);
      aside = exact_flush3(aside);
      float offset2 = exact_dot(aside, aside);
      offset2 = exact_flush(offset2);
      float wide = direction.w * along;
      wide = origin.w + wide;
      wide = exact_flush(wide);
      float wide2 = wide * wide;
      bool met = along > 0.0f && offset2 <= wide2;
      bool first = best.particle == WEFT_PICK_NONE || along < best.along;
      if (met && first) best = (weft_pick){along, offset2, i, 0};
    }
    ref->pick[row] = best;
  }
}
