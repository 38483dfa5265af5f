/* self_repel.h: the repulsion of a pair that is closer than the thickness, with friction. */
#ifndef WEFT_KERNELS_SELF_PUSH_H
#define WEFT_KERNELS_SELF_PUSH_H
#include "kernels/friction.h"
#include "kernels/self_box.h"

KERNEL real3 self_weighted(real3 p0, real3 p1, real3 p2, real3 p3, real4 weights) {
  return v3_add(v3_add(v3_scale(p0, weights.x), v3_scale(p1, weights.y)),
                v3_add(v3_scale(p2, weights.z), v3_scale(p3, weights.w)));
}

/* The vector from the second feature's point to the first one's. */
KERNEL real3 self_apart_of(real3 p0, real3 p1, real3 p2, real3 p3, real4 weights) {
  real3 zero = V3(K(0.0), K(0.0), K(0.0));
  return exact_flush3(self_weighted(zero, v3_sub(p1, p0), v3_sub(p2, p0), v3_sub(p3, p0), weights));
}

/* sum w_k b_k^2 */
KERNEL real self_term(real w, real weight) {
  precise real square = weight * weight;
  square = w * square;
  return exact_flush(square);
}

/* The slide of a pair: that of this substep, plus the remembered slide. */
KERNEL real3 self_slide(real3 apart, real3 before, real3 kept) {
  real3 slide = v3_sub(apart, before);
  return exact_flush3(v3_add(slide, kept));
}

/* The part of the slide that friction cancels. Where many pairs carry a load, the share of one fluctuates, and a slide slightly past its own limit
 * does not mean that the cloth slides. So mu_s holds up to three times its limit, and beyond that mu_k. A slide slower than `creep` in a substep
 * is held too: depth shrinks with the square of the substep, so ever less would release what has just come to rest. */
KERNEL real3 self_slide_held(real3 slide, real3 n, real depth, real mu_s, real mu_k, real creep) {
  real3 across = friction_across(slide, n);
  precise real far = mu_s * depth;
  far = far * K(3.0);
  far = self_more(far, creep);
  precise real far2 = far * far;
  real mu = SELECT(exact_dot(across, across) <= far2, mu_s, mu_k);
  return exact_trim3(friction_held(across, depth, mu_s, mu));
}

/* The correction along the normal by the depth, and against the slide by friction. */
KERNEL real3 self_correction(real3 slide, real3 n, real depth, real mu_s, real mu_k, real creep) {
  real3 held = self_slide_held(slide, n, depth, mu_s, mu_k, creep);
  return exact_flush3(v3_sub(v3_scale(n, depth), held));
}

KERNEL real self_within(real x, real most) {
  precise real least = -most;
  real above = SELECT(x < least, least, x);
  return SELECT(above > most, most, above);
}

/* Metres as the nearest integer of 2^-30 m, at most half a metre. Rounding thousands of corrections towards 0 would act as drag. */
KERNEL uint self_fixed(real x) {
  precise real scaled = x * K(1073741824.0);
  scaled = scaled + SELECT(scaled < K(0.0), K(-0.5), K(0.5));
  scaled = SELECT(scaled > K(536870912.0), K(536870912.0), scaled);
  scaled = SELECT(scaled < K(-536870912.0), K(-536870912.0), scaled);
  return UINT(INT(scaled));
}

KERNEL real self_unfixed(uint sum) {
  precise real x = REAL(INT(sum)) * K(9.31322574615478515625e-10);
  return x;
}

/* Slides below 2 cm/s, a hundredth of `escape`, count as static. */
KERNEL real self_creep(real escape) {
  precise real creep = escape * K(0.01);
  return creep;
}

/* The separation speed, as a distance in a substep, of a pair that moved apart by `before` in the last one and is still too close: at first a
 * sixteenth of `escape`, 1/8 m/s, then 16 m/s^2 more, up to `escape`. So cloth that is suddenly too near separates gently, and the longer cloth is
 * pressed the harder it is repelled. Against a body it stays at the first value. */
KERNEL real self_escape_of(mask body, real before, real escape) {
  precise real least = escape * K(0.0625);
  precise real more = escape * escape;
  more = more * K(4.0);
  more = before + more;
  more = self_within(more, escape);
  return SELECT(body, least, self_more(more, least));
}

/* The gap along n that repulsion aims at: the distance. A pair that was nearer at the start of the substep moves apart by at most `escape`, but at
 * once to a quarter of the distance. */
KERNEL real self_wanted(real3 n, real3 before, real distance, real escape) {
  precise real aimed = exact_flush(exact_dot(n, before)) + escape;
  precise real quarter = distance * K(0.25);
  real wanted = SELECT(aimed < quarter, quarter, aimed);
  return SELECT(wanted < distance, wanted, distance);
}

/* The depth of a pair below that gap, negative if it is outside. */
KERNEL real self_depth(real3 n, real wanted, real3 apart) {
  precise real depth = wanted - exact_flush(exact_dot(n, apart));
  return depth;
}

/* The weight of a depth among a particle's pairs: its square in (2^-16 m)^2, clamped at 1/64 m so that thousands can be added. */
KERNEL uint self_weight_of(real depth) {
  precise real scaled = depth * K(65536.0);
  scaled = scaled * scaled;
  scaled = SELECT(scaled > K(1048576.0), K(1048576.0), scaled) + K(1.0);
  return UINT(INT(scaled));
}

/* The divisor of a pair's correction because of a particle's other pairs. Pairs are weighted by squared depth, so that many shallow ones do not
 * take correction from a deep one. */
KERNEL real self_load(uint sum, uint own) {
  precise real load = REAL(INT(sum)) * exact_rcp(REAL(INT(own)));
  return load;
}

/* 1 over the sum of terms times the largest divisor among its particles; 0 if nothing can move. */
KERNEL real self_divided(real4 w, real4 weights, real load) {
  precise real first = self_term(w.x, weights.x) + self_term(w.y, weights.y);
  precise real second = self_term(w.z, weights.z) + self_term(w.w, weights.w);
  precise real sum = first + second;
  real heavier = SELECT(w.x > w.y, w.x, w.y);
  real other = SELECT(w.z > w.w, w.z, w.w);
  precise real least = SELECT(heavier > other, heavier, other) * K(0.0009765625);
  mask movable = sum > least;
  sum = sum * load;
  real share = exact_rcp(sum);
  return SELECT(movable, share, K(0.0));
}

/* The correction of a corner, each component clamped to `most`. */
KERNEL real3 self_corner_move(real3 correction, real w, real weight, real share, real most) {
  precise real part = w * weight;
  part = part * share;
  real3 move = exact_trim3(v3_scale(correction, exact_flush(part)));
  return V3(self_within(move.x, most), self_within(move.y, most), self_within(move.z, most));
}

#endif
