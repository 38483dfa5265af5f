/* measure.h: residuals of constraints, in double precision. Each type of constraint has a
 * function in measure_NAME.c (constraints.def). */
#ifndef WEFT_SOLVER_MEASURE_H
#define WEFT_SOLVER_MEASURE_H

#include "solver.h"
#include "vec3d.h"

/* C(x)^2 of constraint i, summed over the components of C. */
#define WEFT_CONSTRAINT(ID, name, ...) \
  double weft_measure_##name(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT

/* C of a distance constraint with its sign; 0 for an inequality that is satisfied. */
double weft_length_error(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x);

#endif
