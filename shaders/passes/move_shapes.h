/* move_shapes: vertices of the bodies inside shapes move rigidly with them. Like other bodies they are not predicted, may be truncated by cloth
 * that has no room, and catch up. */
#ifndef WEFT_PASSES_MOVE_SHAPES_H
#define WEFT_PASSES_MOVE_SHAPES_H
#include "kernels/point_on_shape.h"

PASS(pass_move_shapes) {
  weft_shape_path path = AT(SHAPE_PATHS, i - U.shape_first);
  real4 start = AT(X, i);
  uint now = substep * U.collider_count + path.collider;
  uint then = U.poses_before + path.collider;
  real before = K(0.0);
  if (substep != 0u) {
    then = now - U.collider_count;
    before = AT(SUBSTEPS, substep - 1u).way;
  }
  real3 came_from = shape_point(AT(COLLIDERS, then), path.from, path.to, before);
  real3 position = shape_point(AT(COLLIDERS, now), path.from, path.to, AT(SUBSTEPS, substep).way);
  position = pin_after(position, XYZ(start), v3_sub(position, came_from), U.self_escape);
  position = v3_select(path.stays != 0u, XYZ(start), position);
  SET(X_PREV, i, start);
  SET(X, i, V4(position, K(0.0)));
}

#endif
