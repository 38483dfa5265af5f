/* damp_velocity: twin of shaders/solver/damp_velocity.comp. */
#include "ref.h"

void weft_pass_damp_velocity(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  weft_motion whole = ref->motion[2 * d->pass.tree_rows];
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    if (p.w == 0.0f) continue;
    weft_vec3 r = weft_v3_sub(exact_xyz(p), exact_xyz(whole.a));
    r = exact_flush3(r);
    weft_vec3 rigid = exact_cross(exact_xyz(whole.c), r);
    rigid = weft_v3_add(rigid, exact_xyz(whole.b));
    weft_vec3 velocity = exact_xyz(ref->v[i]);
    weft_vec3 change = weft_v3_sub(rigid, velocity);
    change = exact_flush3(change);
    change = weft_v3_scale(change, u->global_damping);
    velocity = weft_v3_add(velocity, change);
    velocity = exact_snap3(velocity);
    ref->v[i] = exact_vec4(velocity, 0.0f);
  }
}
