/* aero_force: twin of shaders/solver/aero_force.comp. */
#include "ref.h"

void weft_pass_aero_force(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    uint32_t a = ref->triangles[i].a, b = ref->triangles[i].b, c = ref->triangles[i].c;
    weft_vec3 e1 = weft_v3_sub(exact_xyz(ref->x[b]), exact_xyz(ref->x[a]));
    weft_vec3 e2 = weft_v3_sub(exact_xyz(ref->x[c]), exact_xyz(ref->x[a]));
    e1 = exact_flush3(e1);
    e2 = exact_flush3(e2);
    weft_vec3 normal = exact_cross(e1, e2);
    normal = exact_flush3(normal);
    float normal2 = exact_dot(normal, normal);
    if (normal2 == 0.0f) {
      ref->forces[i] = (vec4){0, 0, 0, 0};
      continue;
    }
    float inverse = exact_rsqrt(normal2);
    float area = normal2 * inverse;
    area = area * 0.5f;
    normal = weft_v3_scale(normal, inverse);
    normal = exact_flush3(normal);
    weft_vec3 mean = weft_v3_add(exact_xyz(ref->v[a]), exact_xyz(ref->v[b]));
    mean = weft_v3_add(mean, exact_xyz(ref->v[c]));
    mean = weft_v3_scale(mean, u->third);
    weft_vec3 relative = weft_v3_sub(exact_xyz(ref->substeps[d->substep].wind), mean);
    relative = exact_flush3(relative);
    float across = exact_dot(normal, relative);
    across = exact_flush(across);
    weft_vec3 pressed = weft_v3_scale(normal, across);
    weft_vec3 along = weft_v3_sub(relative, pressed);
    along = exact_flush3(along);
    float along2 = exact_dot(along, along);
    float along_inverse = exact_rsqrt(along2);
    float along_speed = along2 * along_inverse;
    along_speed = along2 == 0.0f ? 0.0f : along_speed;
    float push = u->drag * fabsf(across);
    push = push * area;
    float pull = u->skin * along_speed;
    pull = pull * area;
    float lightness = ref->x[a].w + ref->x[b].w;
    lightness = lightness + ref->x[c].w;
    lightness = lightness * u->dt;
    float most = exact_rcp(lightness);
    bool movable = lightness > 0.0f;
    push = movable && push > most ? most : push;
    pull = movable && pull > most ? most : pull;
    weft_vec3 force = weft_v3_scale(pressed, push);
    weft_vec3 rub = weft_v3_scale(along, pull);
    force = weft_v3_add(force, rub);
    force = weft_v3_scale(force, u->third);
    force = exact_flush3(force);
    ref->forces[i] = exact_vec4(force, 0.0f);
  }
}
