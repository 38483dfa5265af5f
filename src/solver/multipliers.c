/* multipliers.c: what distance constraints held with in the last substep, in the order of their own
 * table, whatever the schedule that swept them. */
#include "solver.h"

/* Where the patch schedule has the multiplier of each distance constraint. */
static uint32_t *read_sources(weft_solver *solver, uint64_t count) {
  uint32_t *sources = weft_alloc((size_t)count, sizeof *sources);
  weft_solver_read_buffer(solver, WEFT_BUFFER_PATCH_SOURCES, 0, count, sources);
  return sources;
}

float *weft_solver_read_multipliers(weft_solver *solver) {
  uint64_t n = solver->buffer_counts[WEFT_BUFFER_DISTANCE];
  float *lambda = weft_alloc((size_t)n, sizeof *lambda);
  if (!weft_patches_active(&solver->params)) {
    weft_solver_read_buffer(solver, WEFT_BUFFER_DISTANCE_LAMBDA, 0, n, lambda);
    return lambda;
  }
  uint32_t *sources = read_sources(solver, n);
  float *swept = weft_alloc((size_t)n, sizeof *swept);
  weft_solver_read_buffer(solver, WEFT_BUFFER_PATCH_LAMBDA, 0, n, swept);
  for (uint64_t i = 0; i < n; ++i) lambda[sources[i]] = swept[i];
  weft_free(sources);
  weft_free(swept);
  return lambda;
}

void weft_solver_write_multipliers(weft_solver *solver, const float *lambda) {
  uint64_t n = solver->buffer_counts[WEFT_BUFFER_DISTANCE];
  if (!weft_patches_active(&solver->params)) {
    weft_solver_write_buffer(solver, WEFT_BUFFER_DISTANCE_LAMBDA, 0, n, lambda);
    return;
  }
  uint32_t *sources = read_sources(solver, n);
  float *swept = weft_alloc((size_t)n, sizeof *swept);
  for (uint64_t i = 0; i < n; ++i) swept[i] = lambda[sources[i]];
  weft_solver_write_buffer(solver, WEFT_BUFFER_PATCH_LAMBDA, 0, n, swept);
  weft_free(sources);
  weft_free(swept);
}

/* One group's multipliers into the links they belong to. */
static void spread_forces(const weft_solver *solver, uint32_t group, const float *all,
                          float *newtons) {
  const weft_constraint_group *g = &solver->model->groups[group];
  double dt = (double)solver->params.frame_dt / solver->params.substeps;
  const float *lambda = all + weft_group_base(solver->model, group);
  for (uint32_t i = 0; i < g->count; ++i) {
    newtons[g->source[i]] = (float)(-(double)lambda[i] / (dt * dt));
  }
}

weft_result weft_solver_link_forces(weft_solver *solver, float *newtons, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(newtons);
  if (!solver->params.keep_multipliers || solver->frame == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "forces in links are known after a step with keep_multipliers set");
  }
  weft_result result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  float *lambda = weft_solver_read_multipliers(solver);
  result = solver->backend->check(solver->instance, "reading forces", err);
  for (uint32_t k = 0; k < solver->model->group_count && result == WEFT_OK; ++k) {
    if (solver->model->groups[k].source) spread_forces(solver, k, lambda, newtons);
  }
  weft_free(lambda);
  return result;
}
