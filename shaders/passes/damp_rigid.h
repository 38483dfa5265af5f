/* damp_rigid: the rigid motion of the whole cloth, from the roots of the two trees, which are their last elements. */
#ifndef WEFT_PASSES_DAMP_RIGID_H
#define WEFT_PASSES_DAMP_RIGID_H
#include "passes/damp.h"

PASS(pass_damp_rigid) {
  uint body = i - pass.first;
  motion_sum linear = motion_sum_of(AT(MOTION, pass.tree_elements - 1u + body));
  motion_sum angular = motion_sum_of(AT(MOTION, 2u * pass.tree_elements - 1u + body));
  motion_sum rigid = damping_rigid(linear, angular, U.inv_total_mass);
  weft_motion element;
  element.a = V4(rigid.a, K(0.0));
  element.b = V4(rigid.b, K(0.0));
  element.c = V4(rigid.c, K(0.0));
  SET(MOTION, i, element);
}

#endif
