/* level_prolong: the nodes of a level follow those of the coarser one above. */
#ifndef WEFT_PASSES_LEVEL_PROLONG_H
#define WEFT_PASSES_LEVEL_PROLONG_H
#include "passes/level.h"

PASS(pass_level_prolong) { LEVEL_FOLLOW(LEVEL_X, LEVEL_NODE_PARENTS) }

#endif
