/* self_depart: where a contact step begins. */
#ifndef WEFT_PASSES_SELF_DEPART_H
#define WEFT_PASSES_SELF_DEPART_H
#include "kernels/exact.h"

PASS(pass_self_depart) {
  SET(SELF_FROM, i, AT(X_PREV, i));
}

#endif
