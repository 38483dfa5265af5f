/* damp_angular: twin of shaders/solver/damp_angular.comp. */
#include "ref.h"

void weft_pass_damp_angular(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t row = d->pass.first + g;
    uint32_t begin = (row - d->pass.level_first) * WEFT_FAN;
    uint32_t end = begin + WEFT_FAN < u->particle_count ? begin + WEFT_FAN : u->particle_count;
    weft_motion root = ref->motion[d->pass.level_first - 1];
    weft_vec3 centre = weft_v3_scale(exact_xyz(root.a), u->inv_total_mass);
    weft_vec3 drift = weft_v3_scale(exact_xyz(root.b), u->inv_total_mass);
    weft_vec3 spin = weft_v3(0, 0, 0);
    weft_vec3 diagonal = weft_v3(0, 0, 0);
    weft_vec3 products = weft_v3(0, 0, 0);
    for (uint32_t i = begin; i < end; ++i) {
      vec4 p = ref->x[i];
      if (p.w == 0.0f) continue;
      float mass = exact_rcp(p.w);
      weft_vec3 r = weft_v3_sub(exact_xyz(p), centre);
      r = exact_flush3(r);
      weft_vec3 relative = weft_v3_sub(exact_xyz(ref->v[i]), drift);
      relative = exact_flush3(relative);
      weft_vec3 turn = exact_cross(r, relative);
      turn = exact_trim3(turn);
      turn = weft_v3_scale(turn, mass);
      spin = weft_v3_add(spin, exact_trim3(turn));
      weft_vec3 square = weft_v3(r.x * r.x, r.y * r.y, r.z * r.z);
      weft_vec3 around = weft_v3(square.y + square.z, square.z + square.x, square.x + square.y);
      around = weft_v3_scale(around, mass);
      diagonal = weft_v3_add(diagonal, exact_trim3(around));
      weft_vec3 mixed = weft_v3(r.x * r.y, r.x * r.z, r.y * r.z);
      mixed = weft_v3_scale(mixed, mass);
      products = weft_v3_sub(products, exact_trim3(mixed));
    }
    ref->motion[row].a = exact_vec4(exact_trim3(spin), 0.0f);
    ref->motion[row].b = exact_vec4(exact_trim3(diagonal), 0.0f);
    ref->motion[row].c = exact_vec4(exact_trim3(products), 0.0f);
  }
}
