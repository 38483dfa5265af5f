/* self_marked.h: corners of triangles; those that a detection truncated have swept bounds. */
#ifndef WEFT_PASSES_SELF_MARKED_H
#define WEFT_PASSES_SELF_MARKED_H
#include "passes/self_corners.h"

KERNEL self_corner self_corner_at(BUFFERS m, uint particle) {
  return self_corner_of(self_before(m, particle), self_move(m, particle), AT(SELF_DIRTY, particle) != 0u);
}

KERNEL self_box self_box_of_triangle(BUFFERS m, weft_self_triangle t) {
  return self_box_around(self_corner_at(m, t.corners.x), self_corner_at(m, t.corners.y), self_corner_at(m, t.corners.z));
}

/* Whether the previous detection truncated one of its corners. */
KERNEL bool self_is_marked(BUFFERS m, weft_self_triangle t, uint detection) {
  if (detection == 0u) return false;
  return AT(SELF_DIRTY, t.corners.x) == detection || AT(SELF_DIRTY, t.corners.y) == detection || AT(SELF_DIRTY, t.corners.z) == detection;
}

#endif
