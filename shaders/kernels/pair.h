/* pair.h: a number as the unevaluated sum of two floats, high + low, with |low| at most half an ulp of high: 48 bits. Sums of two
 * and products of two are exact as a pair with + - * alone (Dekker 1971; Knuth, TAOCP 2, 4.2.2). */
#ifndef WEFT_KERNELS_PAIR_H
#define WEFT_KERNELS_PAIR_H
#include "kernels/exact.h"

KERNEL_STRUCT(pair)
  real high, low;
KERNEL_STRUCT_END(pair)

KERNEL_STRUCT(pair3)
  real3 high, low;
KERNEL_STRUCT_END(pair3)

KERNEL pair pair_of(real high, real low) {
  pair p;
  p.high = high;
  p.low = low;
  return p;
}

/* a + b, exactly. */
KERNEL pair two_sum(real a, real b) {
  precise real high = a + b;
  precise real of_b = high - a;
  precise real of_a = high - of_b;
  precise real rest_a = a - of_a;
  precise real rest_b = b - of_b;
  precise real low = rest_a + rest_b;
  return pair_of(high, low);
}

/* The same where |a| >= |b|. */
KERNEL pair fast_two_sum(real a, real b) {
  precise real high = a + b;
  precise real of_b = high - a;
  precise real low = b - of_b;
  return pair_of(high, low);
}

/* The upper half of the bits of a, whose products are exact. */
KERNEL real upper_half(real a) {
  precise real scaled = a * K(EXACT_SPLIT);
  precise real rest = scaled - a;
  precise real upper = scaled - rest;
  return upper;
}

/* a * b, exactly, where the bits of both reach down to 2^-63 at most. */
KERNEL pair two_product(real a, real b) {
  precise real high = a * b;
  real a_1 = upper_half(a);
  real b_1 = upper_half(b);
  precise real a_2 = a - a_1;
  precise real b_2 = b - b_1;
  precise real part = a_1 * b_1;
  precise real low = part - high;
  part = a_1 * b_2;
  low = low + part;
  part = a_2 * b_1;
  low = low + part;
  part = a_2 * b_2;
  low = low + part;
  return pair_of(high, low);
}

KERNEL pair pair_plus(pair a, real b) {
  pair s = two_sum(a.high, b);
  precise real low = s.low + a.low;
  return fast_two_sum(s.high, low);
}

KERNEL pair pair_add(pair a, pair b) {
  pair s = two_sum(a.high, b.high);
  precise real lows = a.low + b.low;
  precise real low = s.low + lows;
  return fast_two_sum(s.high, low);
}

KERNEL pair pair_scale(pair a, real b) {
  pair s = two_product(a.high, b);
  precise real part = a.low * b;
  precise real low = s.low + part;
  return fast_two_sum(s.high, low);
}

/* a^2; what is below 2^-40 counts as 0. */
KERNEL pair pair_square(pair a) {
  real high = exact_snap(a.high);
  pair s = two_product(high, high);
  precise real part = high * a.low;
  part = part + part;
  precise real low = s.low + part;
  return fast_two_sum(s.high, low);
}

KERNEL pair pair_negative(pair a) {
  precise real high = -a.high;
  precise real low = -a.low;
  return pair_of(high, low);
}

/* A pair to be stored in the state: no part is so small that a processor may flush it. */
KERNEL pair pair_kept(pair a) { return pair_of(exact_snap(a.high), exact_flush(a.low)); }

/* ---- vectors ---- */

KERNEL pair pair_x(pair3 a) { return pair_of(a.high.x, a.low.x); }
KERNEL pair pair_y(pair3 a) { return pair_of(a.high.y, a.low.y); }
KERNEL pair pair_z(pair3 a) { return pair_of(a.high.z, a.low.z); }

KERNEL pair3 pair3_of(real3 high, real3 low) {
  pair3 p;
  p.high = high;
  p.low = low;
  return p;
}

KERNEL pair3 pair3_from(pair x, pair y, pair z) {
  return pair3_of(V3(x.high, y.high, z.high), V3(x.low, y.low, z.low));
}

/* A vector with low parts 0. */
KERNEL pair3 pair3_single(real3 a) { return pair3_of(a, V3(K(0.0), K(0.0), K(0.0))); }

KERNEL pair3 pair3_kept(pair3 a) { return pair3_from(pair_kept(pair_x(a)), pair_kept(pair_y(a)), pair_kept(pair_z(a))); }

KERNEL pair3 pair3_sub(pair3 a, pair3 b) {
  return pair3_from(pair_add(pair_x(a), pair_negative(pair_x(b))), pair_add(pair_y(a), pair_negative(pair_y(b))),
                    pair_add(pair_z(a), pair_negative(pair_z(b))));
}

/* a + d, to be stored in the state. */
KERNEL pair3 pair3_moved(pair3 a, real3 d) {
  return pair3_from(pair_kept(pair_plus(pair_x(a), d.x)), pair_kept(pair_plus(pair_y(a), d.y)),
                    pair_kept(pair_plus(pair_z(a), d.z)));
}

/* a * b; what is below 2^-40 counts as 0. */
KERNEL pair3 pair3_product(real3 a, real b) {
  real by = exact_snap(b);
  return pair3_from(two_product(exact_snap(a.x), by), two_product(exact_snap(a.y), by), two_product(exact_snap(a.z), by));
}

/* The product of a pair3_kept result and a vector; its components below 2^-40 count as 0. */
KERNEL pair pair3_dot(pair3 a, real3 b) {
  pair x = pair_scale(pair_x(a), exact_snap(b.x));
  pair y = pair_scale(pair_y(a), exact_snap(b.y));
  pair z = pair_scale(pair_z(a), exact_snap(b.z));
  return pair_add(pair_add(x, y), z);
}

/* |a|^2 */
KERNEL pair pair3_square(pair3 a) {
  return pair_add(pair_add(pair_square(pair_x(a)), pair_square(pair_y(a))), pair_square(pair_z(a)));
}

/* a - b of positions, with or without low parts. The difference of two high parts near each other is exact. */
KERNEL real3 apart(bool pairs, real3 a, real3 a_low, real3 b, real3 b_low) {
  real3 d = v3_sub(a, b);
  if (pairs) d = v3_add(d, v3_sub(a_low, b_low));
  return exact_flush3(d);
}

#endif
