/* level_project: projects the edges of one colour of a level: two nodes may be no further apart than the cloth between them is long. Fixed nodes
 * are never written, since several edges of a colour may share one. */
#ifndef WEFT_PASSES_LEVEL_PROJECT_H
#define WEFT_PASSES_LEVEL_PROJECT_H
#include "passes/level.h"

PASS(pass_level_project) {
  weft_level_edge c = AT(LEVEL_EDGES, i);
  real4 pa = AT(LEVEL_X, c.a);
  real4 pb = AT(LEVEL_X, c.b);
  real3 n = level_direction(XYZ(AT(LEVEL_BASE, c.a)), XYZ(AT(LEVEL_BASE, c.b)));
  pulled_edge to = level_project(pa, pb, n, c.rest_length, c.inv_denominator);
  if (!to.acts) return;
  if (pa.w > K(0.0)) SET(LEVEL_X, c.a, V4(to.a, pa.w));
  if (pb.w > K(0.0)) SET(LEVEL_X, c.b, V4(to.b, pb.w));
}

#endif
