/* self_surface.h: what pairs are like to touch: friction and thickness. */
#ifndef WEFT_PASSES_SELF_SURFACE_H
#define WEFT_PASSES_SELF_SURFACE_H
#include "passes/self.h"

/* Of the body of a pair that touches one. */
#define SELF_DISTANCES(part) AT(SELF_REST, U.self_particles * U.self_parts + (part))
KERNEL real4 self_body_of(BUFFERS m, uvec4 p) { return AT(SELF_REST, self_is_of_body(m, p.x) ? p.x : p.w); }

KERNEL_STRUCT(self_friction)
  real of_rest;    /* mu_s */
  real of_sliding; /* mu_k */
KERNEL_STRUCT_END(self_friction)

KERNEL self_friction self_friction_of(BUFFERS m, uvec4 p) {
  self_friction mu;
  mu.of_rest = U.self_static;
  mu.of_sliding = U.self_dynamic;
  if (self_touches_body(m, p)) {
    real4 body = self_body_of(m, p);
    mu.of_rest = body.x;
    mu.of_sliding = body.y;
  }
  return mu;
}

#endif
