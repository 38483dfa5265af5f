/* aero_gather: every particle adds up a third of the force on each of its triangles, in ascending order. */
#ifndef WEFT_PASSES_AERO_GATHER_H
#define WEFT_PASSES_AERO_GATHER_H
#include "kernels/air.h"

PASS(pass_aero_gather) {
  real dt = AT(SUBSTEPS, substep).air_dt;
  if (dt == K(0.0)) return;
  real3 force = V3(K(0.0), K(0.0), K(0.0));
  uint end = AT(CORNER_OFFSETS, i + 1u);
  for (uint k = AT(CORNER_OFFSETS, i); k < end; ++k) {
    force = v3_add(force, XYZ(AT(FORCES, AT(CORNER_ITEMS, k))));
  }
  SET(V, i, V4(air_velocity3(XYZ(AT(V, i)), force, AT(X, i).w, dt), K(0.0)));
}

#endif
