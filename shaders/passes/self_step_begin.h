/* self_step_begin: stores the positions at which a contact step begins. */
#ifndef WEFT_PASSES_SELF_STEP_BEGIN_H
#define WEFT_PASSES_SELF_STEP_BEGIN_H
#include "kernels/exact.h"

PASS(pass_self_step_begin) {
  SET(SELF_STEP_START, i, AT(X_PREV, i));
}

#endif
