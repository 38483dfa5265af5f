/* grab: twin of shaders/solver/grab.comp. */
#include "ref.h"

void weft_pass_grab(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    weft_grab row = ref->grab[d->pass.first + g];
    uint32_t i = row.particle;
    if (i == WEFT_GRAB_NONE) continue;
    vec4 p = ref->x[i];
    if (p.w == 0.0f) continue;
    float t = ref->substeps[d->substep].wind.w;
    weft_vec3 way = weft_v3_sub(exact_xyz(row.to), exact_xyz(row.from));
    way = weft_v3_scale(way, t);
    way = exact_flush3(way);
    weft_vec3 target = weft_v3_add(exact_xyz(row.from), way);
    weft_vec3 off = weft_v3_sub(target, exact_xyz(p));
    off = exact_flush3(off);
    weft_vec3 velocity = exact_xyz(ref->v[i]);
    weft_vec3 pulled = weft_v3_scale(off, row.pull);
    weft_vec3 braked = weft_v3_scale(velocity, row.brake);
    weft_vec3 kick = weft_v3_sub(pulled, braked);
    kick = exact_snap3(kick);
    float size2 = exact_dot(kick, kick);
    if (!(size2 <= (float)WEFT_LARGEST)) continue;
    float inverse = exact_rsqrt(size2);
    float size = size2 * inverse;
    float part = row.most * inverse;
    part = size > row.most ? part : 1.0f;
    kick = weft_v3_scale(kick, part);
    kick = exact_snap3(kick);
    velocity = weft_v3_add(velocity, kick);
    velocity = exact_snap3(velocity);
    weft_vec3 step = weft_v3_scale(velocity, u->dt);
    weft_vec3 predicted = weft_v3_add(exact_xyz(ref->x_prev[i]), step);
    predicted = exact_snap3(predicted);
    ref->v[i] = exact_vec4(velocity, 0.0f);
    ref->x[i] = exact_vec4(predicted, p.w);
  }
}
