/* self_ahead: where a contact step would end if its substeps were all like the first one, for the look that says what pushes in it. */
#ifndef WEFT_PASSES_SELF_AHEAD_H
#define WEFT_PASSES_SELF_AHEAD_H
#include "passes/self.h"

PASS(pass_self_ahead) {
  real4 p = AT(X, i);
  real3 before = XYZ(AT(X_PREV, i));
  SET(SELF_FROM, i, p);
  SET(X, i, V4(self_further(before, SELF_MOVE(i), U.self_ahead), p.w));
}

#endif
