/* contact_project: each particle adds up its own corrections in the order of its list. A contact moves omega/n of its
 * correction, n the larger number of contacts of its two particles: the same for both, so that momentum is kept. */
#ifndef WEFT_PASSES_CONTACT_PROJECT_H
#define WEFT_PASSES_CONTACT_PROJECT_H
#include "passes/contact.h"

PASS(pass_contact_project) {
  real4 p = AT(X, i);
  real3 moved = v3_sub(XYZ(p), XYZ(AT(X_PREV, i)));
  uint load = AT(CONTACT_LOAD, i);
  uint listed = contacts_listed(AT(CONTACT_FOUND, i));
  real3 sum = V3(K(0.0), K(0.0), K(0.0));
  for (uint k = 0u; k < listed; ++k) {
    weft_neighbour neighbour = AT(CONTACTS, WEFT_CONTACT_SLOTS * i + k);
    uint j = neighbour.other;
    real4 q = AT(X, j);
    particle_gap gap = particle_gap_between(XYZ(p), XYZ(q), U.contact_distance);
    if (!(gap.depth > K(0.0)) || p.w == K(0.0)) continue;
    real3 n = particle_contact_normal(gap, i < j);
    real3 other_moved = v3_sub(XYZ(q), XYZ(AT(X_PREV, j)));
    real3 slide = particle_contact_slide(moved, other_moved, slide_kept(neighbour), n);
    uint others = AT(CONTACT_LOAD, j);
    uint contacts_here = load > others ? load : others;
    sum = v3_add(sum, particle_contact_correction(slide, n, gap.depth, p.w, q.w, REAL(contacts_here),
                                                  U.contact_relaxation, U.contact_static, U.contact_dynamic));
  }
  SET(CONTACT_DELTA, i, delta_of(exact_flush3(sum)));
}

#endif
