/* self_friction.h: friction coefficients of a pair. */
#ifndef WEFT_PASSES_SELF_FRICTION_H
#define WEFT_PASSES_SELF_FRICTION_H
#include "passes/self.h"

/* Cloth against cloth has those of the parameters, a body its own. */
KERNEL weft_self_friction self_friction_of(BUFFERS m, uvec4 p) {
  weft_self_friction mu;
  mu.at_rest = U.self_static;
  mu.sliding = U.self_dynamic;
  if (self_touches_body(m, p)) mu = AT(SELF_FRICTION, self_of_body(m, p) - U.particle_count);
  return mu;
}

#endif
