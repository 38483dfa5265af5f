/* measure_dihedral.c: the angle between two triangles - rest angle. */
#include <math.h>

#include "measure.h"

double weft_measure_dihedral(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  const uint32_t *p = &g->particles[4 * (size_t)i];
  weft_vec3d x0 = weft_v3d_from(x[p[0]]), x1 = weft_v3d_from(x[p[1]]);
  weft_vec3d x2 = weft_v3d_from(x[p[2]]), x3 = weft_v3d_from(x[p[3]]);
  weft_vec3d e = weft_v3d_sub(x3, x2);
  weft_vec3d n1 = weft_v3d_cross(weft_v3d_sub(x2, x0), weft_v3d_sub(x3, x0));
  weft_vec3d n2 = weft_v3d_cross(weft_v3d_sub(x3, x1), weft_v3d_sub(x2, x1));
  double sine = weft_v3d_dot(weft_v3d_cross(n1, n2), e);
  double cosine = weft_v3d_dot(n1, n2) * weft_v3d_length(e);
  double error = remainder(atan2(sine, cosine) - (double)g->rest[i], 6.283185307179586);
  return error * error;
}
