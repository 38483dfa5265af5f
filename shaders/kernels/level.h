/* level.h: coarser copies of the cloth, projected first against stretch (after Mueller 2008, "Hierarchical Position Based Dynamics"). A node is a
 * mean of particles or of finer nodes: see src/core/model/levels.h. */
#ifndef WEFT_KERNELS_LEVEL_H
#define WEFT_KERNELS_LEVEL_H
#include "kernels/exact.h"

/* A component of a mean, relative to the first child, so that its rounding does not depend on translation. */
KERNEL real level_add_child(real sum, real origin, real x, real share) {
  precise real away = x - origin;
  away = exact_flush(away);
  away = away * share;
  precise real to = sum + away;
  return to;
}

KERNEL real level_mean(real origin, real sum) {
  precise real mean = origin + sum;
  return exact_flush(mean);
}

KERNEL real3 level_add_child3(real3 sum, real3 origin, real3 x, real share) {
  return V3(level_add_child(sum.x, origin.x, x.x, share), level_add_child(sum.y, origin.y, x.y, share),
            level_add_child(sum.z, origin.z, x.z, share));
}

KERNEL real3 level_mean3(real3 origin, real3 sum) {
  return V3(level_mean(origin.x, sum.x), level_mean(origin.y, sum.y), level_mean(origin.z, sum.z));
}

/* A node's correction since before all projections, passed to its children; flushed after the last one. */
KERNEL real level_moved(real x, real base) {
  precise real moved = x - base;
  return exact_flush(moved);
}

KERNEL real level_follow(real x, real moved, real weight) {
  precise real by = moved * weight;
  precise real to = x + by;
  return to;
}

KERNEL real3 level_moved3(real3 x, real3 base) {
  return V3(level_moved(x.x, base.x), level_moved(x.y, base.y), level_moved(x.z, base.z));
}

KERNEL real3 level_follow3(real3 x, real3 moved, real weight) {
  return V3(level_follow(x.x, moved.x, weight), level_follow(x.y, moved.y, weight), level_follow(x.z, moved.z, weight));
}

/* The direction from the base of b to that of a: their means before all projections, where the particles still are. Only along it do opposite
 * corrections of equal momentum conserve angular momentum. */
KERNEL real3 level_direction(real3 base_a, real3 base_b) {
  real3 line = exact_flush3(v3_sub(base_a, base_b));
  real line2 = exact_dot(line, line);
  return exact_flush3(v3_scale(line, exact_rsqrt(line2)));
}

KERNEL_STRUCT(pulled_edge)
  mask acts;
  real3 a, b;
KERNEL_STRUCT_END(pulled_edge)

/* Projects |x_a - x_b| <= rest_length along n. */
KERNEL pulled_edge level_project(real4 pa, real4 pb, real3 n, real rest_length, real inv_denominator) {
  real3 d = exact_flush3(v3_sub(XYZ(pa), XYZ(pb)));
  real len = exact_dot(d, n);
  precise real violation = len - rest_length;
  precise real step = violation * inv_denominator;
  step = SELECT(violation > K(0.0), step, K(0.0));
  step = exact_trim(step);
  precise real step_a = pa.w * step;
  precise real step_b = pb.w * step;
  pulled_edge to;
  to.acts = step > K(0.0);
  to.a = exact_flush3(v3_sub(XYZ(pa), v3_scale(n, step_a)));
  to.b = exact_flush3(v3_add(XYZ(pb), v3_scale(n, step_b)));
  return to;
}

#endif
