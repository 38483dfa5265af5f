/* constraint_isometric.h: K0 x0 + K1 x1 + K2 x2 + K3 x3 = 0 with K from the cotangents of a flat rest shape and K3 =
 * -(K0 + K1 + K2) (Bergou et al. 2006, "A quadratic bending model for inextensible surfaces"), so the sum is taken over
 * differences to x3. Constant gradient and denominator: no root, no division. data: K0, K1, K2,
 * theta/((1+gamma) sum w K^2 + alpha~). A component each. */
#ifndef WEFT_KERNELS_CONSTRAINT_ISOMETRIC_H
#define WEFT_KERNELS_CONSTRAINT_ISOMETRIC_H
#include "kernels/constraint.h"

KERNEL real isometric_sum(real x0, real x1, real x2, real x3, real4 data) {
  precise real d0 = x0 - x3;
  precise real d1 = x1 - x3;
  precise real d2 = x2 - x3;
  d0 = d0 * data.x;
  d1 = d1 * data.y;
  d2 = d2 * data.z;
  precise real sum = d0 + d1;
  sum = sum + d2;
  return exact_flush(sum);
}

/* The weighted sum of three vectors from x3, such as differences of pairs. */
KERNEL real3 isometric_sum_of(real3 d0, real3 d1, real3 d2, real4 data) {
  real none = K(0.0);
  return V3(isometric_sum(d0.x, d1.x, d2.x, none, data), isometric_sum(d0.y, d1.y, d2.y, none, data),
            isometric_sum(d0.z, d1.z, d2.z, none, data));
}

KERNEL real isometric_last_weight(real4 data) {
  precise real k3 = data.x + data.y;
  k3 = k3 + data.z;
  k3 = -k3;
  return k3;
}

/* Adds the terms of the multiplier and of damping; `change` is the change of the sum since the start of the substep. */
KERNEL real isometric_held(real sum, real change, real before, history past) {
  precise real held = before * past.compliance;
  precise real damped = change * past.gamma;
  precise real violation = sum + held;
  violation = violation + damped;
  return violation;
}

KERNEL real isometric_step(real violation, real inv_denominator) {
  precise real step = violation * inv_denominator;
  return exact_trim(step);
}

/* The correction of a particle of inverse mass w and weight k for a multiplier step. */
KERNEL real isometric_share(real w, real k) {
  precise real share = w * k;
  return share;
}

KERNEL real isometric_move(real step, real share) {
  precise real move = step * share;
  move = -move;
  return move;
}

KERNEL real3 isometric_move3(real3 step, real share) {
  return V3(isometric_move(step.x, share), isometric_move(step.y, share), isometric_move(step.z, share));
}

KERNEL projection project_isometric(corners p, real4 data, bool keeps, history past, uint acts) {
  UNUSED(acts);
  real3 violation = V3(isometric_sum(p.p0.x, p.p1.x, p.p2.x, p.p3.x, data),
                       isometric_sum(p.p0.y, p.p1.y, p.p2.y, p.p3.y, data),
                       isometric_sum(p.p0.z, p.p1.z, p.p2.z, p.p3.z, data));
  if (p.pairs) {
    violation = isometric_sum_of(apart(true, XYZ(p.p0), p.low0, XYZ(p.p3), p.low3),
                                 apart(true, XYZ(p.p1), p.low1, XYZ(p.p3), p.low3),
                                 apart(true, XYZ(p.p2), p.low2, XYZ(p.p3), p.low3), data);
  }
  real3 before = V3(K(0.0), K(0.0), K(0.0));
  if (keeps) {
    before = past.multiplier;
    real3 then = V3(isometric_sum(past.q0.x, past.q1.x, past.q2.x, past.q3.x, data),
                    isometric_sum(past.q0.y, past.q1.y, past.q2.y, past.q3.y, data),
                    isometric_sum(past.q0.z, past.q1.z, past.q2.z, past.q3.z, data));
    real3 change = exact_flush3(v3_sub(violation, then));
    if (p.pairs) {
      real3 m3 = apart(true, XYZ(p.p3), p.low3, past.q3, past.q_low3);
      change = isometric_sum_of(v3_sub(apart(true, XYZ(p.p0), p.low0, past.q0, past.q_low0), m3),
                                v3_sub(apart(true, XYZ(p.p1), p.low1, past.q1, past.q_low1), m3),
                                v3_sub(apart(true, XYZ(p.p2), p.low2, past.q2, past.q_low2), m3), data);
    }
    violation = V3(isometric_held(violation.x, change.x, before.x, past),
                   isometric_held(violation.y, change.y, before.y, past),
                   isometric_held(violation.z, change.z, before.z, past));
  }
  real3 step = V3(isometric_step(violation.x, data.w), isometric_step(violation.y, data.w),
                  isometric_step(violation.z, data.w));
  projection to;
  to.moves = ALWAYS;
  to.d0 = isometric_move3(step, isometric_share(p.p0.w, data.x));
  to.d1 = isometric_move3(step, isometric_share(p.p1.w, data.y));
  to.d2 = isometric_move3(step, isometric_share(p.p2.w, data.z));
  to.d3 = isometric_move3(step, isometric_share(p.p3.w, isometric_last_weight(data)));
  to.multiplier = exact_trim3(v3_sub(before, step));
  return to;
}

#endif
