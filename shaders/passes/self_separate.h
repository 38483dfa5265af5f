/* self_separate: finds the separating plane of a candidate pair. A pair that certainly stays apart, and beyond the repulsion distance, is dropped;
 * the others become contact pairs. */
#ifndef WEFT_PASSES_SELF_SEPARATE_H
#define WEFT_PASSES_SELF_SEPARATE_H
#include "kernels/self_cull_bound.h"
#include "passes/self_corners.h"
#include "passes/self_list.h"

KERNEL self_corners self_moves_of(BUFFERS m, uvec4 p) {
  self_corners moves;
  moves.p0 = self_move(m, p.x);
  moves.p1 = self_move(m, p.y);
  moves.p2 = self_move(m, p.z);
  moves.p3 = self_move(m, p.w);
  return moves;
}

/* Which corners are swept. */
KERNEL self_marks self_marks_of(BUFFERS m, uvec4 p) {
  self_marks anywhere;
  anywhere.k0 = AT(SELF_DIRTY, p.x) != 0u;
  anywhere.k1 = AT(SELF_DIRTY, p.y) != 0u;
  anywhere.k2 = AT(SELF_DIRTY, p.z) != 0u;
  anywhere.k3 = AT(SELF_DIRTY, p.w) != 0u;
  return anywhere;
}

KERNEL bool self_all_are_still(BUFFERS m, uvec4 p) {
  return self_is_still(m, p.x) && self_is_still(m, p.y) && self_is_still(m, p.z) && self_is_still(m, p.w);
}

/* The distance that two features of one piece keep because they are so near at rest. */
KERNEL real self_made_gap(BUFFERS m, uvec4 p, bool edges) {
  self_corners rest = self_corners_from(AT(SELF_VERTICES, p.x).rest, AT(SELF_VERTICES, p.y).rest, AT(SELF_VERTICES, p.z).rest,
                                        AT(SELF_VERTICES, p.w).rest);
  return self_rest_gap(self_closest_points(rest, edges).distance2);
}

/* The separating plane of a pair, without its remembered slide. */
KERNEL weft_self_plane self_plane_of(self_normal best, self_closest closest, real distance, uint use, real reach, real least) {
  weft_self_plane plane;
  plane.normal = best.n;
  plane.gap = best.gap;
  plane.weights = self_to4(closest.weights);
  plane.slide = V3(K(0.0), K(0.0), K(0.0));
  plane.escape = K(0.0);
  plane.distance = distance;
  plane.use = use;
  plane.reach = reach;
  plane.floor = least;
  return plane;
}

PASS(pass_self_separate) {
  if (i >= self_counted(m, self_all_parts(m), WEFT_SELF_AT_CANDIDATES + pass.detection)) return;
  uvec4 candidate = AT(SELF_CANDIDATES, i);
  uvec4 p = weft_self_particles(candidate);
  uint part = self_part_of(m, p.x);
  if (self_is_idle(m, part, pass.detection) || self_all_are_still(m, p)) return;
  bool edges = weft_self_is_edges(candidate);
  self_corners at = self_corners_before(m, p);
  self_corners moves = self_moves_of(m, p);
  self_marks anywhere = self_marks_of(m, p);
  self_closest closest = self_closest_points(at, edges);
  weft_self_vertex vertex = AT(SELF_VERTICES, p.x);
  real least = vertex.floor;
  real distance = vertex.thickness;
  if (self_touches_body(m, p)) distance = AT(SELF_VERTICES, self_of_body(m, p)).thickness;
  /* For most pairs the direction between their closest points suffices. */
  self_normal first = self_first_normal(at, edges, closest);
  real floor_here = self_floor_at(self_before(m, p.x), least);
  if (self_certified(at, first.gap, least)) {
    self_cull_bound cull_bound = self_detect_ahead(moves, first, anywhere, edges, distance, U.self_beyond, floor_here);
    if (cull_bound.safe && cull_bound.far) return;
  }
  /* Features of one piece that are nearer at rest keep that distance, and have a smaller epsilon. */
  if (weft_self_is_same(candidate)) {
    real made = self_made_gap(m, p, edges);
    distance = self_less(distance, made);
    least = self_own_floor(at, made, least);
    floor_here = self_floor_at(self_before(m, p.x), least);
  }
  self_normal best = self_best_normal(at, edges, closest);
  self_cull_bound cull_bound = self_detect_ahead(moves, best, anywhere, edges, distance, U.self_beyond, floor_here);
  bool certain = self_certified(at, best.gap, least);
  bool safe = certain && cull_bound.safe;
  if (safe && cull_bound.far) return;
  bool pushes = certain && !cull_bound.far && pass.detection == 0u && self_good(best.gap, closest.distance2);
  uint use = (certain ? 0u : WEFT_SELF_UNCERTAIN) | (safe ? 0u : WEFT_SELF_LIMITS) | (pushes ? WEFT_SELF_PUSHES : 0u);
  uint slot = self_take_place(m, part, WEFT_SELF_AT_PAIRS, U.self_pairs);
  if (slot == SELF_NO_PLACE) return;
  SET(SELF_PAIRS, slot, candidate);
  SET(SELF_PLANES, slot, self_plane_of(best, closest, distance, use, vertex.reach, least));
}

#endif
