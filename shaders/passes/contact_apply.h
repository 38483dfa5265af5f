/* contact_apply: every particle takes the corrections that contact_project added up for it. */
#ifndef WEFT_PASSES_CONTACT_APPLY_H
#define WEFT_PASSES_CONTACT_APPLY_H
#include "kernels/exact.h"

PASS(pass_contact_apply) {
  real4 p = AT(X, i);
  SET(X, i, V4(exact_flush3(v3_add(XYZ(p), of_delta(AT(CONTACT_DELTA, i)))), p.w));
}

#endif
