/* contents_factor.c: factors that all types of constraint share. Divided here, once, in double
 * precision. Compiled twice, see src/core/solver_f64/double.h. */
#include <float.h>
#include <math.h>

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

static double weight_of(const weft_fill *f, uint32_t i) {
  const weft_constraint_group *g = f->group;
  double sum = 0;
  for (uint32_t r = 0; r < g->arity; ++r) {
    double w = f->model->inverse_masses[g->particles[(size_t)i * g->arity + r]];
    double k = g->weights ? g->weights[(size_t)i * g->arity + r] : 1;
    sum += w * k * k;
  }
  return sum;
}

/* Past 1e25 alpha~ could leave the range of float in a product, and no float would feel the
 * constraint: it is switched off. */
static bool is_too_soft(const weft_fill *f, double compliance) {
  return !f->rigid && compliance > 1e25;
}

/* A gamma far above 1 and alpha~/sum stops all motion along the constraint, so gamma is clamped:
 * its product with a length or the sum must stay in the range of float. */
static double gamma_of(const weft_fill *f, uint32_t k, double compliance) {
  /* Where gradients change, the sum is known only in the projection, and may grow. */
  const double max = weft_constraint_infos[f->group->type].terms ? 1e30 : 1e10;
  double gamma = compliance * (double)f->group->damping[f->first + k] * f->dt;
  return fmin(gamma, fmin(max, max / f->weight[k]));
}

static void find_terms(weft_fill *f, uint32_t count) {
  const double dt2 = f->dt * f->dt;
  double compliance[WEFT_FILL_BLOCK];
  for (uint32_t k = 0; k < count; ++k) {
    compliance[k] = (double)f->group->compliance[f->first + k] / dt2;
  }
  for (uint32_t k = 0; k < count; ++k) {
    const bool damped = (double)f->group->damping[f->first + k] > 0;
    const double gamma = damped ? gamma_of(f, k, compliance[k]) : 0;
    f->terms[k] = (weft_xpbd){(float)compliance[k], (float)gamma};
    if (f->rigid || is_too_soft(f, compliance[k])) f->terms[k] = (weft_xpbd){0, 0};
    if (is_too_soft(f, compliance[k])) f->theta[k] = 0;
  }
}

/* Too soft to have an effect in float is 0. */
static void find_factors(weft_fill *f, uint32_t count) {
  double inverse[WEFT_FILL_BLOCK];
  for (uint32_t k = 0; k < count; ++k) {
    inverse[k] = f->theta[k] /
                 ((1 + (double)f->terms[k].gamma) * f->weight[k] + (double)f->terms[k].compliance);
  }
  for (uint32_t k = 0; k < count; ++k) {
    const bool acts = f->weight[k] > 0 && inverse[k] >= (double)FLT_MIN;
    f->factor[k] = acts ? (float)inverse[k] : 0;
  }
}

void weft_fill_see(weft_fill *f, uint32_t first, uint32_t count) {
  f->first = first;
  for (uint32_t k = 0; k < count; ++k) {
    f->weight[k] = weight_of(f, first + k);
    f->theta[k] = f->part * relaxation_of(f, first + k);
  }
  find_terms(f, count);
  find_factors(f, count);
}

float weft_fill_theta(const weft_fill *f, uint32_t i) {
  const uint32_t k = i - f->first;
  return f->weight[k] > 0 ? (float)f->theta[k] : 0;
}
