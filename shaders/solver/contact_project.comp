// contact_project: particles kept two radii apart, |xi - xj| - 2r >= 0, with Coulomb friction against
// their way past each other (Macklin et al. 2014, "Unified particle physics", section 6.1), which is
// that of this substep and what earlier ones left (Cundall and Strack 1979): without memory a few
// iterations leave a slip in every substep, and a heap would flow like honey. Each particle adds up its own corrections in the order of its list. A contact moves
// omega/n of its correction, n the more contacts of its two particles: the same for both, so that
// momentum is kept.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_CONTACTS) restrict readonly buffer Contacts {
  weft_neighbour contacts[];
};
layout(std430, binding = WEFT_SLOT_CONTACT_FOUND) restrict readonly buffer ContactFound {
  uint contact_found[];
};
layout(std430, binding = WEFT_SLOT_CONTACT_LOAD) restrict readonly buffer ContactLoad {
  uint contact_load[];
};
layout(std430, binding = WEFT_SLOT_CONTACT_DELTA) restrict writeonly buffer ContactDelta {
  float contact_delta[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  vec4 p = x_at(i);
  precise vec3 moved = p.xyz - x_prev_at(i).xyz;
  uint load = contact_load_at(i);
  uint found = contact_found_at(i) & ~WEFT_CONTACT_CROWDED;
  uint listed = found < WEFT_CONTACT_SLOTS ? found : WEFT_CONTACT_SLOTS;
  precise vec3 sum = vec3(0.0);
  for (uint k = 0u; k < listed; ++k) {
    weft_neighbour contact = contact_row_at(WEFT_CONTACT_SLOTS * i + k);
    uint j = contact.other;
    vec4 q = x_at(j);
    precise vec3 from = p.xyz - q.xyz;
    from = exact_flush3(from);
    precise float distance2 = exact_dot(from, from);
    precise float inverse_distance = exact_rsqrt(distance2);
    precise float away = distance2 * inverse_distance;
    precise float depth = u.contact_distance - away;
    depth = distance2 == 0.0 ? u.contact_distance : depth;
    if (!(depth > 0.0) || p.w == 0.0) continue;
    precise vec3 n = from * inverse_distance;
    n = exact_flush3(n);
    // In one place no direction is right: the lower index goes to the negative side of x.
    if (distance2 == 0.0) n = vec3(i < j ? -1.0 : 1.0, 0.0, 0.0);
    precise vec3 correction = n * depth;
    precise vec3 slide = q.xyz - x_prev_at(j).xyz;
    slide = moved - slide;
    slide = slide + vec3(contact.slide_x, contact.slide_y, contact.slide_z);
    slide = exact_flush3(slide);
    precise float normal_part = exact_dot(slide, n);
    normal_part = exact_flush(normal_part);
    precise vec3 normal_slide = n * normal_part;
    slide = slide - normal_slide;
    slide = exact_flush3(slide);
    precise float slide2 = exact_dot(slide, slide);
    if (slide2 > 0.0) {
      precise float inverse_slide = exact_rsqrt(slide2);
      precise float slid = slide2 * inverse_slide;
      precise float grip = u.contact_static * depth;
      precise float rub = u.contact_dynamic * depth;
      precise float part = rub * inverse_slide;
      part = part < 1.0 ? part : 1.0;
      part = slid <= grip ? 1.0 : part;
      precise vec3 held = slide * part;
      held = exact_trim3(held);
      correction = correction - held;
    }
    correction = exact_flush3(correction);
    uint others = contact_load_at(j);
    uint most = load > others ? load : others;
    precise float weight = p.w + q.w;
    precise float inverse_weight = exact_rcp(weight);
    precise float share = p.w * inverse_weight;
    share = exact_flush(share);
    precise float inverse_most = exact_rcp(float(most));
    precise float relaxation = u.contact_relaxation * inverse_most;
    share = share * relaxation;
    correction = correction * share;
    correction = exact_trim3(correction);
    sum = sum + correction;
  }
  contact_delta[3u * i] = exact_flush(sum.x);
  contact_delta[3u * i + 1u] = exact_flush(sum.y);
  contact_delta[3u * i + 2u] = exact_flush(sum.z);
}
