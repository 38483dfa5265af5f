/* self_extrapolate: where a contact step would end if its substeps were all like the first one, for the detection that says what pushes in it. */
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
