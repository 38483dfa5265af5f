/* self_cull_bound.h: what a detection decides of a pair by bounds on displacements. */
#ifndef WEFT_KERNELS_SELF_CULL_BOUND_H
#define WEFT_KERNELS_SELF_CULL_BOUND_H
#include "kernels/self_gap.h"

KERNEL_STRUCT(self_cull_bound)
  mask safe; /* separated all the way */
  mask far;  /* never within the repulsion distance */
KERNEL_STRUCT_END(self_cull_bound)

/* Which corners are swept: truncation may leave them at any fraction of their displacement. */
KERNEL_STRUCT(self_marks)
  mask k0;
  mask k1;
  mask k2;
  mask k3;
KERNEL_STRUCT_END(self_marks)

/* How far a corner may move along n: by its whole displacement, or if swept by any fraction of it. */
KERNEL real self_may_come(real along, mask anywhere) { return SELECT(anywhere, self_more(along, K(0.0)), along); }

/* The largest approach of the corners of both features; `anywhere`: which corners are swept. */
KERNEL real self_may_meet(self_four along, self_marks anywhere, mask edges) {
  real first = self_may_come(self_negative(along.k0), anywhere.k0);
  real second_along = SELECT(edges, self_negative(along.k1), along.k1);
  real second = self_may_come(second_along, anywhere.k1);
  real third = self_may_come(along.k2, anywhere.k2);
  real others = self_more(third, self_may_come(along.k3, anywhere.k3));
  real here = SELECT(edges, self_more(first, second), first);
  real there = SELECT(edges, others, self_more(second, others));
  precise real sum = here + there;
  return sum;
}

/* Epsilon; or the rounding of corners at `position` if that is more, far outside the scene's size. */
KERNEL real self_floor_at(real3 position, real least) {
  precise real rounding = self_extent(position) * K(9.5367431640625e-07);
  return self_more(least, rounding);
}

KERNEL self_cull_bound self_detect_ahead(self_corners moves, self_normal normal, self_marks anywhere, mask edges, real distance,
                                    real beyond, real least) {
  real come = self_may_meet(self_along(moves, normal.n), anywhere, edges);
  precise real room = normal.gap - least;
  room = room * K(0.9);
  precise real wanted = come * SELECT(beyond > K(1.0), K(2.0), K(1.5));
  precise real listed = distance * beyond;
  precise real left = normal.gap - wanted;
  self_cull_bound cull_bound;
  cull_bound.safe = room > come;
  cull_bound.far = AND(normal.gap > listed, left > listed);
  return cull_bound;
}

#endif
