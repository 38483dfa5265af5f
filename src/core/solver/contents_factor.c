/* contents_factor.c: factors that all types of constraint share. Divided here, once, in double
 * precision. Compiled twice, see src/core/solver_f64/double.h. */
#include <float.h>

#include "fill.h"

/* 1 for Gauss-Seidel; in a Jacobi tail omega over the most tail constraints at one of its
 * movable particles. Scaling the multiplier (and not each particle's sum) conserves momentum and
 * keeps multipliers consistent with positions. */
static double relaxation_of(const weft_fill *f, uint32_t i) {
  const weft_constraint_group *g = f->group;
  if (i < f->split.tail_first) return 1;
  uint32_t max = 1;
  for (uint32_t r = 0; r < g->arity; ++r) {
    uint32_t p = g->particles[(size_t)i * g->arity + r];
    if (f->model->inverse_masses[p] > 0 && f->valence[p] > max) max = f->valence[p];
  }
  return f->omega / max;
}

double weft_fill_theta(const weft_fill *f, uint32_t i) { return f->part * relaxation_of(f, i); }

double weft_fill_weight(const weft_fill *f, uint32_t i) {
  const weft_constraint_group *g = f->group;
  double sum = 0;
  for (uint32_t r = 0; r < g->arity; ++r) {
    double w = f->model->inverse_masses[g->particles[(size_t)i * g->arity + r]];
    double k = g->weights ? g->weights[(size_t)i * g->arity + r] : 1;
    sum += w * k * k;
  }
  return sum;
}

bool weft_fill_too_soft(const weft_fill *f, uint32_t i) {
  return !f->rigid && (double)f->group->compliance[i] / (f->dt * f->dt) > 1e25;
}

float weft_fill_factor(const weft_fill *f, uint32_t i, weft_xpbd terms) {
  double sum = weft_fill_weight(f, i);
  if (!(sum > 0) || weft_fill_too_soft(f, i)) return 0;
  double inverse =
      weft_fill_theta(f, i) / ((1 + (double)terms.gamma) * sum + (double)terms.compliance);
  return inverse < (double)FLT_MIN ? 0.0f : (float)inverse; /* too soft to have an effect in
                                                               float */
}
