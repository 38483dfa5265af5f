/* self_gap.h: the separating plane of two features: a vertex and a triangle, or two edges. Closest points choose a normal. The gap along it, taken
 * over all corners, is a lower bound of the distance whatever the normal is. */
#ifndef WEFT_KERNELS_SELF_GAP_H
#define WEFT_KERNELS_SELF_GAP_H
#include "kernels/self_box.h"

/* Corners, relative to the first one: a vertex and a triangle, or the ends of two edges. */
KERNEL_STRUCT(self_corners)
  real3 p0;
  real3 p1;
  real3 p2;
  real3 p3;
KERNEL_STRUCT_END(self_corners)

KERNEL self_corners self_corners_from(real3 p0, real3 p1, real3 p2, real3 p3) {
  self_corners from;
  from.p0 = V3(K(0.0), K(0.0), K(0.0));
  from.p1 = exact_flush3(v3_sub(p1, p0));
  from.p2 = exact_flush3(v3_sub(p2, p0));
  from.p3 = exact_flush3(v3_sub(p3, p0));
  return from;
}

/* A number for each corner. */
KERNEL_STRUCT(self_four)
  real k0;
  real k1;
  real k2;
  real k3;
KERNEL_STRUCT_END(self_four)

/* Two points, as weights of the corners (negative for the second feature), and the vector from the second point to the first. */
KERNEL_STRUCT(self_closest)
  self_four weights;
  real3 from;
  real distance2;
KERNEL_STRUCT_END(self_closest)

KERNEL_STRUCT(self_normal)
  real3 n;
  real gap; /* below 0: there is none */
KERNEL_STRUCT_END(self_normal)

KERNEL real self_flushed_dot(real3 a, real3 b) { return exact_flush(exact_dot(a, b)); }

KERNEL self_four self_four_of(real k0, real k1, real k2, real k3) {
  self_four f;
  f.k0 = k0;
  f.k1 = k1;
  f.k2 = k2;
  f.k3 = k3;
  return f;
}

/* numerator/denominator, clamped to 0..1. */
KERNEL real self_part(real numerator, real denominator) {
  precise real part = numerator * exact_rcp(denominator);
  part = SELECT(part < K(1.0), part, K(1.0));
  part = SELECT(numerator < denominator, part, K(1.0));
  return SELECT(numerator > K(0.0), part, K(0.0));
}

/* The fraction from a to b where the segment is closest to p. */
KERNEL real self_foot(real3 p, real3 a, real3 b) {
  real3 along = exact_flush3(v3_sub(b, a));
  real3 to = exact_flush3(v3_sub(p, a));
  return self_part(self_flushed_dot(to, along), exact_dot(along, along));
}

KERNEL real3 self_between(real3 a, real3 b, real part) { return v3_add(a, v3_scale(v3_sub(b, a), part)); }

KERNEL self_closest self_closest_of(self_four weights, real3 a, real3 b) {
  self_closest closest;
  closest.weights = weights;
  closest.from = exact_flush3(v3_sub(a, b));
  closest.distance2 = exact_dot(closest.from, closest.from);
  return closest;
}

KERNEL self_closest self_closest_select(mask first, self_closest a, self_closest b) {
  self_closest c;
  c.weights.k0 = SELECT(first, a.weights.k0, b.weights.k0);
  c.weights.k1 = SELECT(first, a.weights.k1, b.weights.k1);
  c.weights.k2 = SELECT(first, a.weights.k2, b.weights.k2);
  c.weights.k3 = SELECT(first, a.weights.k3, b.weights.k3);
  c.from = v3_select(first, a.from, b.from);
  c.distance2 = SELECT(first, a.distance2, b.distance2);
  return c;
}

KERNEL self_closest self_nearer(self_closest a, self_closest b) {
  return self_closest_select(b.distance2 < a.distance2, b, a);
}

KERNEL real self_rest(real part) {
  precise real rest = K(1.0) - part;
  return rest;
}

KERNEL real self_negative(real x) {
  precise real negative = -x;
  return negative;
}

/* ---- a vertex p0 and a triangle ---- */

KERNEL real3 self_face(self_corners p) {
  real3 ab = exact_flush3(v3_sub(p.p2, p.p1));
  real3 ac = exact_flush3(v3_sub(p.p3, p.p1));
  return exact_flush3(exact_cross(ab, ac));
}

KERNEL self_closest self_vertex_triangle(self_corners p) {
  real s = self_foot(p.p0, p.p1, p.p2);
  self_closest best = self_closest_of(self_four_of(K(1.0), self_negative(self_rest(s)), self_negative(s), K(0.0)), p.p0,
                                      self_between(p.p1, p.p2, s));
  s = self_foot(p.p0, p.p2, p.p3);
  best = self_nearer(best, self_closest_of(self_four_of(K(1.0), K(0.0), self_negative(self_rest(s)), self_negative(s)),
                                           p.p0, self_between(p.p2, p.p3, s)));
  s = self_foot(p.p0, p.p3, p.p1);
  best = self_nearer(best, self_closest_of(self_four_of(K(1.0), self_negative(s), K(0.0), self_negative(self_rest(s))),
                                           p.p0, self_between(p.p3, p.p1, s)));
  /* If the projection lies inside, the face is nearer than any edge. */
  real3 ab = exact_flush3(v3_sub(p.p2, p.p1));
  real3 ac = exact_flush3(v3_sub(p.p3, p.p1));
  real3 ap = exact_flush3(v3_sub(p.p0, p.p1));
  real3 face = exact_flush3(exact_cross(ab, ac));
  real area2 = exact_dot(face, face);
  real inverse = exact_rcp(area2);
  precise real u = self_flushed_dot(exact_flush3(exact_cross(ap, ac)), face) * inverse;
  precise real v = self_flushed_dot(exact_flush3(exact_cross(ab, ap)), face) * inverse;
  precise real sum = u + v;
  precise real sides2 = exact_dot(ab, ab) * exact_dot(ac, ac);
  sides2 = sides2 * K(1.0e-8);
  mask inside = AND(AND(u >= K(0.0), v >= K(0.0)), AND(sum <= K(1.0), area2 > sides2));
  real3 on = v3_add(p.p1, v3_add(v3_scale(ab, u), v3_scale(ac, v)));
  self_closest over =
      self_closest_of(self_four_of(K(1.0), self_negative(self_rest(sum)), self_negative(u), self_negative(v)), p.p0, on);
  return self_closest_select(inside, over, best);
}

/* ---- an edge p0 p1 and an edge p2 p3 ---- */

KERNEL self_four self_edge_weights(real s, real t) {
  return self_four_of(self_rest(s), s, self_negative(self_rest(t)), self_negative(t));
}

KERNEL self_closest self_edges_at(self_corners p, real s, real t) {
  return self_closest_of(self_edge_weights(s, t), self_between(p.p0, p.p1, s), self_between(p.p2, p.p3, t));
}

/* Each of the four ends against the other edge, and the crossing of the lines unless they are parallel to 2^-10. */
KERNEL self_closest self_edge_edge(self_corners p) {
  self_closest best = self_edges_at(p, K(0.0), self_foot(p.p0, p.p2, p.p3));
  best = self_nearer(best, self_edges_at(p, K(1.0), self_foot(p.p1, p.p2, p.p3)));
  best = self_nearer(best, self_edges_at(p, self_foot(p.p2, p.p0, p.p1), K(0.0)));
  best = self_nearer(best, self_edges_at(p, self_foot(p.p3, p.p0, p.p1), K(1.0)));
  real3 d1 = exact_flush3(v3_sub(p.p1, p.p0));
  real3 d2 = exact_flush3(v3_sub(p.p3, p.p2));
  real3 r = exact_flush3(v3_sub(p.p0, p.p2));
  real a = exact_dot(d1, d1);
  real e = exact_dot(d2, d2);
  real b = self_flushed_dot(d1, d2);
  real c = self_flushed_dot(d1, r);
  real f = self_flushed_dot(d2, r);
  precise real ae = a * e;
  precise real bb = b * b;
  precise real denominator = ae - bb;
  precise real least = ae * K(9.5367431640625e-07);
  precise real bf = b * f;
  precise real ce = c * e;
  precise real af = a * f;
  precise real bc = b * c;
  precise real s = bf - ce;
  precise real t = af - bc;
  mask crossing = AND(AND(denominator > least, AND(s >= K(0.0), s <= denominator)), AND(t >= K(0.0), t <= denominator));
  real inverse = exact_rcp(denominator);
  s = s * inverse;
  t = t * inverse;
  self_closest cross = self_edges_at(p, s, t);
  return self_closest_select(AND(crossing, cross.distance2 < best.distance2), cross, best);
}

/* ---- the gap along a normal ---- */

KERNEL self_four self_along(self_corners p, real3 n) {
  return self_four_of(self_flushed_dot(p.p0, n), self_flushed_dot(p.p1, n), self_flushed_dot(p.p2, n),
                      self_flushed_dot(p.p3, n));
}

/* The minimum over the first feature, and the maximum over the second. */
KERNEL real self_first_least(self_four f, mask edges) { return SELECT(edges, self_less(f.k0, f.k1), f.k0); }
KERNEL real self_second_most(self_four f, mask edges) {
  real both = self_more(f.k2, f.k3);
  return SELECT(edges, both, self_more(f.k1, both));
}
KERNEL real self_first_most(self_four f, mask edges) { return SELECT(edges, self_more(f.k0, f.k1), f.k0); }

KERNEL self_normal self_gap_along(self_corners p, mask edges, real3 direction, mask defined) {
  real length2 = exact_dot(direction, direction);
  real3 n = exact_flush3(v3_scale(direction, exact_rsqrt(length2)));
  self_four along = self_along(p, n);
  precise real gap = self_first_least(along, edges) - self_second_most(along, edges);
  self_normal normal;
  normal.n = n;
  normal.gap = SELECT(AND(defined, length2 > K(1.0e-30)), gap, K(-1.0));
  return normal;
}

KERNEL self_normal self_wider(self_normal a, self_normal b) {
  mask second = b.gap > a.gap;
  self_normal c;
  c.n = v3_select(second, b.n, a.n);
  c.gap = SELECT(second, b.gap, a.gap);
  return c;
}

KERNEL real3 self_towards(real3 n, real3 from) { return v3_select(exact_dot(n, from) < K(0.0), v3_neg(n), n); }

KERNEL self_normal self_first_normal(self_corners p, mask edges, self_closest closest) {
  return self_gap_along(p, edges, closest.from, closest.distance2 > K(1.0e-20));
}

/* The best of three normals: between closest points; the normal of both features, where closest points are so near that their difference is noise;
 * between closest points but perpendicular to the longer edge, where edges are parallel. */
KERNEL self_normal self_best_normal(self_corners p, mask edges, self_closest closest) {
  self_normal best = self_first_normal(p, edges, closest);
  real3 d1 = exact_flush3(v3_select(edges, v3_sub(p.p1, p.p0), v3_sub(p.p2, p.p1)));
  real3 d2 = exact_flush3(v3_select(edges, v3_sub(p.p3, p.p2), v3_sub(p.p3, p.p1)));
  real a = exact_dot(d1, d1);
  real e = exact_dot(d2, d2);
  real3 across = exact_flush3(exact_cross(d1, d2));
  precise real least = a * e;
  least = least * K(1.0e-8);
  mask skew = exact_dot(across, across) > least;
  best = self_wider(best, self_gap_along(p, edges, self_towards(across, closest.from), skew));
  real3 longer = v3_select(a < e, d2, d1);
  real part = self_flushed_dot(closest.from, longer);
  precise real share = part * exact_rcp(self_more(a, e));
  real3 square = exact_flush3(v3_sub(closest.from, v3_scale(longer, share)));
  return self_wider(best, self_gap_along(p, edges, square, AND(edges, self_more(a, e) > K(1.0e-30))));
}

/* Along the line between the closest points of the predicted corners, with the sign of the side on which they are now. */
KERNEL self_normal self_extrapolate(self_corners p, mask edges, self_closest there) {
  mask defined = there.distance2 > K(1.0e-20);
  self_normal same = self_gap_along(p, edges, there.from, defined);
  return self_wider(same, self_gap_along(p, edges, v3_neg(there.from), defined));
}

KERNEL mask self_moves(real3 move) { return exact_dot(move, move) > K(0.0); }

KERNEL real self_extent(real3 p) {
  precise real sum = ABS(p.x) + ABS(p.y);
  sum = sum + ABS(p.z);
  return sum;
}

/* Whether the gap exceeds its rounding. */
KERNEL mask self_certified(self_corners p, real gap, real least) {
  real extent = self_more(self_extent(p.p1), self_more(self_extent(p.p2), self_extent(p.p3)));
  precise real needed = extent * K(9.5367431640625e-07);
  precise real floor_part = least * K(0.25);
  needed = needed + floor_part;
  return gap > needed;
}

/* Whether the normal is good enough for repulsion: the gap along it is more than half the distance. */
KERNEL mask self_good(real gap, real distance2) {
  precise real twice = gap * gap;
  twice = twice * K(4.0);
  return AND(gap > K(0.0), twice > distance2);
}

/* The distance of the two points with these weights. */
KERNEL real self_apart2(self_corners p, self_four weights) {
  real3 first = v3_add(v3_scale(p.p0, weights.k0), v3_scale(p.p1, weights.k1));
  real3 second = v3_add(v3_scale(p.p2, weights.k2), v3_scale(p.p3, weights.k3));
  real3 between = exact_flush3(v3_add(first, second));
  return exact_dot(between, between);
}

/* Two features of one piece that are nearer than epsilon at rest have an epsilon of their own, a quarter of that distance: it only has to exceed
 * the rounding of their own corners, whatever the size of the scene. 2^-18 of the extent from the first corner is eight times that rounding. */
KERNEL real self_own_floor(self_corners p, real rest, real least) {
  precise real own = rest * K(0.25);
  real extent = self_more(self_extent(p.p1), self_more(self_extent(p.p2), self_extent(p.p3)));
  precise real rounding = extent * K(3.814697265625e-06);
  return self_less(self_more(own, rounding), least);
}

/* The distance that two features keep whose distance at rest is this: a tenth less. */
KERNEL real self_rest_gap(real distance2) {
  precise real gap = distance2 * exact_rsqrt(distance2);
  gap = gap * K(0.9);
  return SELECT(distance2 > K(1.0e-30), gap, K(0.0));
}

#endif
