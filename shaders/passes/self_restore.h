/* self_restore: undoes self_extrapolate. */
#ifndef WEFT_PASSES_SELF_RESTORE_H
#define WEFT_PASSES_SELF_RESTORE_H
#include "kernels/exact.h"

PASS(pass_self_restore) {
  SET(X, i, AT(SELF_STEP_START, i));
}

#endif
