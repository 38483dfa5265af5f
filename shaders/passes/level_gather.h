/* level_gather: the nodes of the finest of the coarse levels become the means of their particles. */
#ifndef WEFT_PASSES_LEVEL_GATHER_H
#define WEFT_PASSES_LEVEL_GATHER_H
#include "passes/level.h"

PASS(pass_level_gather) { LEVEL_MEAN(X, i) }

#endif
