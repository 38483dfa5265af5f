/* constraint_distance.h: |x_0 - x_1| = rest length (Mueller et al. 2007, section 3.3), as an equality or only when stretched
 * or compressed. data: rest length, theta/((1+gamma)(w_0 + w_1) + alpha~), which is 0 when nothing can move. */
#ifndef WEFT_KERNELS_CONSTRAINT_DISTANCE_H
#define WEFT_KERNELS_CONSTRAINT_DISTANCE_H
#include "kernels/constraint.h"

/* The change of distance in this substep, along n. */
KERNEL real distance_parted(corners p, history past, real3 n) {
  real3 moved_0 = v3_sub(XYZ(p.p0), past.q0);
  real3 moved_1 = v3_sub(XYZ(p.p1), past.q1);
  if (p.pairs) {
    moved_0 = v3_add(moved_0, v3_sub(p.low0, past.q_low0));
    moved_1 = v3_add(moved_1, v3_sub(p.low1, past.q_low1));
  }
  real3 moved = exact_flush3(v3_sub(moved_0, moved_1));
  return exact_flush(exact_dot(n, moved));
}

/* Clamps at 0 a multiplier that would push where the constraint only pulls, or pull where it only pushes. */
KERNEL mask distance_stops(real tension, uint acts) {
  mask stops = NEVER;
  if (acts == WEFT_ACTS_STRETCHED) stops = tension > K(0.0);
  if (acts == WEFT_ACTS_COMPRESSED) stops = tension < K(0.0);
  return stops;
}

/* The direction, the correction for an inverse mass of 1, and the new multiplier. */
KERNEL_STRUCT(distance_pull)
  real3 n;
  real step, multiplier;
KERNEL_STRUCT_END(distance_pull)

/* length - rest = (length^2 - rest^2) / (length + rest), of positions that are pairs: the numerator to 2^-46 of rest^2. */
KERNEL real distance_excess(corners p, real len, real rest_length) {
  pair3 d = pair3_sub(pair3_of(XYZ(p.p0), p.low0), pair3_of(XYZ(p.p1), p.low1));
  pair excess = pair_add(pair3_square(d), pair_negative(two_product(rest_length, rest_length)));
  precise real sum = len + rest_length;
  precise real violation = excess.high * exact_rcp(sum);
  return violation;
}

KERNEL distance_pull distance_measure(corners p, real4 data, bool keeps, history past, uint acts) {
  real rest_length = data.x;
  real3 d = apart(p.pairs, XYZ(p.p0), p.low0, XYZ(p.p1), p.low1);
  real length2 = exact_dot(d, d);
  precise real shortest2 = rest_length * rest_length;
  shortest2 = shortest2 * K(WEFT_MIN_LENGTH_RATIO2);
  real inverse = exact_rsqrt(length2);
  precise real len = length2 * inverse;
  real3 n = v3_scale(d, inverse);
  precise real violation = len - rest_length;
  if (p.pairs) violation = distance_excess(p, len, rest_length);
  real before = K(0.0);
  if (keeps) {
    before = past.multiplier.x;
    precise real held = past.compliance * before;
    precise real damped = past.gamma * distance_parted(p, past, n);
    violation = violation + held;
    violation = violation + damped;
  }
  precise real step = violation * data.y;
  step = SELECT(length2 > shortest2, step, K(0.0));
  step = exact_trim(step);
  precise real after = before - step;
  after = exact_trim(after);
  /* The multiplier of an inequality keeps its sign; a change of sign is clamped at 0. */
  mask stops = distance_stops(after, acts);
  distance_pull pull;
  pull.n = n;
  pull.step = SELECT(stops, before, step);
  pull.multiplier = SELECT(stops, K(0.0), after);
  return pull;
}

KERNEL projection distance_moves(distance_pull pull, real w_0, real w_1) {
  precise real step_0 = w_0 * pull.step;
  step_0 = -step_0;
  precise real step_1 = w_1 * pull.step;
  projection to;
  to.moves = NOT(pull.step == K(0.0));
  to.d0 = v3_scale(pull.n, step_0);
  to.d1 = v3_scale(pull.n, step_1);
  to.multiplier = V3(pull.multiplier, K(0.0), K(0.0));
  return to;
}

KERNEL projection project_distance(corners p, real4 data, bool keeps, history past, uint acts) {
  return distance_moves(distance_measure(p, data, keeps, past, acts), p.p0.w, p.p1.w);
}

#endif
