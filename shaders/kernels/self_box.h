/* self_box.h: bounding volumes: boxes of positions at the start of a substep, and intervals of displacements in it. Two can meet only if their
 * boxes overlap under the difference of their displacements, so common motion costs nothing. */
#ifndef WEFT_KERNELS_SELF_BOX_H
#define WEFT_KERNELS_SELF_BOX_H
#include "kernels/exact.h"

KERNEL_STRUCT(self_box)
  real3 low;
  real3 high;
  real3 move_low;
  real3 move_high;
KERNEL_STRUCT_END(self_box)

/* Minimum and maximum that return the second argument where both are equal or one is NaN. */
KERNEL real self_less(real a, real b) { return LESS(a, b); }
KERNEL real self_more(real a, real b) { return MORE(a, b); }
KERNEL real self_half(real x) {
  precise real half_x = x * K(0.5);
  return half_x;
}
KERNEL real3 self_less3(real3 a, real3 b) { return V3(self_less(a.x, b.x), self_less(a.y, b.y), self_less(a.z, b.z)); }
KERNEL real3 self_more3(real3 a, real3 b) { return V3(self_more(a.x, b.x), self_more(a.y, b.y), self_more(a.z, b.z)); }

/* The volume of a particle and its displacement. A swept one includes every fraction of the displacement. */
KERNEL_STRUCT(self_corner)
  real3 at;
  real3 move;
  mask anywhere;
KERNEL_STRUCT_END(self_corner)

KERNEL self_corner self_corner_of(real3 at, real3 move, mask anywhere) {
  self_corner corner;
  corner.at = at;
  corner.move = move;
  corner.anywhere = anywhere;
  return corner;
}

KERNEL self_box self_box_of(self_corner c) {
  real3 zero = V3(K(0.0), K(0.0), K(0.0));
  self_box box;
  box.low = c.at;
  box.high = c.at;
  box.move_low = v3_select(c.anywhere, self_less3(c.move, zero), c.move);
  box.move_high = v3_select(c.anywhere, self_more3(c.move, zero), c.move);
  return box;
}

KERNEL self_box self_box_join(self_box a, self_box b) {
  self_box box;
  box.low = self_less3(a.low, b.low);
  box.high = self_more3(a.high, b.high);
  box.move_low = self_less3(a.move_low, b.move_low);
  box.move_high = self_more3(a.move_high, b.move_high);
  return box;
}

/* Whether none of a corner's numbers is NaN. */
KERNEL mask self_known(self_corner c) {
  precise real sum = c.at.x + c.at.y;
  sum = sum + c.at.z;
  sum = sum + c.move.x;
  sum = sum + c.move.y;
  sum = sum + c.move.z;
  return ABS(sum) < K(1.0e30);
}

/* The box of a triangle; if a number is NaN, the infinite box, so that no box above loses it. */
KERNEL self_box self_box_around(self_corner a, self_corner b, self_corner c) {
  self_box box = self_box_join(self_box_join(self_box_of(a), self_box_of(b)), self_box_of(c));
  mask known = AND(self_known(a), AND(self_known(b), self_known(c)));
  real3 far = V3(K(1.0e30), K(1.0e30), K(1.0e30));
  box.low = v3_select(known, box.low, v3_neg(far));
  box.high = v3_select(known, box.high, far);
  box.move_low = v3_select(known, box.move_low, v3_neg(far));
  box.move_high = v3_select(known, box.move_high, far);
  return box;
}

/* Whether a box that begins at `low` stays more than reach above one that ends at `high`, even under 1.5 times their relative displacement. Never
 * true for NaN. */
KERNEL mask self_apart(real low, real high, real move_low, real move_high, real reach) {
  precise real between = low - high;
  precise real nearer = move_low - move_high;
  nearer = nearer * K(1.5);
  nearer = LESS(nearer, K(0.0));
  between = between + nearer;
  return between > reach;
}

KERNEL mask self_boxes_meet(self_box a, self_box b, real reach) {
  mask x = OR(self_apart(a.low.x, b.high.x, a.move_low.x, b.move_high.x, reach),
              self_apart(b.low.x, a.high.x, b.move_low.x, a.move_high.x, reach));
  mask y = OR(self_apart(a.low.y, b.high.y, a.move_low.y, b.move_high.y, reach),
              self_apart(b.low.y, a.high.y, b.move_low.y, a.move_high.y, reach));
  mask z = OR(self_apart(a.low.z, b.high.z, a.move_low.z, b.move_high.z, reach),
              self_apart(b.low.z, a.high.z, b.move_low.z, a.move_high.z, reach));
  return NOT(OR(x, OR(y, z)));
}

/* Whether the box of a vertex comes within `reach` of that of a triangle. */
KERNEL mask self_vertex_is_near(self_corner p, self_corner a, self_corner b, self_corner c, real reach) {
  return self_boxes_meet(self_box_of(p), self_box_join(self_box_join(self_box_of(a), self_box_of(b)), self_box_of(c)), reach);
}

/* ---- two features, along the line between their centres ---- */

/* The centre of a feature, relative to o; the extent of its corners along n from there, and of their displacements. */
KERNEL real3 self_middle2(self_corner a, self_corner b, real3 o) {
  return v3_scale(v3_add(v3_sub(a.at, o), v3_sub(b.at, o)), K(0.5));
}
KERNEL real3 self_middle3(self_corner a, self_corner b, self_corner c, real3 o) {
  return v3_scale(v3_add(v3_add(v3_sub(a.at, o), v3_sub(b.at, o)), v3_sub(c.at, o)), K(0.3333333432674407958984375));
}
KERNEL real self_reaches(self_corner c, real3 o, real3 n) { return exact_flush(exact_dot(exact_flush3(v3_sub(c.at, o)), n)); }
KERNEL real self_comes_along(self_corner c, real3 n) {
  real way = exact_flush(exact_dot(c.move, n));
  return SELECT(c.anywhere, self_more(way, K(0.0)), way);
}

/* Whether the gap between them exceeds reach, before and after their displacements. */
KERNEL mask self_stay_apart(real3 n, real gap, real come, real reach) {
  real length2 = exact_dot(n, n);
  precise real needed = length2 * exact_rsqrt(length2);
  needed = needed * reach;
  precise real more = come * K(1.5);
  more = MORE(more, K(0.0));
  needed = needed + more;
  return AND(gap > needed, length2 > K(1.0e-20));
}

KERNEL mask self_vertex_parted(self_corner p, self_corner a, self_corner b, self_corner c, real reach) {
  real3 n = exact_flush3(v3_sub(v3_sub(p.at, a.at), self_middle3(a, b, c, a.at)));
  real3 back = v3_neg(n);
  real most = self_more(K(0.0), self_more(self_reaches(b, a.at, n), self_reaches(c, a.at, n)));
  precise real gap = self_reaches(p, a.at, n) - most;
  real comes = self_more(self_comes_along(a, n), self_more(self_comes_along(b, n), self_comes_along(c, n)));
  precise real come = self_comes_along(p, back) + comes;
  return self_stay_apart(n, gap, come, reach);
}

KERNEL mask self_edges_parted_along(self_corner a, self_corner b, self_corner c, self_corner d, real3 n, real reach) {
  real3 back = v3_neg(n);
  precise real gap = self_less(self_reaches(a, c.at, n), self_reaches(b, c.at, n)) - self_more(K(0.0), self_reaches(d, c.at, n));
  precise real come = self_more(self_comes_along(a, back), self_comes_along(b, back)) +
                      self_more(self_comes_along(c, n), self_comes_along(d, n));
  return self_stay_apart(n, gap, come, reach);
}

/* Along the line between their centres, or its part perpendicular to the first edge, which leaves a wider gap where edges lie beside each other at
 * an angle. */
KERNEL mask self_edges_parted(self_corner a, self_corner b, self_corner c, self_corner d, real reach) {
  real3 n = exact_flush3(v3_sub(self_middle2(a, b, c.at), self_middle2(c, d, c.at)));
  mask parted = self_edges_parted_along(a, b, c, d, n, reach);
  WHEN(NOT(parted))
    real3 along = exact_flush3(v3_sub(b.at, a.at));
    real length2 = exact_dot(along, along);
    precise real part = exact_flush(exact_dot(n, along)) * exact_rcp(length2);
    part = SELECT(length2 > K(1.0e-20), part, K(0.0));
    real3 square = exact_flush3(v3_sub(n, v3_scale(along, part)));
    parted = OR(parted, self_edges_parted_along(a, b, c, d, square, reach));
  END
  return parted;
}

#endif
