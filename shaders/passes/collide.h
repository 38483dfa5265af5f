/* collide: projects particles out of shapes, one collider after the other. Most shapes do not touch a particle, which a short test finds out. That
 * test stands outside the loop over colliders, because a driver that masks lanes instead of branching would run the whole text for each shape. */
#ifndef WEFT_PASSES_COLLIDE_H
#define WEFT_PASSES_COLLIDE_H
#include "kernels/collide.h"

PASS(pass_collide) {
  real4 at = AT(X, i);
  if (at.w == K(0.0)) return;
  pair3 p = pair3_single(XYZ(at));
  pair3 before = pair3_single(XYZ(AT(X_PREV, i)));
  if (PAIRS) {
    p.low = XYZ(AT(X_LOW, i));
    before.low = XYZ(AT(X_PREV_LOW, i));
  }
  uint next = substep * U.collider_count;
  uint end = next + U.collider_count;
  while (next < end) {
    bool misses = true;
    do {
      weft_collider_pose pose = AT(COLLIDERS, next);
      bool far = false;
      if (shape_is_swept(pose)) far = shape_move2(pose, shape_axis_then(pose), before.high, p.high) > pose.axis_x.w;
      misses = !far && !(shape_meets(pose, shape_axis_now(pose), PAIRS, p).depth > K(0.0));
      next += misses ? 1u : 0u;
    } while (misses && next < end);
    if (next < end) {
      weft_collider_pose pose = AT(COLLIDERS, next);
      shape_axis axis = shape_axis_now(pose);
      query_frame look;
      look.at = p;
      look.swept = false;
      if (shape_is_swept(pose)) look = shape_query_frame(pose, axis, shape_axis_then(pose), before.high, p);
      collision to = collided(pose, axis, look, PAIRS, before, p);
      p = to.x;
      ++next;
    }
  }
  if (PAIRS) {
    SET(X, i, V4(p.high, at.w));
    SET(X_LOW, i, V4(p.low, K(0.0)));
    return;
  }
  SET(X, i, V4(exact_flush3(p.high), at.w));
}

#endif
