/* level_spread: the particles follow the nodes of the finest of the coarse levels. */
#ifndef WEFT_PASSES_LEVEL_SPREAD_H
#define WEFT_PASSES_LEVEL_SPREAD_H
#include "passes/level.h"

PASS(pass_level_spread) { LEVEL_FOLLOW(X, LEVEL_PARENTS) }

#endif
