/* self_repel.h: the correction of a pair that is closer than the thickness, with friction. */
#ifndef WEFT_KERNELS_SELF_PUSH_H
#define WEFT_KERNELS_SELF_PUSH_H
#include "kernels/friction.h"
#include "kernels/self_box.h"

KERNEL real3 self_weighted(real3 p0, real3 p1, real3 p2, real3 p3, real4 weights) {
  return v3_add(v3_add(v3_scale(p0, weights.x), v3_scale(p1, weights.y)),
                v3_add(v3_scale(p2, weights.z), v3_scale(p3, weights.w)));
}

/* What leads from the second feature to the first. */
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

/* How far a pair has slid: in this substep, and before it as far as friction has not let go. */
KERNEL real3 self_slide(real3 apart, real3 before, real3 kept) {
  real3 slide = v3_sub(apart, before);
  return exact_flush3(v3_add(slide, kept));
}

/* What friction holds of it. Of many pairs that bear a load together one has now more of it, now less; that it slides a little further than
 * its share of the moment holds does not tell that the cloth slides. So up to three times as far it is held by mu_s, past that by mu_k. Nor does it
 * slide that is slower than what `creep` is in a substep: depth shrinks with the square of the substep, and the shorter it is the less would be needed to
 * let go of what was just laid down. */
KERNEL real3 self_slide_held(real3 slide, real3 n, real depth, real mu_s, real mu_k, real creep) {
  real3 across = friction_across(slide, n);
  precise real far = mu_s * depth;
  far = far * K(3.0);
  far = self_more(far, creep);
  precise real far2 = far * far;
  real mu = SELECT(exact_dot(across, across) <= far2, mu_s, mu_k);
  return exact_trim3(friction_held(across, depth, mu_s, mu));
}

/* Out along the normal by the depth, less what friction takes back of the slide. */
KERNEL real3 self_correction(real3 slide, real3 n, real depth, real mu_s, real mu_k, real creep) {
  real3 held = self_slide_held(slide, n, depth, mu_s, mu_k, creep);
  return exact_flush3(v3_sub(v3_scale(n, depth), held));
}

KERNEL real self_within(real x, real most) {
  precise real least = -most;
  real above = SELECT(x < least, least, x);
  return SELECT(above > most, most, above);
}

/* Metres as the nearest integer of 2^-30 m, at most half a metre. Thousands of corrections all rounded towards 0 would be a drag. */
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

/* What is slower than 2 cm/s does not slide yet, a hundredth of `escape`. */
KERNEL real self_creep(real escape) {
  precise real creep = escape * K(0.01);
  return creep;
}

/* The most that a pair parts by in a substep, where it did `before` in the last one and was still too close then: a sixteenth of `escape` at first, 1/8
 * m/s, and 16 m/s^2 more from substep to substep, up to `escape`. So cloth that starts too near, or comes too near at once, parts slowly and is not thrown,
 * and cloth that is pressed is pushed harder the longer it is. With a body it stays at the least. */
KERNEL real self_escape_of(mask body, real before, real escape) {
  precise real least = escape * K(0.0625);
  precise real more = escape * escape;
  more = more * K(4.0);
  more = before + more;
  more = self_within(more, escape);
  return SELECT(body, least, self_more(more, least));
}

/* How far apart along n a pair is pushed: to the distance; one that was nearer at the start of the substep parts by `escape` at most, but up to a quarter
 * of the distance at once. */
KERNEL real self_wanted(real3 n, real3 before, real distance, real escape) {
  precise real aimed = exact_flush(exact_dot(n, before)) + escape;
  precise real quarter = distance * K(0.25);
  real wanted = SELECT(aimed < quarter, quarter, aimed);
  return SELECT(wanted < distance, wanted, distance);
}

/* How far a pair is into the distance that is wanted, below 0 where it is not. */
KERNEL real self_depth(real3 n, real wanted, real3 apart) {
  precise real depth = wanted - exact_flush(exact_dot(n, apart));
  return depth;
}

/* What a depth counts for among those of a particle's pairs: its square in (2^-16 m)^2, that of 1/64 m at most, so that thousands can be
 * added. */
KERNEL uint self_weight_of(real depth) {
  precise real scaled = depth * K(65536.0);
  scaled = scaled * scaled;
  scaled = SELECT(scaled > K(1048576.0), K(1048576.0), scaled) + K(1.0);
  return UINT(INT(scaled));
}

/* What a pair's correction is divided by for the sake of the others of a particle: they share it by the squares of their depths, so that many that are
 * hardly in the way do not take from the one that is. */
KERNEL real self_load(uint sum, uint own) {
  precise real load = REAL(INT(sum)) * exact_rcp(REAL(INT(own)));
  return load;
}

/* 1 over the sum of terms and the load of the particle that has the most; 0 where nothing can move. */
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

/* What a corner makes of a correction, no more than `most` in each component. */
KERNEL real3 self_corner_move(real3 correction, real w, real weight, real share, real most) {
  precise real part = w * weight;
  part = part * share;
  real3 move = exact_trim3(v3_scale(correction, exact_flush(part)));
  return V3(self_within(move.x, most), self_within(move.y, most), self_within(move.z, most));
}

#endif
