/* fill.h: how the elements of constraints get their numbers. A type of constraint has a function of
 * its own in fill_NAME.c (constraints.def); what they share is here. Compiled twice, see
 * src/core/solver_f64/double.h. */
#ifndef WEFT_SOLVER_FILL_H
#define WEFT_SOLVER_FILL_H

#include "solver.h"

/* The constraints of a group, and what is the same for all of them. */
typedef struct weft_fill {
  const weft_model *model;
  const weft_constraint_group *group;
  weft_split split;
  const uint32_t *valence; /* [particles] constraints of the Jacobi tail at each */
  double dt;
  double omega; /* relaxation of the Jacobi tail */
  double part;  /* of the error that one projection closes: k' of PBD, 1 for XPBD */
  bool rigid;   /* PBD knows no compliance */
} weft_fill;

/* sum of w K^2 over the particles of constraint i; 0 when nothing can move. */
double weft_fill_weight(const weft_fill *f, uint32_t i);

/* theta: the part of its multiplier's change that constraint i makes. */
double weft_fill_theta(const weft_fill *f, uint32_t i);

/* Past 1e25 alpha~ could leave the range of float in a product, and no float would feel the
 * constraint: it is switched off. */
bool weft_fill_too_soft(const weft_fill *f, uint32_t i);

/* theta/((1 + gamma) weight + alpha~), or 0 where nothing moves. */
float weft_fill_factor(const weft_fill *f, uint32_t i, weft_xpbd terms);

/* The numbers of constraint i as its kernel takes them, of which a pair keeps the first two. terms:
 * its alpha~ and gamma. */
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  vec4 weft_fill_##name(const weft_fill *f, uint32_t i, weft_xpbd own);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT

/* The elements of all groups, and of one. taken: which of its constraints are solved elsewhere and
 * do not count; NULL: none. */
void weft_fill_groups(const weft_model *model, const weft_params *params, weft_contents *contents);
void weft_fill_group(const weft_model *model, const weft_params *params, uint32_t group,
                     const bool *taken, weft_contents *contents);
/* How many tail constraints of a group act on each particle. */
void weft_fill_valence(const weft_model *model, const weft_constraint_group *group,
                       const weft_split *split, const bool *taken, uint32_t *valence);

/* The Jacobi gather: which corrections each particle adds up. */
/* A particle with more constraints or triangles than a shader may loop over is an error. */
weft_result weft_fill_gather(const weft_model *model, const weft_params *params,
                             weft_contents *contents, weft_error *err);
weft_result weft_fill_check_corners(const weft_model *model, weft_error *err);

#endif
