/* collide: twin of shaders/solver/collide.comp. */
#include "contact.h"
#include "ref.h"

/* What friction takes back of a slide across the surface: all of it up to mu_s times the push out,
 * past that mu_k times the push. */
static weft_vec3 held_by_friction(const weft_collider_pose *shape, weft_contact met,
                                  weft_vec3 slide) {
  float normal_part = exact_dot(slide, met.n);
  normal_part = exact_flush(normal_part);
  weft_vec3 normal_slide = weft_v3_scale(met.n, normal_part);
  weft_vec3 across = weft_v3_sub(slide, normal_slide);
  across = exact_flush3(across);
  float slide2 = exact_dot(across, across);
  if (slide2 == 0.0f) return weft_v3(0, 0, 0);
  float inverse_slide = exact_rsqrt(slide2);
  float slid = slide2 * inverse_slide;
  float grip = shape->move_a.w * met.depth;
  float rub = shape->move_b.w * met.depth;
  float part = rub * inverse_slide;
  part = part < 1.0f ? part : 1.0f;
  part = slid <= grip ? 1.0f : part;
  weft_vec3 held = weft_v3_scale(across, part);
  return held;
}

void weft_pass_collide(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 at = ref->x[i];
    if (at.w == 0.0f) continue;
    weft_vec3 p = exact_xyz(at);
    weft_vec3 before = exact_xyz(ref->x_prev[i]);
    for (uint32_t k = 0; k < u->collider_count; ++k) {
      const weft_collider_pose *shape = &ref->colliders[d->substep * u->collider_count + k];
      weft_lookout look = {p, false};
      if (shape->shape != WEFT_SHAPE_PLANE) look = contact_lookout(shape, before, p);
      weft_contact met = contact_find(shape, look.at, p);
      if (!(met.depth > 0.0f)) continue;
      weft_vec3 push = weft_v3_scale(met.n, met.depth);
      p = weft_v3_add(p, push);
      weft_vec3 slide = contact_slide(shape, look, before, p);
      weft_vec3 held = held_by_friction(shape, met, slide);
      p = weft_v3_sub(p, held);
    }
    p = exact_flush3(p);
    ref->x[i] = exact_vec4(p, at.w);
  }
}
