/* self_begin: before a look at all motions: every particle makes all of its own, nothing is listed. */
#ifndef WEFT_PASSES_SELF_BEGIN_H
#define WEFT_PASSES_SELF_BEGIN_H
#include "passes/self.h"

PASS(pass_self_begin) {
  if (pass.in_first != 0u && substep != 0u) return;
  SET(SELF_SHARES, 2u * i, WEFT_SELF_WHOLE);
  SET(SELF_SHARES, 2u * i + 1u, WEFT_SELF_WHOLE);
  SET(SELF_MARKS, i, 0u);
  if (i != 0u) return;
  for (uint k = 0u; k < WEFT_SELF_AT_SUMS; ++k) SET(SELF_COUNTS, k, 0u);
  if (pass.in_first == 0u) return;
  for (uint k = WEFT_SELF_AT_SUMS; k < WEFT_SELF_COUNTS; ++k) SET(SELF_COUNTS, k, 0u);
}

#endif
