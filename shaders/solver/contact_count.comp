// contact_count: how many neighbours of each movable particle overlap it now: what the relaxation of
// a contact is divided by.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONTACTS) restrict readonly buffer Contacts {
  weft_neighbour contacts[];
};
layout(std430, binding = WEFT_SLOT_CONTACT_FOUND) restrict readonly buffer ContactFound {
  uint contact_found[];
};
layout(std430, binding = WEFT_SLOT_CONTACT_LOAD) restrict writeonly buffer ContactLoad {
  uint contact_load[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  vec4 p = x_at(i);
  uint found = contact_found_at(i) & ~WEFT_CONTACT_CROWDED;
  uint listed = found < WEFT_CONTACT_SLOTS ? found : WEFT_CONTACT_SLOTS;
  uint load = 0u;
  for (uint k = 0u; k < listed; ++k) {
    vec4 q = x_at(contact_row_at(WEFT_CONTACT_SLOTS * i + k).other);
    precise vec3 from = p.xyz - q.xyz;
    from = exact_flush3(from);
    precise float distance2 = exact_dot(from, from);
    precise float inverse_distance = exact_rsqrt(distance2);
    precise float away = distance2 * inverse_distance;
    precise float depth = u.contact_distance - away;
    depth = distance2 == 0.0 ? u.contact_distance : depth;
    load += depth > 0.0 ? 1u : 0u;
  }
  contact_load[i] = p.w == 0.0 ? 0u : load;
}
