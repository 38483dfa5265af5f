/* move_bodies: vertices of a body follow their straight path through the frame. They are not predicted: x_prev is where the substep begins.
 * self_advance may truncate their displacement where cloth has no room; they then catch up. In a body's last frame x_prev becomes x, so that it is
 * at rest. */
#ifndef WEFT_PASSES_MOVE_BODIES_H
#define WEFT_PASSES_MOVE_BODIES_H
#include "kernels/pin.h"

PASS(pass_move_bodies) {
  weft_body_path path = AT(BODY_PATHS, i - U.particle_count);
  real4 start = AT(X, i);
  real before = K(0.0);
  if (substep != 0u) before = AT(SUBSTEPS, substep - 1u).way;
  real3 position = pin_on_its_way(path.from, path.to, before, AT(SUBSTEPS, substep).way, XYZ(start), U.self_escape);
  position = v3_select(path.stays != K(0.0), XYZ(start), position);
  SET(X_PREV, i, start);
  SET(X, i, V4(position, K(0.0)));
}

#endif
