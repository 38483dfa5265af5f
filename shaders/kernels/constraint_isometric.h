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

KERNEL real isometric_last_weight(real4 data) {
  precise real k3 = data.x + data.y;
  k3 = k3 + data.z;
  k3 = -k3;
  return k3;
}

/* What the multiplier so far and damping add; `then` is the sum at the start of the substep. */
KERNEL real isometric_held(real sum, real then, real before, history past) {
  precise real held = before * past.compliance;
  precise real damped = sum - then;
  damped = exact_flush(damped);
  damped = damped * past.gamma;
  precise real violation = sum + held;
  violation = violation + damped;
  return violation;
}

KERNEL real isometric_step(real violation, real inv_denominator) {
  precise real step = violation * inv_denominator;
  return exact_trim(step);
}

/* How far a particle of inverse mass w and weight k moves back for a step of 1, and how far it moves for a step. */
KERNEL real isometric_share(real w, real k) {
  precise real share = w * k;
  return share;
}

KERNEL real isometric_way(real step, real share) {
  precise real way = step * share;
  way = -way;
  return way;
}

KERNEL real3 isometric_way3(real3 step, real share) {
  return V3(isometric_way(step.x, share), isometric_way(step.y, share), isometric_way(step.z, share));
}

KERNEL projection project_isometric(corners p, real4 data, bool keeps, history past, uint acts) {
  UNUSED(acts);
  real3 violation = V3(isometric_sum(p.p0.x, p.p1.x, p.p2.x, p.p3.x, data),
                       isometric_sum(p.p0.y, p.p1.y, p.p2.y, p.p3.y, data),
                       isometric_sum(p.p0.z, p.p1.z, p.p2.z, p.p3.z, data));
  real3 before = V3(K(0.0), K(0.0), K(0.0));
  if (keeps) {
    before = past.multiplier;
    real then_x = isometric_sum(past.q0.x, past.q1.x, past.q2.x, past.q3.x, data);
    real then_y = isometric_sum(past.q0.y, past.q1.y, past.q2.y, past.q3.y, data);
    real then_z = isometric_sum(past.q0.z, past.q1.z, past.q2.z, past.q3.z, data);
    violation = V3(isometric_held(violation.x, then_x, before.x, past),
                   isometric_held(violation.y, then_y, before.y, past),
                   isometric_held(violation.z, then_z, before.z, past));
  }
  real3 step = V3(isometric_step(violation.x, data.w), isometric_step(violation.y, data.w),
                  isometric_step(violation.z, data.w));
  projection to;
  to.moves = ALWAYS;
  to.d0 = isometric_way3(step, isometric_share(p.p0.w, data.x));
  to.d1 = isometric_way3(step, isometric_share(p.p1.w, data.y));
  to.d2 = isometric_way3(step, isometric_share(p.p2.w, data.z));
  to.d3 = isometric_way3(step, isometric_share(p.p3.w, isometric_last_weight(data)));
  to.multiplier = exact_trim3(v3_sub(before, step));
  return to;
}

#endif
