/* contact.h: lists of neighbours. */
#ifndef WEFT_PASSES_CONTACT_H
#define WEFT_PASSES_CONTACT_H
#include "kernels/particle_contact.h"

/* How many of the neighbours found are stored: at most as many as the list holds. */
KERNEL uint contacts_listed(uint found) { return MIN(found & ~WEFT_CONTACT_CROWDED, WEFT_CONTACT_SLOTS); }

KERNEL weft_neighbour neighbour_slid(uint other, real3 slide) {
  weft_neighbour neighbour;
  neighbour.slide_x = slide.x;
  neighbour.slide_y = slide.y;
  neighbour.slide_z = slide.z;
  neighbour.other = other;
  return neighbour;
}

KERNEL real3 slide_kept(weft_neighbour neighbour) {
  return V3(neighbour.slide_x, neighbour.slide_y, neighbour.slide_z);
}

#endif
