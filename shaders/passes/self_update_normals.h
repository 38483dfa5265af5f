/* self_update_normals: separating planes and slides of the contact pairs that repel. The normal lies between the closest points of the predicted
 * corners: one from the start of the substep would stop a feature that slides towards an edge, as if the edge were thick. Where that normal does
 * not separate the pair at the start, the stored one does. */
#ifndef WEFT_PASSES_SELF_UPDATE_NORMALS_H
#define WEFT_PASSES_SELF_UPDATE_NORMALS_H
#include "kernels/self_repel.h"
#include "passes/self_corners.h"
#include "passes/self_listed.h"

KERNEL bool self_same_pair(uvec4 a, uvec4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

/* The slide at the end of the last substep, and the separation speed then; 0 if the pair did not touch. */
KERNEL weft_self_cached self_recalled(BUFFERS m, uvec4 listed) {
  weft_self_cached found;
  found.pair = listed;
  found.slide = V3(K(0.0), K(0.0), K(0.0));
  found.escape = K(0.0);
  for (uint kept = AT(SELF_CACHE_HEADS, weft_self_first(listed)); kept != 0u; kept = AT(SELF_CACHE_NEXT, kept - 1u)) {
    weft_self_cached before = AT(SELF_CACHE, kept - 1u);
    if (self_same_pair(before.pair, listed)) found = before;
  }
  return found;
}

PASS(pass_self_update_normals) {
  if (!self_is_listed(m, i) || self_is_closed(m, i)) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  if ((plane.use & WEFT_SELF_PUSHES) == 0u) return;
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = weft_self_particles(listed);
  bool edges = weft_self_is_edges(listed);
  self_corners at = self_corners_before(m, p);
  self_closest closest = self_closest_points(self_corners_now(m, p), edges);
  self_normal normal = self_extrapolate(at, edges, closest);
  real distance2 = self_apart2(at, closest.weights);
  if (!(self_certified(at, normal.gap, plane.floor) && self_good(normal.gap, distance2))) {
    closest = self_closest_points(at, edges);
    normal = self_best_normal(at, edges, closest);
    distance2 = closest.distance2;
  }
  bool good = self_certified(at, normal.gap, plane.floor) && self_good(normal.gap, distance2);
  weft_self_cached before = self_recalled(m, listed);
  /* A gap below 0 excludes a pair without a usable normal from repulsion. */
  plane.normal = normal.n;
  plane.gap = good ? normal.gap : K(-1.0);
  plane.weights = self_to4(closest.weights);
  plane.slide = before.slide;
  plane.escape = self_escape_of(self_touches_body(m, p), before.escape, U.self_escape);
  SET(SELF_PLANES, i, plane);
}

#endif
