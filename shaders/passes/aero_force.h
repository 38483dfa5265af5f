/* aero_force: a third of the air's force on each triangle, where a step of the air begins. */
#ifndef WEFT_PASSES_AERO_FORCE_H
#define WEFT_PASSES_AERO_FORCE_H
#include "kernels/air.h"

PASS(pass_aero_force) {
  real dt = AT(SUBSTEPS, substep).air_dt;
  if (dt == K(0.0)) return;
  weft_triangle corner = AT(TRIANGLES, i);
  real3 sum = v3_add(v3_add(XYZ(AT(V, corner.a)), XYZ(AT(V, corner.b))), XYZ(AT(V, corner.c)));
  real3 force = air_force(AT(X, corner.a), AT(X, corner.b), AT(X, corner.c), sum, AT(SUBSTEPS, substep).wind, U.drag,
                          U.skin, U.third, dt);
  SET(FORCES, i, V4(force, K(0.0)));
}

#endif
