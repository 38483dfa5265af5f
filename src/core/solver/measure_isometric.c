/* measure_isometric.c: K0 x0 + K1 x1 + K2 x2 + K3 x3. */
#include "measure.h"

double weft_measure_isometric(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  const uint32_t *p = &g->particles[4 * (size_t)i];
  weft_vec3d last = weft_v3d_from(x[p[3]]), c = {0, 0, 0};
  for (int r = 0; r < 3; ++r) {
    double k = (double)g->weights[4 * (size_t)i + (size_t)r];
    c = weft_v3d_add_scaled(c, k, weft_v3d_sub(weft_v3d_from(x[p[r]]), last));
  }
  return weft_v3d_dot(c, c);
}
