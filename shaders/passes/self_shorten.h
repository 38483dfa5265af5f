/* self_shorten: if displacements are still truncated, makes the last detection conservative: every displacement of the instance is shortened to a
 * fixed length, and all get swept bounds. */
#ifndef WEFT_PASSES_SELF_SHORTEN_H
#define WEFT_PASSES_SELF_SHORTEN_H
#include "passes/self_corners.h"
#include "passes/self_counts.h"

PASS(pass_self_shorten) {
  uint part = self_part_of(m, i);
  if (self_is_idle(m, part, pass.detection)) return;
  real4 p = AT(X, i);
  real3 move = self_move(m, i);
  real step = AT(SELF_PARTS, part).longest;
  bool longer = self_is_longer(move, step);
  SET(SELF_DIRTY, i, pass.detection);
  SET(SELF_FRACTIONS, 2u * i, longer ? WEFT_SELF_WHOLE - 1u : WEFT_SELF_WHOLE);
  SET(SELF_FRACTIONS, 2u * i + 1u, WEFT_SELF_WHOLE);
  if (longer) SET(X, i, V4(self_shortened(self_before(m, i), move, step), p.w));
}

#endif
