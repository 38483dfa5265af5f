/* contact_keep: twin of shaders/solver/contact_keep.comp. */
#include "ref.h"

void weft_pass_contact_keep(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    weft_vec3 moved = weft_v3_sub(exact_xyz(p), exact_xyz(ref->x_prev[i]));
    uint32_t found = ref->contact_found[i] & ~WEFT_CONTACT_CROWDED;
    uint32_t listed = found < WEFT_CONTACT_SLOTS ? found : WEFT_CONTACT_SLOTS;
    size_t list = (size_t)WEFT_CONTACT_SLOTS * i;
    uint32_t kept = 0u;
    for (uint32_t k = 0u; k < listed; ++k) {
      weft_neighbour contact = ref->contacts[list + k];
      uint32_t j = contact.other;
      vec4 q = ref->x[j];
      weft_vec3 from = weft_v3_sub(exact_xyz(p), exact_xyz(q));
      from = exact_flush3(from);
      float distance2 = exact_dot(from, from);
      float inverse_distance = exact_rsqrt(distance2);
      float away = distance2 * inverse_distance;
      float depth = u->contact_distance - away;
      depth = distance2 == 0.0f ? u->contact_distance : depth;
      if (!(depth > 0.0f)) continue;
      weft_vec3 n = weft_v3_scale(from, inverse_distance);
      n = exact_flush3(n);
      if (distance2 == 0.0f) n = weft_v3(i < j ? -1.0f : 1.0f, 0, 0);
      weft_vec3 slide = weft_v3_sub(exact_xyz(q), exact_xyz(ref->x_prev[j]));
      slide = weft_v3_sub(moved, slide);
      slide = weft_v3_add(slide, weft_v3(contact.slide_x, contact.slide_y, contact.slide_z));
      slide = exact_flush3(slide);
      float normal_part = exact_dot(slide, n);
      normal_part = exact_flush(normal_part);
      weft_vec3 normal_slide = weft_v3_scale(n, normal_part);
      slide = weft_v3_sub(slide, normal_slide);
      slide = exact_flush3(slide);
      float slide2 = exact_dot(slide, slide);
      float inverse_slide = exact_rsqrt(slide2);
      float slid = slide2 * inverse_slide;
      float grip = u->contact_static * depth;
      float rub = u->contact_dynamic * depth;
      float part = rub * inverse_slide;
      part = part < 1.0f ? part : 1.0f;
      part = slid <= grip ? 1.0f : part;
      weft_vec3 held = weft_v3_scale(slide, part);
      held = exact_flush3(held);
      ref->contacts_kept[list + kept] = (weft_neighbour){held.x, held.y, held.z, j};
      ++kept;
    }
    if (kept < WEFT_CONTACT_SLOTS) {
      ref->contacts_kept[list + kept] = (weft_neighbour){0, 0, 0, WEFT_CONTACT_NONE};
    }
  }
}
