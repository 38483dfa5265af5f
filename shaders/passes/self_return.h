/* self_return: back from self_ahead. */
#ifndef WEFT_PASSES_SELF_RETURN_H
#define WEFT_PASSES_SELF_RETURN_H
#include "kernels/exact.h"

PASS(pass_self_return) {
  SET(X, i, AT(SELF_FROM, i));
}

#endif
