/* self_shorten: where motions are still being cut, the last detection is one that nothing can stray from: every motion of the part is made no longer
 * than a step, and is looked for anywhere on what is left of it. */
#ifndef WEFT_PASSES_SELF_SHORTEN_H
#define WEFT_PASSES_SELF_SHORTEN_H
#include "passes/self.h"

PASS(pass_self_shorten) {
  uint part = SELF_PART(i);
  if (SELF_IDLE(part)) return;
  real4 p = AT(X, i);
  real3 before = XYZ(AT(X_PREV, i));
  real3 move = SELF_MOVE(i);
  bool longer = self_is_longer(move, SELF_DISTANCES(part).w);
  SET(SELF_DIRTY, i, pass.detection);
  SET(SELF_FRACTIONS, 2u * i, longer ? WEFT_SELF_WHOLE - 1u : WEFT_SELF_WHOLE);
  SET(SELF_FRACTIONS, 2u * i + 1u, WEFT_SELF_WHOLE);
  if (longer) SET(X, i, V4(self_shortened(before, move, SELF_DISTANCES(part).w), p.w));
}

#endif
