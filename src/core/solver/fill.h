/* fill.h: coefficients of constraint elements. Each type of constraint has a function in
 * fill_NAME.c (constraints.def); common parts are here. Compiled twice, see
 * src/core/solver_f64/double.h. */
#ifndef WEFT_SOLVER_FILL_H
#define WEFT_SOLVER_FILL_H

#include "solver.h"

enum { WEFT_FILL_BLOCK = 64 };

/* The constraints of a group, and their common factors. */
typedef struct weft_fill {
  const weft_model *model;
  const weft_constraint_group *group;
  weft_split split;
  const uint32_t *valence; /* [particles] constraints of the Jacobi tail at each */
  double dt;
  double omega; /* relaxation of the Jacobi tail */
  double part;  /* fraction of the error that one projection removes: k' of PBD, 1 for XPBD */
  bool rigid;   /* PBD knows no compliance */
  /* Of those from `first` on: sum of w K^2 over their particles, 0 when nothing can move; theta,
   * the relaxation of their multipliers; alpha~ and gamma; theta/((1 + gamma) weight + alpha~), or
   * 0 where nothing moves. */
  uint32_t first;
  double weight[WEFT_FILL_BLOCK], theta[WEFT_FILL_BLOCK];
  weft_xpbd terms[WEFT_FILL_BLOCK];
  float factor[WEFT_FILL_BLOCK];
} weft_fill;

/* Goes on to constraints [first, first+count), at most WEFT_FILL_BLOCK: divided side by side. */
void weft_fill_see(weft_fill *f, uint32_t first, uint32_t count);

static inline weft_xpbd weft_fill_terms(const weft_fill *f, uint32_t i) {
  return f->terms[i - f->first];
}
static inline float weft_fill_factor(const weft_fill *f, uint32_t i) {
  return f->factor[i - f->first];
}
/* theta, or 0 where nothing moves. */
float weft_fill_theta(const weft_fill *f, uint32_t i);

/* Coefficients of constraint i in the order of its kernel; a pair has the first two. */
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  vec4 weft_fill_##name(const weft_fill *f, uint32_t i);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT

/* The elements of all groups, and of one. taken: constraints that are solved elsewhere and do
 * not count; NULL: none. */
void weft_fill_groups(const weft_model *model, const weft_params *params, weft_contents *contents);
void weft_fill_group(const weft_model *model, const weft_params *params, uint32_t group,
                     const bool *taken, weft_contents *contents);
/* How many tail constraints of a group act on each particle. */
void weft_fill_valence(const weft_model *model, const weft_constraint_group *group,
                       const weft_split *split, const bool *taken, uint32_t *valence);

/* The Jacobi gather: the list of corrections that each particle adds up. */
/* A particle with more constraints or triangles than a shader may loop over is an error. */
weft_result weft_fill_gather(const weft_model *model, const weft_params *params,
                             weft_contents *contents, weft_error *err);
weft_result weft_fill_check_corners(const weft_model *model, weft_error *err);

#endif
