/* self_apply: every particle takes the corrections that self_repel added up for it. */
#ifndef WEFT_PASSES_SELF_APPLY_H
#define WEFT_PASSES_SELF_APPLY_H
#include "kernels/self_repel.h"

PASS(pass_self_apply) {
  if (AT(SELF_CORRECTIONS, 4u * i + 3u) == 0u) return;
  real4 p = AT(X, i);
  real3 sum = V3(self_unfixed(AT(SELF_CORRECTIONS, 4u * i)), self_unfixed(AT(SELF_CORRECTIONS, 4u * i + 1u)),
                 self_unfixed(AT(SELF_CORRECTIONS, 4u * i + 2u)));
  SET(X, i, V4(exact_flush3(v3_add(XYZ(p), sum)), p.w));
  for (uint k = 0u; k < 4u; ++k) SET(SELF_CORRECTIONS, 4u * i + k, 0u);
}

#endif
