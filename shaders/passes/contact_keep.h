/* contact_keep: at the end of a substep, which neighbours touch each particle and how far they have slid past each other, clamped to Coulomb's
 * limit. */
#ifndef WEFT_PASSES_CONTACT_KEEP_H
#define WEFT_PASSES_CONTACT_KEEP_H
#include "passes/contact.h"

PASS(pass_contact_keep) {
  real4 p = AT(X, i);
  real3 moved = v3_sub(XYZ(p), XYZ(AT(X_PREV, i)));
  uint listed = contacts_listed(AT(CONTACT_FOUND, i));
  uint kept = 0u;
  for (uint k = 0u; k < listed; ++k) {
    weft_neighbour neighbour = AT(CONTACTS, WEFT_CONTACT_SLOTS * i + k);
    uint j = neighbour.other;
    real4 q = AT(X, j);
    particle_gap gap = particle_gap_between(XYZ(p), XYZ(q), U.contact_distance);
    if (!(gap.depth > K(0.0))) continue;
    real3 n = particle_contact_normal(gap, i < j);
    real3 other_moved = v3_sub(XYZ(q), XYZ(AT(X_PREV, j)));
    real3 slide = particle_contact_slide(moved, other_moved, slide_kept(neighbour), n);
    real3 held = exact_flush3(friction_held(slide, gap.depth, U.contact_static, U.contact_dynamic));
    SET(CONTACTS_KEPT, WEFT_CONTACT_SLOTS * i + kept, neighbour_slid(j, held));
    ++kept;
  }
  if (kept < WEFT_CONTACT_SLOTS) {
    weft_neighbour none = neighbour_slid(WEFT_CONTACT_NONE, V3(K(0.0), K(0.0), K(0.0)));
    SET(CONTACTS_KEPT, WEFT_CONTACT_SLOTS * i + kept, none);
  }
}

#endif
