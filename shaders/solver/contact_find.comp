// contact_find: the neighbours of each particle within reach, by cell and ascending index: once per
// substep, the iterations then only walk these lists. A neighbour counts in the cell it really is in,
// or two cells that share a bucket would count it twice.
// permutations: WEFT_TEXELS=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/grid.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_GRID) restrict readonly buffer Grid { uint grid[]; };
layout(std430, binding = WEFT_SLOT_GRID_ITEMS) restrict readonly buffer GridItems {
  uint grid_items[];
};
layout(std430, binding = WEFT_SLOT_CONTACTS) restrict writeonly buffer Contacts {
  weft_neighbour contacts[];
};
layout(std430, binding = WEFT_SLOT_CONTACT_FOUND) restrict writeonly buffer ContactFound {
  uint contact_found[];
};
layout(std430, binding = WEFT_SLOT_CONTACTS_KEPT) restrict readonly buffer ContactsKept {
  weft_neighbour contacts_kept[];
};

// With what friction remembers of it.
weft_neighbour contact_with(uint j, uint list) {
  for (uint k = list; k < list + WEFT_CONTACT_SLOTS; ++k) {
    weft_neighbour kept = contact_kept_at(k);
    if (kept.other == j) return kept;
    if (kept.other == WEFT_CONTACT_NONE) break;
  }
  return weft_neighbour(0.0, 0.0, 0.0, j);
}

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  vec4 p = x_at(i);
  ivec3 home = grid_cell(p.xyz);
  uint found = 0u;
  uint crowded = 0u;
  for (uint k = 0u; k < 27u; ++k) {
    ivec3 cell = home + ivec3(uvec3(k % 3u, k / 3u % 3u, k / 9u)) - 1;
    uint bucket = grid_bucket(cell);
    uint begin = bucket == 0u ? 0u : grid_at(bucket - 1u);
    uint end = grid_at(bucket);
    if (end - begin > WEFT_GRID_MOST) {
      crowded = WEFT_CONTACT_CROWDED;
      continue;
    }
    for (uint s = begin; s < end; ++s) {
      uint j = grid_item_at(s);
      vec4 q = x_at(j);
      if (j == i || grid_cell(q.xyz) != cell) continue;
      precise vec3 from = p.xyz - q.xyz;
      from = exact_flush3(from);
      precise float distance2 = exact_dot(from, from);
      if (!(distance2 <= u.contact_reach2)) continue;
      uint list = WEFT_CONTACT_SLOTS * i;
      if (found < WEFT_CONTACT_SLOTS) contacts[list + found] = contact_with(j, list);
      ++found;
    }
  }
  // Who is in an overfull bucket is seen by nobody, so it must see nobody.
  uint own = grid_bucket(home);
  uint first = own == 0u ? 0u : grid_at(own - 1u);
  if (grid_at(own) - first > WEFT_GRID_MOST) found = 0u;
  contact_found[i] = found | crowded;
}
