/* self_update_normals: the planes of the pairs that are to push, and how far these have slid. A plane lies between the closest points of where their corners are
 * predicted to be. One between those of the start of the substep would stand in the way of what slides along: an edge that it comes to would
 * be as wide as the way that is left to it. Where that direction does not part the pair at the start, the plane there does. */
#ifndef WEFT_PASSES_SELF_UPDATE_NORMALS_H
#define WEFT_PASSES_SELF_UPDATE_NORMALS_H
#include "kernels/self_repel.h"
#include "passes/self.h"

#define SELF_SAME(a, b) ((a).x == (b).x && (a).y == (b).y && (a).z == (b).z && (a).w == (b).w)

PASS(pass_self_update_normals) {
  if (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_PAIRS)) return;
  if (SELF_COUNT(SELF_PART_OF_PAIR(i), WEFT_SELF_AT_FLAGS) != 0u) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_PUSHES) == 0u) return;
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = weft_self_particles(listed);
  bool edges = weft_self_is_edges(listed);
  self_corners at;
  SELF_CORNERS_AT(at, p)
  self_corners ends;
  SELF_CORNERS_IN(X, ends, p)
  self_closest closest = self_closest_points(ends, edges);
  self_normal normal = self_extrapolate(at, edges, closest);
  real distance2 = self_apart2(at, closest.weights);
  if (!(self_certified(at, normal.gap, plane.floor) && self_good(normal.gap, distance2))) {
    closest = self_closest_points(at, edges);
    normal = self_best_normal(at, edges, closest);
    distance2 = closest.distance2;
  }
  bool good = self_certified(at, normal.gap, plane.floor) && self_good(normal.gap, distance2);
  /* A pair without a good normal is left out by a gap below 0. */
  plane.normal = normal.n;
  plane.gap = good ? normal.gap : K(-1.0);
  plane.weights = self_to4(closest.weights);
  plane.slide = V3(K(0.0), K(0.0), K(0.0));
  real escape = K(0.0);
  for (uint kept = AT(SELF_CACHE_HEADS, p.x); kept != 0u; kept = AT(SELF_CACHE_NEXT, kept - 1u)) {
    weft_self_cached before = AT(SELF_CACHE, kept - 1u);
    if (SELF_SAME(before.pair, listed)) {
      plane.slide = before.slide;
      escape = before.escape;
    }
  }
  plane.escape = self_escape_of(SELF_TOUCHES_BODY(p), escape, U.self_escape);
  SET(SELF_PLANES, i, plane);
}

#endif
