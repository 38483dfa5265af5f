/* collide.h: one particle against one shape in one substep: projected out, with friction against the surface's own motion (Mueller et al. 2007;
 * Macklin et al. 2014, "Unified particle physics", section 6.1). shape_contact, shape_carried, shape_start and shape_enter are generated from
 * shapes.def and branch on the shape in the pose.
 *
 * Where positions are pairs (`pairs`, the same for all of a pass), depth and slide are differences of both parts, rounded once, relative to
 * themselves and not to the coordinate. The correction of a short substep is far below an ulp of the coordinate. */
#ifndef WEFT_KERNELS_COLLIDE_H
#define WEFT_KERNELS_COLLIDE_H
#include "kernels/friction.h"
#include "kernels/shape.h"

/* Where contact is tested: at the end of a step, or where the path enters the shape. */
KERNEL_STRUCT(query_frame)
  pair3 at;
  mask swept;
KERNEL_STRUCT_END(query_frame)

KERNEL contact shape_meets(weft_collider_pose pose, shape_axis axis, bool pairs, pair3 p) {
  return shape_contact(pose, axis, pairs, shape_from(pose, pairs, p));
}

/* Displacement relative to the shape, squared. Beyond pose.axis_x.w the path is swept. */
KERNEL real shape_move2(weft_collider_pose pose, shape_axis axis_then, real3 before, real3 p) {
  real3 move = exact_flush3(v3_sub(p, shape_start(pose, axis_then, before)));
  return exact_dot(move, move);
}

/* The contact point. A short displacement: its end. A long one that began outside, or barely inside: where it enters, in the frame of the shape at
 * its end. Single floats suffice there, since the tangent plane is as good at any point nearby. */
KERNEL query_frame shape_query_frame(weft_collider_pose pose, shape_axis axis, shape_axis axis_then, real3 before, pair3 p) {
  query_frame look;
  look.at = p;
  look.swept = NEVER;
  real3 start = shape_start(pose, axis_then, before);
  real3 move = exact_flush3(v3_sub(p.high, start));
  mask far = exact_dot(move, move) > UNI(pose.axis_x.w);
  WHEN(far)
    contact outset = shape_meets(pose, axis, false, pair3_single(start));
    mask inside = OR(outset.depth > UNI(pose.b.w), exact_dot(outset.n, outset.n) == K(0.0));
    real t = shape_enter(pose, axis, exact_flush3(v3_sub(start, UNI3(pose.a))), move);
    look.swept = AND(far, NOT(OR(inside, t > K(1.0))));
    real3 entry = exact_flush3(v3_add(start, v3_scale(move, t)));
    look.at.high = v3_select(look.swept, entry, p.high);
    look.at.low = v3_select(look.swept, V3(K(0.0), K(0.0), K(0.0)), p.low);
  END
  return look;
}

KERNEL_STRUCT(collision)
  mask touched;
  pair3 x;
KERNEL_STRUCT_END(collision)

/* Projects onto the tangent plane nearest to the query. */
KERNEL collision collided(weft_collider_pose pose, shape_axis axis, query_frame look, bool pairs, pair3 before, pair3 p) {
  contact touching = shape_meets(pose, axis, pairs, look.at);
  real3 rest = apart(pairs, p.high, p.low, look.at.high, look.at.low);
  real above = exact_flush(exact_dot(rest, touching.n));
  precise real depth = touching.depth - above;
  collision to;
  to.touched = depth > K(0.0);
  to.x = p;
  WHEN(to.touched)
    real3 push = v3_scale(touching.n, depth);
    real3 pushed = v3_add(p.high, push);
    real3 way = v3_sub(pushed, before.high);
    real3 since_entry = v3_sub(pushed, look.at.high);
    if (pairs) {
      way = v3_add(apart(pairs, p.high, p.low, before.high, before.low), push);
      since_entry = v3_add(rest, push);
    }
    real3 slid = v3_sub(way, shape_carried(pose, axis, shape_from(pose, pairs, look.at).high));
    real3 slide = v3_select(look.swept, since_entry, slid);
    real3 held = friction_held(friction_across(slide, touching.n), depth, UNI(pose.move_a.w), UNI(pose.move_b.w));
    pair3 moved = pair3_single(v3_sub(pushed, held));
    if (pairs) moved = pair3_moved(p, exact_flush3(v3_sub(push, held)));
    to.x.high = v3_select(to.touched, moved.high, p.high);
    to.x.low = v3_select(to.touched, moved.low, p.low);
  END
  return to;
}

#endif
