/* self_span: what is looked at and cut is the way of the whole contact step. */
#ifndef WEFT_PASSES_SELF_SPAN_H
#define WEFT_PASSES_SELF_SPAN_H
#include "kernels/exact.h"

PASS(pass_self_span) {
  SET(X_PREV, i, AT(SELF_FROM, i));
}

#endif
