/* self_step_end: what is looked at and cut is the way of the whole contact step. */
#ifndef WEFT_PASSES_SELF_STEP_END_H
#define WEFT_PASSES_SELF_STEP_END_H
#include "kernels/exact.h"

PASS(pass_self_step_end) {
  SET(X_PREV, i, AT(SELF_STEP_START, i));
}

#endif
