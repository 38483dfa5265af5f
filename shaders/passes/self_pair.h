/* self_pair.h: how far a pair is within its thickness, at the current positions. */
#ifndef WEFT_PASSES_SELF_PAIR_H
#define WEFT_PASSES_SELF_PAIR_H
#include "kernels/self_repel.h"
#include "passes/self_corners.h"
#include "passes/self_listed.h"

KERNEL bool self_pushes(BUFFERS m, uint number) {
  if (!self_is_listed(m, number) || self_is_closed(m, number)) return false;
  return (AT(SELF_PLANES, number).use & WEFT_SELF_PUSHES) != 0u && AT(SELF_PLANES, number).gap > K(0.0);
}

/* The vector from the second feature's point to the first one's. */
KERNEL real3 self_apart_before(BUFFERS m, uvec4 p, weft_self_plane plane) {
  return self_apart_of(self_before(m, p.x), self_before(m, p.y), self_before(m, p.z), self_before(m, p.w), plane.weights);
}
KERNEL real3 self_apart_now(BUFFERS m, uvec4 p, weft_self_plane plane) {
  return self_apart_of(self_now(m, p.x), self_now(m, p.y), self_now(m, p.z), self_now(m, p.w), plane.weights);
}

KERNEL real self_depth_of(weft_self_plane plane, real3 before, real3 apart) {
  return self_depth(plane.normal, self_wanted(plane.normal, before, plane.distance, plane.escape), apart);
}

#endif
