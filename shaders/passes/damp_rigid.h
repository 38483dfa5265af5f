/* damp_rigid: from the two roots, the last rows of their trees, to the rigid motion of a body. */
#ifndef WEFT_PASSES_DAMP_RIGID_H
#define WEFT_PASSES_DAMP_RIGID_H
#include "passes/damp.h"

PASS(pass_damp_rigid) {
  uint body = i - pass.first;
  motion_sum linear = motion_sum_of(AT(MOTION, pass.tree_rows - 1u + body));
  motion_sum angular = motion_sum_of(AT(MOTION, 2u * pass.tree_rows - 1u + body));
  motion_sum rigid = damping_rigid(linear, angular, U.inv_total_mass);
  weft_motion row;
  row.a = V4(rigid.a, K(0.0));
  row.b = V4(rigid.b, K(0.0));
  row.c = V4(rigid.c, K(0.0));
  SET(MOTION, i, row);
}

#endif
