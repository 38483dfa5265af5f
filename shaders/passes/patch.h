/* patch: one work group sweeps the constraints of a cluster of particles in shared memory. A patch has a header: where its particles begin and how
 * many there are, where its ranges begin and how many there are. A range is two words: its first constraint; its number of constraints (16 bits),
 * their type (4 bits) and when they act. Constraints of a range share no particle; a barrier stands between ranges. Pairs and quads have tables of
 * their own. Terms of quads, and multipliers of three numbers each, follow those of pairs. */
#ifndef WEFT_PASSES_PATCH_H
#define WEFT_PASSES_PATCH_H
#include "kernels/constraint.h"

GROUP_ARRAY(vec4, s_x, WEFT_PATCH_PARTICLES)
GROUP_ARRAY(weft_delta, s_prev, WEFT_PATCH_PARTICLES)

#define PATCH_PREVIOUS(k) of_delta(s_prev[k])
#define PATCH_MOVE(k, p, d) s_x[k] = V4(moved_by(p, d), p.w)

SWEEP_PASS(patch_sweep) {
  constraint_element c;
  uint terms = i;
  uint multiplier = i;
  if (is_pair(type)) {
    weft_patch_pair row = AT(PATCH_PAIRS, i);
    c.particles = U4(row.ab & 0xffffu, row.ab >> 16, 0u, 0u);
    c.data = V4(V3(row.rest, row.factor, K(0.0)), K(0.0));
  } else {
    weft_patch_quad quad = AT(PATCH_QUADS, i);
    c.particles = U4(quad.p01 & 0xffffu, quad.p01 >> 16, quad.p23 & 0xffffu, quad.p23 >> 16);
    c.data = AT(PATCH_DATA, i);
    terms = pass.quad_first + i;
    multiplier = pass.quad_first + 3u * i;
  }
  corners p = corners_of(s_x[c.particles.x], s_x[c.particles.y], s_x[c.particles.z], s_x[c.particles.w]);
  history past = no_history();
  if (keeps) {
    past.q0 = PATCH_PREVIOUS(c.particles.x);
    past.q1 = PATCH_PREVIOUS(c.particles.y);
    past.q2 = PATCH_PREVIOUS(c.particles.z);
    past.q3 = PATCH_PREVIOUS(c.particles.w);
    if (pass.first_iteration != 1u) {
      past.multiplier.x = AT(PATCH_LAMBDA, multiplier);
      if (!is_pair(type)) {
        past.multiplier.y = AT(PATCH_LAMBDA, multiplier + 1u);
        past.multiplier.z = AT(PATCH_LAMBDA, multiplier + 2u);
      }
    }
    weft_xpbd kept = AT(PATCH_XPBD, terms);
    past.compliance = kept.compliance;
    past.gamma = kept.gamma;
  }
  projection to = PROJECT_CONSTRAINT(type, p, c.data, keeps, past, acts);
  if (keeps) {
    SET(PATCH_LAMBDA, multiplier, to.multiplier.x);
    if (!is_pair(type)) {
      SET(PATCH_LAMBDA, multiplier + 1u, to.multiplier.y);
      SET(PATCH_LAMBDA, multiplier + 2u, to.multiplier.z);
    }
  }
  if (!to.moves) return;
  PATCH_MOVE(c.particles.x, p.p0, to.d0);
  PATCH_MOVE(c.particles.y, p.p1, to.d1);
  if (arity_of(type) > 2u) PATCH_MOVE(c.particles.z, p.p2, to.d2);
  if (arity_of(type) > 3u) PATCH_MOVE(c.particles.w, p.p3, to.d3);
}

GROUP_PASS(pass_patch) {
  uint header = WEFT_PATCH_HEADER * i;
  uint particles = AT(PATCH_WORDS, header);
  uint particle_count = AT(PATCH_WORDS, header + 1u);
  uint ranges = AT(PATCH_WORDS, header + 2u);
  uint range_count = AT(PATCH_WORDS, header + 3u);
  EACH(k, 0u, 1u, particle_count) {
    uint particle = AT(PATCH_WORDS, particles + k);
    s_x[k] = AT(X, particle);
    if (KEEPS) s_prev[k] = delta_of(XYZ(AT(X_PREV, particle)));
  }
  WAIT_FOR_GROUP
  for (uint r = 0u; r < range_count; ++r) {
    uint first = AT(PATCH_WORDS, ranges + 2u * r);
    uint what = AT(PATCH_WORDS, ranges + 2u * r + 1u);
    EACH(k, 0u, 1u, what & 0xffffu) { SWEEP(patch_sweep, first + k, (what >> 16) & 15u, KEEPS, what >> 20); }
    WAIT_FOR_GROUP
  }
  EACH(k, 0u, 1u, particle_count) { SET(X, AT(PATCH_WORDS, particles + k), s_x[k]); }
}

#endif
