/* bending.c: whether a sweep over hinges preserves the fabric's bending. */
#include <math.h>
#include <stdlib.h>

#include "hinge.h"
#include "inspect.h"
#include "solver.h"

/* sum w K^2/alpha of a hinge; 0 for one that cannot move or has no stiffness. */
static double firmness(const weft_model *model, const weft_constraint_group *g, uint32_t i) {
  const uint32_t *p = &g->particles[4 * (size_t)i];
  double sum = 0, alpha = (double)g->compliance[i];
  weft_hinge_shape shape = {0};
  if (!g->weights) {
    weft_hinge_measure(model->rest_positions, p + 2, p, &shape);
    alpha *= shape.length * shape.length;
  }
  for (uint32_t k = 0; k < 4; ++k) {
    /* The edge comes first in shapes, and last where there are no weights. */
    double K = g->weights ? (double)g->weights[4 * (size_t)i + k] : shape.weights[(k + 2) % 4];
    sum += (double)model->inverse_masses[p[k]] * K * K;
  }
  return alpha > 0 && !shape.degenerate ? sum / alpha : 0;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Hinges with weights, unless lines solve them, and hinges with angles. */
static bool swept(const weft_solver *solver, const weft_constraint_group *g) {
  bool lines = weft_solver_buffer_count(solver, WEFT_BUFFER_LINE_BENDS) > 0;
  return g->role == WEFT_ROLE_BENDING && g->arity == 4 && !(g->weights && lines);
}

uint32_t weft_solver_bending_substeps(const weft_solver *solver) {
  WEFT_GUARD_OR(0);
  if (!solver || solver->params.method != WEFT_METHOD_XPBD) return 0;
  const weft_model *model = solver->model;
  size_t total = 0, count = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) total += model->groups[g].count;
  double *firm = weft_alloc(total, sizeof *firm), middle = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    for (uint32_t i = 0; swept(solver, &model->groups[g]) && i < model->groups[g].count; ++i) {
      firm[count] = firmness(model, &model->groups[g], i);
      count += firm[count] > 0;
    }
  }
  qsort(firm, count, sizeof *firm, ascending);
  if (count > 0) middle = firm[count / 2];
  weft_free(firm);
  double needed = ceil((double)solver->params.frame_dt * sqrt(WEFT_HINGES_KEEP * middle));
  return needed > solver->params.substeps ? (uint32_t)fmin(needed, 1e9) : 0;
}
