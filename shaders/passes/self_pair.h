/* self_pair.h: how far a pair is into the thickness, at the positions of now. */
#ifndef WEFT_PASSES_SELF_PAIR_H
#define WEFT_PASSES_SELF_PAIR_H
#include "kernels/self_repel.h"
#include "passes/self.h"

#define SELF_NO_PUSH \
  (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_PAIRS) || SELF_COUNT(SELF_PART_OF_PAIR(i), WEFT_SELF_AT_FLAGS) != 0u || \
   (AT(SELF_PLANES, i).use & WEFT_SELF_PUSHES) == 0u || !(AT(SELF_PLANES, i).gap > K(0.0)))

/* The pace at which the pair may part stands with its slide (self_update_normals). */
#define SELF_DEPTH(plane, apart, p) \
  self_depth((plane).normal, self_wanted((plane).normal, SELF_APART(X_PREV, p, plane), (plane).distance, (plane).escape), apart)

/* The way from the second feature to the first. */
#define SELF_STEP_START(buffer, p, other) v3_sub(XYZ(AT(buffer, other)), XYZ(AT(buffer, (p).x)))
#define SELF_APART(buffer, p, plane)                                                                \
  exact_flush3(self_weighted(V3(K(0.0), K(0.0), K(0.0)), SELF_STEP_START(buffer, p, (p).y),               \
                             SELF_STEP_START(buffer, p, (p).z), SELF_STEP_START(buffer, p, (p).w), (plane).weights))

#endif
