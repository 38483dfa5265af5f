/* contact_project: twin of shaders/solver/contact_project.comp. */
#include "ref.h"

void weft_pass_contact_project(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    weft_vec3 moved = weft_v3_sub(exact_xyz(p), exact_xyz(ref->x_prev[i]));
    uint32_t load = ref->contact_load[i];
    uint32_t found = ref->contact_found[i] & ~WEFT_CONTACT_CROWDED;
    uint32_t listed = found < WEFT_CONTACT_SLOTS ? found : WEFT_CONTACT_SLOTS;
    weft_vec3 sum = weft_v3(0, 0, 0);
    for (uint32_t k = 0u; k < listed; ++k) {
      weft_neighbour contact = ref->contacts[(size_t)WEFT_CONTACT_SLOTS * i + k];
      uint32_t j = contact.other;
      vec4 q = ref->x[j];
      weft_vec3 from = weft_v3_sub(exact_xyz(p), exact_xyz(q));
      from = exact_flush3(from);
      float distance2 = exact_dot(from, from);
      float inverse_distance = exact_rsqrt(distance2);
      float away = distance2 * inverse_distance;
      float depth = u->contact_distance - away;
      depth = distance2 == 0.0f ? u->contact_distance : depth;
      if (!(depth > 0.0f) || p.w == 0.0f) continue;
      weft_vec3 n = weft_v3_scale(from, inverse_distance);
      n = exact_flush3(n);
      if (distance2 == 0.0f) n = weft_v3(i < j ? -1.0f : 1.0f, 0, 0);
      weft_vec3 correction = weft_v3_scale(n, depth);
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
      if (slide2 > 0.0f) {
        float inverse_slide = exact_rsqrt(slide2);
        float slid = slide2 * inverse_slide;
        float grip = u->contact_static * depth;
        float rub = u->contact_dynamic * depth;
        float part = rub * inverse_slide;
        part = part < 1.0f ? part : 1.0f;
        part = slid <= grip ? 1.0f : part;
        weft_vec3 held = weft_v3_scale(slide, part);
        held = exact_trim3(held);
        correction = weft_v3_sub(correction, held);
      }
      correction = exact_flush3(correction);
      uint32_t others = ref->contact_load[j];
      uint32_t most = load > others ? load : others;
      float weight = p.w + q.w;
      float inverse_weight = exact_rcp(weight);
      float share = p.w * inverse_weight;
      share = exact_flush(share);
      float inverse_most = exact_rcp((float)most);
      float relaxation = u->contact_relaxation * inverse_most;
      share = share * relaxation;
      correction = weft_v3_scale(correction, share);
      correction = exact_trim3(correction);
      sum = weft_v3_add(sum, correction);
    }
    weft_put_delta(ref->contact_delta, i, sum);
  }
}
