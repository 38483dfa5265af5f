/* self_aim: the planes of the pairs that are to push, at the positions the substep begins from. */
#ifndef WEFT_PASSES_SELF_AIM_H
#define WEFT_PASSES_SELF_AIM_H
#include "passes/self.h"

PASS(pass_self_aim) {
  if (SELF_COUNT(WEFT_SELF_AT_FLAGS) != 0u || i >= SELF_COUNT(WEFT_SELF_AT_PAIRS)) return;
  weft_self_plane before = AT(SELF_PLANES, i);
  if ((before.use & WEFT_SELF_PUSHES) == 0u) return;
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = self_particles(listed);
  self_corners at;
  SELF_CORNERS_AT(at, p)
  bool edges = (listed.x & WEFT_SELF_EDGES) != 0u;
  self_closest closest = self_closest_points(at, edges);
  weft_self_plane plane = self_plane_of(at, edges, closest, U.self_floor);
  bool good = plane.use == 0u && self_good(plane.normal.w, closest.distance2);
  plane.distance = before.distance;
  plane.use = before.use;
  /* A pair without a good normal is left out by a gap below 0. */
  plane.normal = V4(XYZ(plane.normal), good ? plane.normal.w : K(-1.0));
  SET(SELF_PLANES, i, plane);
}

#endif
