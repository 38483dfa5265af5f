/* self_monotone.h: certificates that flat cloth does not touch itself, from positions at both ends of a substep alone.
 *
 * A patch: B = (a b) are two unit directions, F the deformation gradient of a triangle, 3 x 2. If the symmetric part of B^T F has eigenvalues of
 * at least L > 0 in all triangles over a convex region of the plane, two points of it that are w apart there are at least L |w| / sqrt(2) apart in
 * space. For one B this holds throughout a motion if it holds at both ends, since the least eigenvalue is concave.
 *
 * A star: the triangles around a particle, projected along a direction. If all have positive area and wind once, no two of them overlap. The area
 * is a polynomial of degree 2 in the fraction of the motion: positive if its three Bernstein coefficients are. */
#ifndef WEFT_KERNELS_SELF_MONOTONE_H
#define WEFT_KERNELS_SELF_MONOTONE_H
#include "kernels/self_box.h"

KERNEL real3 self_unit(real3 v) {
  real3 direction = exact_flush3(v);
  return exact_flush3(v3_scale(direction, exact_rsqrt(exact_dot(direction, direction))));
}

KERNEL real self_root(real square) {
  precise real root = square * exact_rsqrt(square);
  return SELECT(square > K(1.0e-30), root, K(0.0));
}

/* Adds a weighted vector; the cross product of two edges. */
KERNEL real3 self_weighed(real3 sum, real3 from, real weight) { return v3_add(sum, v3_scale(from, weight)); }
KERNEL real3 self_spanned(real3 sum, real3 a, real3 b) { return v3_add(sum, exact_cross(a, b)); }

/* ---- patches ---- */

/* Of a triangle, from two edges at one end of the motion: a lower bound of the least eigenvalue, and the squared norm of the gradient. */
KERNEL_STRUCT(self_gradient)
  real least;
  real most2;
KERNEL_STRUCT_END(self_gradient)

/* An upper bound of the length of (x, y), up to an ulp, and at most 2 % too large. For 0 <= b <= a the length is convex and homogeneous, so
 * between 0 and 22.5 degrees it is below one chord, between 22.5 and 45 below another: always below the larger of both. Factors are rounded up by
 * 2^-20. NaN if the second is NaN. */
KERNEL real self_length_above(real x, real y) {
  real a = self_more(ABS(x), ABS(y));
  real b = self_less(ABS(x), ABS(y));
  precise real level = b * K(0.1989130228757858);
  level = a + level;
  precise real steep = a * K(0.8477600216865540);
  precise real more = b * K(0.5664550065994263);
  steep = steep + more;
  return self_more(level, steep);
}

KERNEL real self_along_axis(real3 axis, real3 f) { return exact_flush(exact_dot(axis, f)); }

KERNEL self_gradient self_gradient_of(real3 e1, real3 e2, real4 inverse, real3 a, real3 b) {
  real3 f1 = exact_flush3(v3_add(v3_scale(e1, inverse.x), v3_scale(e2, inverse.y)));
  real3 f2 = exact_flush3(v3_add(v3_scale(e1, inverse.z), v3_scale(e2, inverse.w)));
  real m11 = self_along_axis(a, f1);
  real m12 = self_along_axis(a, f2);
  real m21 = self_along_axis(b, f1);
  real m22 = self_along_axis(b, f2);
  precise real sum = m11 + m22;
  precise real difference = m11 - m22;
  precise real skew = m12 + m21;
  precise real twice = sum - self_length_above(difference, skew);
  self_gradient g;
  g.least = self_half(twice);
  precise real most2 = exact_dot(f1, f1) + exact_dot(f2, f2);
  g.most2 = most2;
  return g;
}

KERNEL self_gradient self_gradient_none(void) {
  self_gradient g;
  g.least = K(1.0e30);
  g.most2 = K(0.0);
  return g;
}

/* The bounds over both; where one is NaN, bounds that prove nothing. */
KERNEL self_gradient self_gradient_join(self_gradient a, self_gradient b) {
  self_gradient g;
  g.least = self_less(a.least, SELECT(b.least > K(-1.0e30), b.least, K(-1.0e30)));
  g.most2 = self_more(a.most2, SELECT(b.most2 < K(1.0e30), b.most2, K(1.0e30)));
  return g;
}

/* The bound that a patch with such a bound for its own axes gives for the axes (a b) of another one; its own are rotated against those by (c -s; s
 * c) and bent by `bend`. */
KERNEL real self_proves(real least, real most, real3 first, real3 second, real3 a, real3 b, real c, real s, real bend) {
  real3 turned_a = v3_add(v3_scale(first, c), v3_scale(second, s));
  real3 turned_b = v3_sub(v3_scale(second, c), v3_scale(first, s));
  real3 off_a = exact_flush3(v3_sub(turned_a, a));
  real3 off_b = exact_flush3(v3_sub(turned_b, b));
  precise real off = exact_dot(off_a, off_a) + exact_dot(off_b, off_b);
  precise real bent = K(1.0) + bend;
  precise real loss = self_root(off) * bent;
  precise real planes = bend * K(1.41421365737915039063);
  loss = loss + planes;
  loss = loss * most;
  precise real proved = least - loss;
  return SELECT(most < K(4.0), proved, K(-1.0));
}

/* The bound must exceed what distances need plus its rounding. */
KERNEL mask self_is_monotone(real proved) { return proved > K(0.151953125); }

/* ---- stars ---- */

KERNEL real self_area(real3 n, real3 a, real3 b) { return exact_flush(exact_dot(n, exact_flush3(exact_cross(a, b)))); }

/* The minimum of n.(a x b) on the way from a, b to c, d. */
KERNEL real self_least_area(real3 n, real3 a, real3 b, real3 c, real3 d) {
  precise real middle = self_area(n, a, d) + self_area(n, c, b);
  return self_less(self_half(middle), self_less(self_area(n, a, b), self_area(n, c, d)));
}

/* The maximum of a.b on the same way. */
KERNEL real self_most_dot(real3 a, real3 b, real3 c, real3 d) {
  precise real middle = exact_dot(a, d) + exact_dot(c, b);
  return self_more(self_half(middle), self_more(exact_dot(a, b), exact_dot(c, d)));
}

KERNEL real self_longest2(real3 a, real3 b) {
  real3 across = exact_flush3(v3_sub(b, a));
  return self_more(exact_dot(across, across), self_more(exact_dot(a, a), exact_dot(b, b)));
}

/* Whether a triangle with at least this doubled area all the way has heights of more than six epsilon. */
KERNEL mask self_is_high(real area, real longest2, real least) {
  precise real six = least * K(6.0);
  precise real needed = six * six;
  needed = needed * longest2;
  precise real area2 = area * area;
  return AND(area > K(0.0), area2 > needed);
}

KERNEL mask self_sector_is_high(real3 n, real3 a, real3 b, real3 c, real3 d, real least) {
  real longest2 = self_more(self_longest2(a, b), self_longest2(c, d));
  return self_is_high(self_least_area(n, a, b, c, d), longest2, least);
}

/* Whether the first and the last ray of an open fan, a and b at the start, c and d at the end, leave a gap: they are more than a right angle
 * apart, or on one side of each other all the way. */
KERNEL mask self_gap_is_open(real3 n, real3 a, real3 b, real3 c, real3 d, real least) {
  mask wide = self_most_dot(a, b, c, d) < K(0.0);
  mask before = self_sector_is_high(n, a, b, c, d, least);
  mask behind = self_sector_is_high(n, b, a, d, c, least);
  return OR(wide, OR(before, behind));
}

#endif
