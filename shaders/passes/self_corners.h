/* self_corners.h: positions of particles at the start of the substep, or in detections of the contact step, and their displacements in it. */
#ifndef WEFT_PASSES_SELF_CORNERS_H
#define WEFT_PASSES_SELF_CORNERS_H
#include "passes/self.h"

KERNEL real3 self_before(BUFFERS m, uint particle) { return XYZ(AT(X_PREV, particle)); }
KERNEL real3 self_now(BUFFERS m, uint particle) { return XYZ(AT(X, particle)); }
KERNEL real3 self_move(BUFFERS m, uint particle) { return exact_flush3(v3_sub(self_now(m, particle), self_before(m, particle))); }

/* A pin without displacement. */
KERNEL bool self_is_still(BUFFERS m, uint particle) { return AT(X, particle).w == K(0.0) && !self_moves(self_move(m, particle)); }

KERNEL self_corners self_corners_before(BUFFERS m, uvec4 p) {
  return self_corners_from(self_before(m, p.x), self_before(m, p.y), self_before(m, p.z), self_before(m, p.w));
}
KERNEL self_corners self_corners_now(BUFFERS m, uvec4 p) {
  return self_corners_from(self_now(m, p.x), self_now(m, p.y), self_now(m, p.z), self_now(m, p.w));
}

#endif
