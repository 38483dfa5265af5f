/* level_restrict: the nodes of a level become the means of nodes of the level below. */
#ifndef WEFT_PASSES_LEVEL_RESTRICT_H
#define WEFT_PASSES_LEVEL_RESTRICT_H
#include "passes/level.h"

PASS(pass_level_restrict) { LEVEL_MEAN(LEVEL_X, i) }

#endif
