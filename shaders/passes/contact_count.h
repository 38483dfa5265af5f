/* contact_count: how many neighbours of each movable particle overlap it now. The relaxation of a contact is divided by this number. */
#ifndef WEFT_PASSES_CONTACT_COUNT_H
#define WEFT_PASSES_CONTACT_COUNT_H
#include "passes/contact.h"

PASS(pass_contact_count) {
  real4 p = AT(X, i);
  uint listed = contacts_listed(AT(CONTACT_FOUND, i));
  uint load = 0u;
  for (uint k = 0u; k < listed; ++k) {
    uint j = AT(CONTACTS, WEFT_CONTACT_SLOTS * i + k).other;
    particle_gap gap = particle_gap_between(XYZ(p), XYZ(AT(X, j)), U.contact_distance);
    load += gap.depth > K(0.0) ? 1u : 0u;
  }
  SET(CONTACT_LOAD, i, p.w == K(0.0) ? 0u : load);
}

#endif
