/* self_accept: counts contact pairs, and those whose gap is uncertain. */
#ifndef WEFT_PASSES_SELF_ACCEPT_H
#define WEFT_PASSES_SELF_ACCEPT_H
#include "passes/self_listed.h"

PASS(pass_self_accept) {
  if (!self_is_listed(m, i) || self_is_closed(m, i)) return;
  uint part = self_part_of_pair(m, i);
  ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_PAIR_SUM), 1u);
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_LIMITS) == 0u) return;
  if ((plane.use & WEFT_SELF_UNCERTAIN) != 0u) ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_UNCERTAIN), 1u);
}

#endif
