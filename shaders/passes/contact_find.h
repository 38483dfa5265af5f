/* contact_find: the neighbours of each particle within reach, by cell and ascending index, once per substep; iterations only walk these lists. A
 * neighbour counts only in the cell whose coordinates it has, or two cells that share a bucket would count it twice. */
#ifndef WEFT_PASSES_CONTACT_FIND_H
#define WEFT_PASSES_CONTACT_FIND_H
#include "kernels/grid.h"
#include "passes/contact.h"

PASS(pass_contact_find) {
  real3 p = XYZ(AT(X, i));
  grid_place home = grid_cell(p, U.inverse_cell);
  uint list = WEFT_CONTACT_SLOTS * i;
  uint found = 0u;
  uint crowded = 0u;
  for (uint k = 0u; k < 27u; ++k) {
    uint bucket = grid_bucket(grid_around(home, k), U.grid_mask);
    uint begin = 0u;
    if (bucket != 0u) begin = AT(GRID, bucket - 1u);
    uint end = AT(GRID, bucket);
    if (end - begin > WEFT_GRID_MAX) {
      crowded = WEFT_CONTACT_CROWDED;
      continue;
    }
    for (uint s = begin; s < end; ++s) {
      uint j = AT(GRID_ITEMS, s);
      real3 q = XYZ(AT(X, j));
      particle_gap gap = particle_gap_between(p, q, U.contact_distance);
      if (j == i || !(gap.distance2 <= U.contact_reach2)) continue;
      /* most candidates fail this test */
      if (!grid_is_around(home, k, grid_cell(q, U.inverse_cell))) continue;
      if (found < WEFT_CONTACT_SLOTS) {
        /* With the slide that friction remembers for this pair. */
        weft_neighbour neighbour = neighbour_slid(j, V3(K(0.0), K(0.0), K(0.0)));
        for (uint slot = list; slot < list + WEFT_CONTACT_SLOTS; ++slot) {
          weft_neighbour kept = AT(CONTACTS_KEPT, slot);
          if (kept.other == j) neighbour = kept;
          if (kept.other == j || kept.other == WEFT_CONTACT_NONE) break;
        }
        SET(CONTACTS, list + found, neighbour);
      }
      ++found;
    }
  }
  /* A particle of an overfull bucket is in nobody's list, so its own list must be empty: contacts are mutual. */
  uint own = grid_bucket(home, U.grid_mask);
  uint first = 0u;
  if (own != 0u) first = AT(GRID, own - 1u);
  if (AT(GRID, own) - first > WEFT_GRID_MAX) found = 0u;
  SET(CONTACT_FOUND, i, found | crowded);
}

#endif
