// contact_keep: at the end of a substep, which neighbours touch each particle and how far they have
// been pushed past each other, cut to what friction holds.
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
layout(std430, binding = WEFT_SLOT_CONTACTS_KEPT) restrict writeonly buffer ContactsKept {
  weft_neighbour contacts_kept[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  vec4 p = x_at(i);
  precise vec3 moved = p.xyz - x_prev_at(i).xyz;
  uint found = contact_found_at(i) & ~WEFT_CONTACT_CROWDED;
  uint listed = found < WEFT_CONTACT_SLOTS ? found : WEFT_CONTACT_SLOTS;
  uint kept = 0u;
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
    if (!(depth > 0.0)) continue;
    precise vec3 n = from * inverse_distance;
    n = exact_flush3(n);
    if (distance2 == 0.0) n = vec3(i < j ? -1.0 : 1.0, 0.0, 0.0);
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
    precise float inverse_slide = exact_rsqrt(slide2);
    precise float slid = slide2 * inverse_slide;
    precise float grip = u.contact_static * depth;
    precise float rub = u.contact_dynamic * depth;
    precise float part = rub * inverse_slide;
    part = part < 1.0 ? part : 1.0;
    part = slid <= grip ? 1.0 : part;
    precise vec3 held = slide * part;
    held = exact_flush3(held);
    contacts_kept[WEFT_CONTACT_SLOTS * i + kept] = weft_neighbour(held.x, held.y, held.z, j);
    ++kept;
  }
  if (kept < WEFT_CONTACT_SLOTS) {
    contacts_kept[WEFT_CONTACT_SLOTS * i + kept] = weft_neighbour(0.0, 0.0, 0.0, WEFT_CONTACT_NONE);
  }
}
