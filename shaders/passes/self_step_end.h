/* self_step_end: makes the displacement of the whole contact step the one that detection and truncation work on. */
#ifndef WEFT_PASSES_SELF_STEP_END_H
#define WEFT_PASSES_SELF_STEP_END_H
#include "kernels/exact.h"

PASS(pass_self_step_end) {
  SET(X_PREV, i, AT(SELF_STEP_START, i));
}

#endif
