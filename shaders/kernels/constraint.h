/* constraint.h: what a constraint's projection takes and gives (XPBD: Macklin et al. 2016; small steps: 2019). A constraint
 * has a file constraint_NAME.h with one function,
 *   projection project_NAME(corners p, real4 data, bool keeps, history past, uint acts)
 * data: what its element has besides particles; keeps: whether multipliers are kept, which is the same for all of a
 * pass; acts: WEFT_ACTS_ of the batch. */
#ifndef WEFT_KERNELS_CONSTRAINT_H
#define WEFT_KERNELS_CONSTRAINT_H
#include "kernels/pair.h"

/* Its particles, as many as it has: position and inverse mass. Where positions are pairs (compensated), which is the same for
 * all of a pass, their low parts. */
KERNEL_STRUCT(corners)
  real4 p0, p1, p2, p3;
  bool pairs;
  real3 low0, low1, low2, low3;
KERNEL_STRUCT_END(corners)

/* Where multipliers are kept: the particles at the start of the substep, the multiplier so far (of one number or three),
 * alpha~ = alpha/dt^2 and gamma = alpha~ beta dt (Macklin 2016, eq. 26). */
KERNEL_STRUCT(history)
  real3 q0, q1, q2, q3;
  real3 q_low0, q_low1, q_low2, q_low3;
  real3 multiplier;
  real compliance, gamma;
KERNEL_STRUCT_END(history)

/* Correction of each particle, and the new multiplier. Where nothing moves the directions are undefined. */
KERNEL_STRUCT(projection)
  mask moves;
  real3 d0, d1, d2, d3;
  real3 multiplier;
KERNEL_STRUCT_END(projection)

KERNEL history no_history() {
  history none;
  none.q0 = V3(K(0.0), K(0.0), K(0.0));
  none.q1 = none.q0;
  none.q2 = none.q0;
  none.q3 = none.q0;
  none.q_low0 = none.q0;
  none.q_low1 = none.q0;
  none.q_low2 = none.q0;
  none.q_low3 = none.q0;
  none.multiplier = none.q0;
  none.compliance = K(0.0);
  none.gamma = K(0.0);
  return none;
}

/* Corners with low parts 0. */
KERNEL corners corners_of(real4 p0, real4 p1, real4 p2, real4 p3) {
  corners p;
  p.p0 = p0;
  p.p1 = p1;
  p.p2 = p2;
  p.p3 = p3;
  p.pairs = false;
  p.low0 = V3(K(0.0), K(0.0), K(0.0));
  p.low1 = p.low0;
  p.low2 = p.low0;
  p.low3 = p.low0;
  return p;
}

/* The corrected position of a particle, and one component of it. */
KERNEL real moved_on(real x, real d) {
  precise real to = x + d;
  return exact_flush(to);
}

KERNEL real3 moved_by(real4 p, real3 d) { return V3(moved_on(p.x, d.x), moved_on(p.y, d.y), moved_on(p.z, d.z)); }

#endif
