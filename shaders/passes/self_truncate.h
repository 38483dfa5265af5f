/* self_truncate: one round: step fractions are reduced until the planes of all pairs hold. It reads one buffer of step fractions and writes the
 * other, copying fractions below 1. A corner that moves away from one pair may be truncated by another, so there are several rounds; in the last
 * one each side keeps a bound that holds whatever other pairs do. */
#ifndef WEFT_PASSES_SELF_TRUNCATE_H
#define WEFT_PASSES_SELF_TRUNCATE_H
#include "passes/self_corners.h"
#include "passes/self_listed.h"

KERNEL bool self_is_of_first(uint k, bool edges) { return k == 0u || (edges && k == 1u); }

/* How far the corners of a pair approach; step fractions are those in the half of the buffer that begins at `from`. */
KERNEL self_wants self_wants_of(BUFFERS m, uvec4 p, bool edges, real3 n, uint from, bool strict) {
  self_wants wants = self_wants_nothing();
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    bool of_first = self_is_of_first(k, edges);
    bool pinned = AT(X, particle).w == K(0.0);
    real3 move = self_move(m, particle);
    real slack = pinned && !self_moves(move) ? K(0.0) : self_slack(self_before(m, particle), move);
    real share = self_share(AT(SELF_FRACTIONS, 2u * particle + from));
    real comes = self_comes(self_towards_other(move, n, of_first), strict ? K(1.0) : share, slack);
    comes = strict ? self_more(comes, K(0.0)) : comes;
    wants = self_wants_also(wants, of_first, pinned, comes);
  }
  return wants;
}

PASS(pass_self_truncate) {
  if (!self_is_listed(m, i)) return;
  uint part = self_part_of_pair(m, i);
  if (self_is_idle(m, part, pass.detection)) return;
  uint changed = self_place(part, WEFT_SELF_AT_CHANGED + WEFT_SELF_ROUNDS * pass.detection + pass.round);
  if (pass.round != 0u && AT(SELF_COUNTS, changed - 1u) == 0u) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_LIMITS) == 0u) return;
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = weft_self_particles(listed);
  bool edges = weft_self_is_edges(listed);
  bool uncertain = (plane.use & WEFT_SELF_UNCERTAIN) != 0u;
  bool strict = pass.round == WEFT_SELF_ROUNDS - 1u;
  uint from = pass.round & 1u;
  real room = self_room(plane.gap, plane.floor);
  self_wants wants = self_wants_of(m, p, edges, plane.normal, from, strict);
  bool fits = self_fit(room, wants);
  self_sides sides = self_sides_of(room, wants);
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    if (self_is_still(m, particle)) continue;
    bool of_first = self_is_of_first(k, edges);
    uint share = AT(SELF_FRACTIONS, 2u * particle + from);
    uint cut = share;
    if (uncertain) cut = 0u;
    if (!uncertain && !fits) {
      real3 move = self_move(m, particle);
      real slack = self_slack(self_before(m, particle), move);
      cut = self_cut(share, self_towards_other(move, plane.normal, of_first), slack, of_first ? sides.first : sides.second);
    }
    if (cut == WEFT_SELF_WHOLE) continue;
    ATOMIC_MIN(SELF_FRACTIONS, 2u * particle + 1u - from, cut);
    if (cut < share) ATOMIC_OR(SELF_COUNTS, changed, 1u);
  }
}

#endif
