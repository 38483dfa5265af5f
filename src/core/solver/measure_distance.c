/* measure_distance.c: |x_0 - x_1| - rest length. */
#include "measure.h"

double weft_length_error(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  const uint32_t *pair = &g->particles[2 * (size_t)i];
  double error = weft_v3_distance(x[pair[0]], x[pair[1]]) - (double)g->rest[i];
  if (g->sense == WEFT_SENSE_AT_MOST && error < 0) return 0;
  if (g->sense == WEFT_SENSE_AT_LEAST && error > 0) return 0;
  return error;
}

double weft_measure_distance(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  double error = weft_length_error(g, i, x);
  return error * error;
}
