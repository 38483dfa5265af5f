/* multipliers.c: multipliers of distance constraints after the last substep, in the order of
 * their own table, whatever schedule swept them. */
#include "solver.h"

/* The index of each distance constraint's multiplier in the patch schedule. */
/* With patches multipliers are those of pairs; which pairs are distance constraints, and which
 * ones. */
typedef struct swept {
  uint64_t count;
  uint32_t *sources; /* [count] element of the distance, or UINT32_MAX */
  float *lambda;     /* [count] */
} swept;

static swept read_swept(weft_solver *solver) {
  swept s = {.count = solver->buffer_counts[WEFT_BUFFER_PATCH_PAIRS]};
  s.sources = weft_alloc((size_t)s.count, sizeof *s.sources);
  s.lambda = weft_alloc((size_t)s.count, sizeof *s.lambda);
  weft_solver_read_buffer(solver, WEFT_BUFFER_PATCH_SOURCES, 0, s.count, s.sources);
  weft_solver_read_buffer(solver, WEFT_BUFFER_PATCH_LAMBDA, 0, s.count, s.lambda);
  return s;
}

static void free_swept(swept *s) {
  weft_free(s->sources);
  weft_free(s->lambda);
}

float *weft_solver_read_multipliers(weft_solver *solver) {
  uint64_t n = solver->buffer_counts[WEFT_BUFFER_DISTANCE];
  float *lambda = weft_alloc((size_t)n, sizeof *lambda);
  if (!weft_patches_active(&solver->params)) {
    weft_solver_read_buffer(solver, WEFT_BUFFER_DISTANCE_LAMBDA, 0, n, lambda);
    return lambda;
  }
  swept s = read_swept(solver);
  for (uint64_t i = 0; i < s.count; ++i) {
    if (s.sources[i] != UINT32_MAX) lambda[s.sources[i]] = s.lambda[i];
  }
  free_swept(&s);
  return lambda;
}

void weft_solver_write_multipliers(weft_solver *solver, const float *lambda) {
  if (!weft_patches_active(&solver->params)) {
    uint64_t n = solver->buffer_counts[WEFT_BUFFER_DISTANCE];
    weft_solver_write_buffer(solver, WEFT_BUFFER_DISTANCE_LAMBDA, 0, n, lambda);
    return;
  }
  swept s = read_swept(solver);
  for (uint64_t i = 0; i < s.count; ++i) {
    if (s.sources[i] != UINT32_MAX) s.lambda[i] = lambda[s.sources[i]];
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_PATCH_LAMBDA, 0, s.count, s.lambda);
  free_swept(&s);
}

/* Copies one group's multipliers to the links they belong to. */
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
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
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
