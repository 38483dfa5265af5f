/* self_truncate: a round: shares of motions are cut until every pair stays apart. It reads one share of each particle and writes the
 * other, and carries over what is below 1. What flees may be cut by another pair, so there are several rounds; in the last, each
 * side keeps to a share of the room that holds whatever the others do. */
#ifndef WEFT_PASSES_SELF_TRUNCATE_H
#define WEFT_PASSES_SELF_TRUNCATE_H
#include "passes/self.h"

PASS(pass_self_truncate) {
  if (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_PAIRS)) return;
  uint part = SELF_PART_OF_PAIR(i);
  if (SELF_IDLE(part)) return;
  uint changed = SELF_PLACE(part, WEFT_SELF_AT_CHANGED + WEFT_SELF_ROUNDS * pass.detection + pass.round);
  if (pass.round != 0u && AT(SELF_COUNTS, changed - 1u) == 0u) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_LIMITS) == 0u) return;
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = weft_self_particles(listed);
  bool edges = weft_self_is_edges(listed);
  bool uncertain = (plane.use & WEFT_SELF_UNCERTAIN) != 0u;
  bool strict = pass.round == WEFT_SELF_ROUNDS - 1u;
  uint from = pass.round & 1u;
  real3 n = plane.normal;
  real room = self_room(plane.gap, plane.floor);
  real first = K(-1.0e30);
  real second = K(-1.0e30);
  /* The same of pinned corners, which have their way where there is room for it. */
  real first_pinned = K(-1.0e30);
  real second_pinned = K(-1.0e30);
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    bool of_first = k == 0u || (edges && k == 1u);
    bool pinned_here = AT(X, particle).w == K(0.0);
    real3 move = SELF_MOVE(particle);
    real along = self_flushed_dot(move, n);
    along = of_first ? self_negative(along) : along;
    real slack = pinned_here && !self_moves(move) ? K(0.0) : self_slack(XYZ(AT(X_PREV, particle)), move);
    real share = self_share(AT(SELF_FRACTIONS, 2u * particle + from));
    real comes = self_comes(along, strict ? K(1.0) : share, slack);
    comes = strict ? self_more(comes, K(0.0)) : comes;
    first = of_first ? self_more(first, comes) : first;
    second = of_first ? second : self_more(second, comes);
    first_pinned = of_first && pinned_here ? self_more(first_pinned, comes) : first_pinned;
    second_pinned = !of_first && pinned_here ? self_more(second_pinned, comes) : second_pinned;
  }
  precise real both = first + second;
  bool fits = both <= room;
  real first_side = self_first_side(room, first, second);
  precise real second_side = room - first_side;
  bool first_drives = first_pinned > first_side && !(second_pinned > second_side);
  bool second_drives = second_pinned > second_side && !(first_pinned > first_side);
  first_side = first_drives ? self_override_side(room, first_pinned, second) : first_side;
  second_side = second_drives ? self_override_side(room, second_pinned, first) : second_side;
  precise real beside_second = room - second_side;
  precise real beside_first = room - first_side;
  first_side = second_drives ? beside_second : first_side;
  second_side = first_drives ? beside_first : second_side;
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    if (SELF_STILL(particle)) continue;
    bool of_first = k == 0u || (edges && k == 1u);
    uint share = AT(SELF_FRACTIONS, 2u * particle + from);
    uint cut = share;
    if (uncertain) cut = 0u;
    if (!uncertain && !fits) {
      real3 move = SELF_MOVE(particle);
      real along = self_flushed_dot(move, n);
      along = of_first ? self_negative(along) : along;
      cut = self_cut(share, along, self_slack(XYZ(AT(X_PREV, particle)), move), of_first ? first_side : second_side);
    }
    if (cut == WEFT_SELF_WHOLE) continue;
    ATOMIC_MIN(SELF_FRACTIONS, 2u * particle + 1u - from, cut);
    if (cut < share) ATOMIC_OR(SELF_COUNTS, changed, 1u);
  }
}

#endif
