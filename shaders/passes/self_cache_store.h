/* self_cache_store: after repulsion, stores the pairs that touch and how far they have slid, clamped to Coulomb's limit. Few iterations leave a
 * slip in every substep; without this memory cloth on a slope would creep. */
#ifndef WEFT_PASSES_SELF_CACHE_STORE_H
#define WEFT_PASSES_SELF_CACHE_STORE_H
#include "passes/self_pair.h"
#include "passes/self_friction.h"

PASS(pass_self_cache_store) {
  if (!self_pushes(m, i)) return;
  weft_self_plane plane = AT(SELF_PLANES, i);
  uvec4 listed = AT(SELF_PAIRS, i);
  uvec4 p = weft_self_particles(listed);
  real3 before = self_apart_before(m, p, plane);
  real3 apart = self_apart_now(m, p, plane);
  real depth = self_depth_of(plane, before, apart);
  if (!(depth > K(0.0))) return;
  real3 slide = self_slide(apart, before, plane.slide);
  weft_self_friction mu = self_friction_of(m, p);
  weft_self_cached kept;
  kept.pair = listed;
  kept.slide = self_slide_held(slide, plane.normal, depth, mu.at_rest, mu.sliding, self_creep(U.self_escape));
  kept.escape = plane.escape;
  SET(SELF_CACHE, ATOMIC_ADD(SELF_CACHE_COUNT, 0u, 1u), kept);
}

#endif
