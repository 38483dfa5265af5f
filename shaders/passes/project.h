/* project: loads particles, calls the kernel of a constraint and stores the result. What differs between constraints is generated from
 * constraints.def: constraint_at, multiplier_at, set_multiplier, terms_at, arity_of and project_constraint take the type, which is a constant of
 * each program, as are keeps and jacobi. */
#ifndef WEFT_PASSES_PROJECT_H
#define WEFT_PASSES_PROJECT_H
#include "kernels/constraint.h"

#define PREVIOUS(particle) XYZ(AT(X_PREV, particle))
#define PREVIOUS_LOW(particle) XYZ(AT(X_PREV_LOW, particle))
#define LOW(particle) XYZ(AT(X_LOW, particle))
#define PUT_DELTA(slot, moves, d) SET(DELTA, slot, delta_of(exact_flush3(v3_select(moves, d, V3(K(0.0), K(0.0), K(0.0))))))
#define PUT_MOVED(particle, p, d) SET(X, particle, V4(moved_by(p, d), p.w))
#define PUT_MOVED_PAIR(particle, p, p_low, d)                   \
  {                                                           \
    pair3 moved = pair3_moved(pair3_of(XYZ(p), p_low), d);    \
    SET(X, particle, V4(moved.high, p.w));                    \
    SET(X_LOW, particle, V4(moved.low, K(0.0)));              \
  }

PROJECT_PASS(pass_project) {
  constraint_element c = CONSTRAINT_AT(type, i);
  uint arity = arity_of(type);
  real4 p0 = AT(X, c.particles.x);
  corners p = corners_of(p0, AT(X, c.particles.y), p0, p0);
  if (arity > 2u) p.p2 = AT(X, c.particles.z);
  if (arity > 3u) p.p3 = AT(X, c.particles.w);
  if (PAIRS) {
    p.pairs = true;
    p.low0 = LOW(c.particles.x);
    p.low1 = LOW(c.particles.y);
    if (arity > 2u) p.low2 = LOW(c.particles.z);
    if (arity > 3u) p.low3 = LOW(c.particles.w);
  }
  history past = no_history();
  if (keeps) {
    past.q0 = PREVIOUS(c.particles.x);
    past.q1 = PREVIOUS(c.particles.y);
    if (arity > 2u) past.q2 = PREVIOUS(c.particles.z);
    if (arity > 3u) past.q3 = PREVIOUS(c.particles.w);
    if (PAIRS) {
      past.q_low0 = PREVIOUS_LOW(c.particles.x);
      past.q_low1 = PREVIOUS_LOW(c.particles.y);
      if (arity > 2u) past.q_low2 = PREVIOUS_LOW(c.particles.z);
      if (arity > 3u) past.q_low3 = PREVIOUS_LOW(c.particles.w);
    }
    if (pass.first_iteration != 1u) past.multiplier = MULTIPLIER_AT(type, i);
    weft_xpbd terms = TERMS_AT(type, i);
    past.compliance = terms.compliance;
    past.gamma = terms.gamma;
  }
  projection to = PROJECT_CONSTRAINT(type, p, c.data, keeps, past, pass.acts);
  if (keeps) SET_MULTIPLIER(type, i, to.multiplier);
  if (jacobi) {
    uint slot = pass.delta_first + arity * (i - pass.first);
    PUT_DELTA(slot, to.moves, to.d0);
    PUT_DELTA(slot + 1u, to.moves, to.d1);
    if (arity > 2u) PUT_DELTA(slot + 2u, to.moves, to.d2);
    if (arity > 3u) PUT_DELTA(slot + 3u, to.moves, to.d3);
    return;
  }
  if (!to.moves) return;
  if (PAIRS) {
    PUT_MOVED_PAIR(c.particles.x, p.p0, p.low0, to.d0)
    PUT_MOVED_PAIR(c.particles.y, p.p1, p.low1, to.d1)
    if (arity > 2u) PUT_MOVED_PAIR(c.particles.z, p.p2, p.low2, to.d2)
    if (arity > 3u) PUT_MOVED_PAIR(c.particles.w, p.p3, p.low3, to.d3)
    return;
  }
  PUT_MOVED(c.particles.x, p.p0, to.d0);
  PUT_MOVED(c.particles.y, p.p1, to.d1);
  if (arity > 2u) PUT_MOVED(c.particles.z, p.p2, to.d2);
  if (arity > 3u) PUT_MOVED(c.particles.w, p.p3, to.d3);
}

#endif
