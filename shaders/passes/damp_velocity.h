/* damp_velocity: damps the part of the velocity that is not rigid motion of the whole. */
#ifndef WEFT_PASSES_DAMP_VELOCITY_H
#define WEFT_PASSES_DAMP_VELOCITY_H
#include "passes/damp.h"

PASS(pass_damp_velocity) {
  real4 p = AT(X, i);
  if (p.w == K(0.0)) return;
  motion_sum rigid = motion_sum_of(AT(MOTION, 2u * pass.tree_elements));
  SET(V, i, V4(damped_velocity(XYZ(p), XYZ(AT(V, i)), rigid, U.global_damping), K(0.0)));
}

#endif
