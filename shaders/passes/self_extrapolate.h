/* self_extrapolate: where the contact step would end if all of its substeps were like the first one. The detection of a frame's first contact
 * pairs uses it. */
#ifndef WEFT_PASSES_SELF_EXTRAPOLATE_H
#define WEFT_PASSES_SELF_EXTRAPOLATE_H
#include "passes/self_corners.h"

PASS(pass_self_extrapolate) {
  real4 p = AT(X, i);
  real3 further = self_redetect(self_before(m, i), self_move(m, i), U.self_extrapolate);
  SET(SELF_STEP_START, i, p);
  SET(X, i, V4(further, p.w));
}

#endif
