/* lra.h: long-range attachments: a particle further from a pinned one than the cloth between them is long is projected back to that length (Kim,
 * Chentanez and Mueller-Fischer 2012, "Long range attachments"). */
#ifndef WEFT_KERNELS_LRA_H
#define WEFT_KERNELS_LRA_H
#include "kernels/exact.h"

KERNEL_STRUCT(tethered)
  mask taut;
  real3 x;
KERNEL_STRUCT_END(tethered)

KERNEL tethered lra_to(real3 x, real3 anchor, real length) {
  real3 away = exact_flush3(v3_sub(x, anchor));
  real away2 = exact_dot(away, away);
  real inverse = exact_rsqrt(away2);
  precise real len = away2 * inverse;
  real3 n = exact_flush3(v3_scale(away, inverse));
  real3 back = exact_flush3(v3_add(anchor, v3_scale(n, length)));
  tethered to;
  to.taut = len > length;
  to.x = v3_select(to.taut, back, x);
  return to;
}

#endif
