/* self_repel: separates pairs that are closer than the thickness along their normals, with friction. Corrections are added as integers, so their
 * order does not matter. */
#ifndef WEFT_PASSES_SELF_REPEL_H
#define WEFT_PASSES_SELF_REPEL_H
#include "passes/self_pair.h"
#include "passes/self_friction.h"

/* The divisor of a correction. Against a body it is 2, since the body's corners take no correction: a pair that is separated fully would no longer
 * touch in the next substep, and friction would forget it. Otherwise the largest load among its particles. */
KERNEL real self_load_of(BUFFERS m, uvec4 p, real4 weights, real depth) {
  real load = self_touches_body(m, p) ? K(2.0) : K(1.0);
  uint weight = self_weight_of(depth);
  for (uint k = 0u; k < 4u; ++k) {
    real here = self_load(AT(SELF_CORRECTIONS, 4u * PART4U(p, k) + 3u), weight);
    if (PART4(weights, k) != K(0.0) && here > load) load = here;
  }
  return load;
}

PASS(pass_self_repel) {
  if (!self_pushes(m, i)) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  uvec4 p = weft_self_particles(AT(SELF_PAIRS, i));
  real3 before = self_apart_before(m, p, plane);
  real3 apart = self_apart_now(m, p, plane);
  real depth = self_depth_of(plane, before, apart);
  if (!(depth > K(0.0))) return;
  real4 w = V4(V3(AT(X, p.x).w, AT(X, p.y).w, AT(X, p.z).w), AT(X, p.w).w);
  real share = self_divided(w, plane.weights, self_load_of(m, p, plane.weights, depth));
  if (share == K(0.0)) return;
  real3 slide = self_slide(apart, before, plane.slide);
  weft_self_friction mu = self_friction_of(m, p);
  real3 c = self_correction(slide, plane.normal, depth, mu.at_rest, mu.sliding, self_creep(U.self_escape));
  for (uint k = 0u; k < 4u; ++k) {
    uint particle = PART4U(p, k);
    if (self_is_of_body(m, particle)) continue;
    real3 move = self_corner_move(c, PART4(w, k), PART4(plane.weights, k), share, plane.reach);
    ATOMIC_ADD(SELF_CORRECTIONS, 4u * particle, self_fixed(move.x));
    ATOMIC_ADD(SELF_CORRECTIONS, 4u * particle + 1u, self_fixed(move.y));
    ATOMIC_ADD(SELF_CORRECTIONS, 4u * particle + 2u, self_fixed(move.z));
  }
}

#endif
