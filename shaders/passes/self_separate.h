/* self_separate: what parts the features of a candidate. One that is certain to stay apart, and farther than the distance at which
 * it would push, is dropped; the others become pairs. */
#ifndef WEFT_PASSES_SELF_SEPARATE_H
#define WEFT_PASSES_SELF_SEPARATE_H
#include "kernels/self_cull_bound.h"
#include "passes/self.h"

PASS(pass_self_separate) {
  if (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_CANDIDATES + pass.detection)) return;
  uvec4 candidate = AT(SELF_CANDIDATES, i);
  uvec4 p = weft_self_particles(candidate);
  uint part = SELF_PART(p.x);
  if (SELF_IDLE(part)) return;
  bool edges = weft_self_is_edges(candidate);
  if (SELF_STILL(p.x) && SELF_STILL(p.y) && SELF_STILL(p.z) && SELF_STILL(p.w)) return;
  self_corners at;
  SELF_CORNERS_AT(at, p)
  self_corners moves;
  moves.p0 = SELF_MOVE(p.x);
  moves.p1 = SELF_MOVE(p.y);
  moves.p2 = SELF_MOVE(p.z);
  moves.p3 = SELF_MOVE(p.w);
  self_marks anywhere;
  anywhere.k0 = AT(SELF_DIRTY, p.x) != 0u;
  anywhere.k1 = AT(SELF_DIRTY, p.y) != 0u;
  anywhere.k2 = AT(SELF_DIRTY, p.z) != 0u;
  anywhere.k3 = AT(SELF_DIRTY, p.w) != 0u;
  self_closest closest = self_closest_points(at, edges);
  real4 distances = SELF_DISTANCES(part);
  real floor_here = self_floor_at(XYZ(AT(X_PREV, p.x)), distances.y);
  real distance = distances.z;
  if (SELF_TOUCHES_BODY(p)) distance = SELF_BODY(p).z;
  /* Most are parted by the line between their closest points. */
  self_normal first = self_first_normal(at, edges, closest);
  if (self_certified(at, first.gap, distances.y)) {
    self_cull_bound cull_bound = self_detect_ahead(moves, first, anywhere, edges, distance, U.self_beyond, floor_here);
    if (cull_bound.safe && cull_bound.far) return;
  }
  /* Of one piece of cloth, what were nearer at rest keep that, and have a floor of their own. */
  real least = distances.y;
  if (weft_self_is_same(candidate)) {
    self_corners rest;
    SELF_CORNERS_IN(SELF_REST, rest, p)
    real made = self_rest_gap(self_closest_points(rest, edges).distance2);
    distance = self_less(distance, made);
    least = self_own_floor(at, made, least);
    floor_here = self_floor_at(XYZ(AT(X_PREV, p.x)), least);
  }
  weft_self_plane plane = self_plane_of(at, edges, closest, distances.x, least);
  self_normal best;
  best.n = plane.normal;
  best.gap = plane.gap;
  self_cull_bound cull_bound = self_detect_ahead(moves, best, anywhere, edges, distance, U.self_beyond, floor_here);
  bool certain = plane.use == 0u;
  bool safe = certain && cull_bound.safe;
  if (safe && cull_bound.far) return;
  bool pushes = certain && !cull_bound.far && pass.detection == 0u && self_good(best.gap, closest.distance2);
  plane.distance = distance;
  plane.use = plane.use | (safe ? 0u : WEFT_SELF_LIMITS) | (pushes ? WEFT_SELF_PUSHES : 0u);
  uint slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_PAIRS), 1u);
  if (slot >= U.self_pairs) {
    ATOMIC_OR(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_OVERFLOW);
    return;
  }
  if (SELF_JOINED) slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(SELF_ALL_PARTS, WEFT_SELF_AT_PAIRS), 1u);
  SET(SELF_PAIRS, slot, candidate);
  SET(SELF_PLANES, slot, plane);
}

#endif
