/* collide: push particles out of shapes, one collider after the other. Most shapes leave a particle where it is, and to know
 * that takes a small part of the text. A driver that masks lanes instead of branching would run all of it for each shape,
 * were it not outside the loop over them. */
#ifndef WEFT_PASSES_COLLIDE_H
#define WEFT_PASSES_COLLIDE_H
#include "kernels/collide.h"
#include "kernels/pair.h"

PASS(pass_collide) {
  real4 at = AT(X, i);
  if (at.w == K(0.0)) return;
  real3 p = XYZ(at);
  real3 before = XYZ(AT(X_PREV, i));
  uint next = substep * U.collider_count;
  uint end = next + U.collider_count;
  while (next < end) {
    bool misses = true;
    do {
      weft_collider_pose pose = AT(COLLIDERS, next);
      bool far = false;
      if (shape_is_swept(pose)) far = shape_move2(pose, shape_axis_then(pose), before, p) > pose.axis_x.w;
      misses = !far && !(shape_meets(pose, shape_axis_now(pose), p).depth > K(0.0));
      next += misses ? 1u : 0u;
    } while (misses && next < end);
    if (next < end) {
      weft_collider_pose pose = AT(COLLIDERS, next);
      shape_axis axis = shape_axis_now(pose);
      query_frame look;
      look.at = p;
      look.swept = false;
      if (shape_is_swept(pose)) look = shape_query_frame(pose, axis, shape_axis_then(pose), before, p);
      p = collided(pose, axis, look, before, p).x;
      ++next;
    }
  }
  p = exact_flush3(p);
  if (PAIRS) {
    pair3 moved = pair3_moved(pair3_of(XYZ(at), XYZ(AT(X_LOW, i))), exact_flush3(v3_sub(p, XYZ(at))));
    SET(X, i, V4(moved.high, at.w));
    SET(X_LOW, i, V4(moved.low, K(0.0)));
    return;
  }
  SET(X, i, V4(p, at.w));
}

#endif
