/* pick_best: one level of the tree above pick_near: the first hit of WEFT_FAN elements of the level below, the lowest index of several. The level
 * below begins at below_first and ends at level_first. */
#ifndef WEFT_PASSES_PICK_BEST_H
#define WEFT_PASSES_PICK_BEST_H

PASS(pass_pick_best) {
  uint begin = pass.below_first + (i - pass.level_first) * WEFT_FAN;
  uint end = MIN(begin + WEFT_FAN, pass.level_first);
  weft_pick best;
  best.along = K(0.0);
  best.offset2 = K(0.0);
  best.particle = WEFT_PICK_NONE;
  best.unused_1 = 0u;
  for (uint k = begin; k < end; ++k) {
    weft_pick other = AT(PICK, k);
    bool first = best.particle == WEFT_PICK_NONE || other.along < best.along;
    if (other.particle != WEFT_PICK_NONE && first) best = other;
  }
  SET(PICK, i, best);
}

#endif
