/* contact_find: twin of shaders/solver/contact_find.comp. */
#include "grid.h"

static weft_neighbour contact_with(const weft_neighbour *kept, uint32_t j, size_t list) {
  for (size_t k = list; k < list + WEFT_CONTACT_SLOTS; ++k) {
    uint32_t other = kept[k].other;
    if (other == j) return kept[k];
    if (other == WEFT_CONTACT_NONE) break;
  }
  return (weft_neighbour){0, 0, 0, j};
}

void weft_pass_contact_find(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t i = d->pass.first + g;
    vec4 p = ref->x[i];
    weft_cell home = grid_cell(u, p);
    uint32_t found = 0u;
    uint32_t crowded = 0u;
    for (uint32_t k = 0u; k < 27u; ++k) {
      weft_cell cell = {home.x + (int32_t)(k % 3u) - 1, home.y + (int32_t)(k / 3u % 3u) - 1,
                        home.z + (int32_t)(k / 9u) - 1};
      uint32_t bucket = grid_bucket(u, cell);
      uint32_t begin = bucket == 0u ? 0u : ref->grid[bucket - 1u];
      uint32_t end = ref->grid[bucket];
      if (end - begin > WEFT_GRID_MOST) {
        crowded = WEFT_CONTACT_CROWDED;
        continue;
      }
      for (uint32_t s = begin; s < end; ++s) {
        uint32_t j = ref->grid_items[s];
        vec4 q = ref->x[j];
        if (j == i || !grid_same(grid_cell(u, q), cell)) continue;
        weft_vec3 from = weft_v3_sub(exact_xyz(p), exact_xyz(q));
        from = exact_flush3(from);
        float distance2 = exact_dot(from, from);
        if (!(distance2 <= u->contact_reach2)) continue;
        size_t list = (size_t)WEFT_CONTACT_SLOTS * i;
        if (found < WEFT_CONTACT_SLOTS) {
          ref->contacts[list + found] = contact_with(ref->contacts_kept, j, list);
        }
        ++found;
      }
    }
    uint32_t own = grid_bucket(u, home);
    uint32_t first = own == 0u ? 0u : ref->grid[own - 1u];
    if (ref->grid[own] - first > WEFT_GRID_MOST) found = 0u;
    ref->contact_found[i] = found | crowded;
  }
}
