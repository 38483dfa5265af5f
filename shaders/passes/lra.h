/* attachment: projects each particle onto its long-range attachments, nearest first. Pinned particles are read and never written, so particles may
 * go in any order. */
#ifndef WEFT_PASSES_LRA_H
#define WEFT_PASSES_LRA_H
#include "kernels/lra.h"

PASS(pass_lra) {
  real4 p = AT(X, i);
  if (p.w == K(0.0)) return;
  weft_lra element = AT(LRA, i);
  tethered to;
  to.x = XYZ(p);
  bool taut = false;
  for (uint k = 0u; k < 4u; ++k) {
    uint anchor = PART4U(element.anchors, k);
    if (anchor == WEFT_NO_ANCHOR) break;
    to = lra_to(to.x, XYZ(AT(X, anchor)), PART4(element.lengths, k));
    taut = taut || to.taut;
  }
  if (taut) SET(X, i, V4(to.x, p.w));
}

#endif
