/* instance_results.c: a joined model's state, part by part. */
#include "instance_results.h"

#include <string.h>

static weft_vec3 vector(vec4 v) { return weft_v3(v.x, v.y, v.z); }

static void measure(const weft_solver *solver, const weft_kept_state *state, uint32_t instance,
                    weft_metrics *metrics) {
  const weft_model *part = weft_model_part(weft_solver_model(solver), instance);
  const uint32_t n = weft_model_particle_count(part);
  const vec4 *x = state->x + (size_t)instance * n, *v = state->v + (size_t)instance * n;
  weft_vec3 *both = weft_alloc(2 * (size_t)n, sizeof *both);
  for (uint32_t i = 0; i < n; ++i) {
    both[i] = vector(x[i]);
    both[n + i] = vector(v[i]);
  }
  weft_measure(part, weft_solver_params(solver), state->origin, both, both + n, metrics);
  weft_free(both);
}

weft_result weft_instance_results(weft_solver *solver, const weft_kept_state *state,
                                  weft_instance_result *results, weft_error *err) {
  const weft_model *model = weft_solver_model(solver);
  const uint32_t parts = weft_model_part_count(model);
  const uint32_t n = weft_model_particle_count(model) / parts;
  const size_t all = (size_t)n * parts;
  weft_vec3 *x = weft_alloc(2 * all, sizeof *x), *own = weft_alloc(2 * (size_t)n, sizeof *own);
  const weft_result result = weft_solver_read(solver, x, x + all, err);
  for (uint32_t p = 0; p < parts && result == WEFT_OK; ++p) {
    memcpy(own, x + (size_t)p * n, n * sizeof *own);
    memcpy(own + n, x + all + (size_t)p * n, n * sizeof *own);
    measure(solver, state, p, &results[p].metrics);
    results[p].hash = weft_hash_bytes(WEFT_HASH_SEED, own, 2 * (size_t)n * sizeof *own);
  }
  weft_free(x);
  weft_free(own);
  return result;
}
