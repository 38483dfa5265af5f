/* gradients.h: the correction of every kind of constraint against the derivative of an energy
 * written down independently, and against what no correction may depend on.
 *
 * A projection moves particle i by -w_i grad_i C dlambda. From the moves, for particles of unequal
 * mass in random poses, the gradients are recovered and compared with fourth-order central
 * differences of C(x), a function written without a look at the solver. A gradient right in all
 * directions must add up to no force and no torque; that is measured as well.
 */
#ifndef WEFT_PHYSICS_GRADIENTS_H
#define WEFT_PHYSICS_GRADIENTS_H

#include <weft/solver.h>

enum { WEFT_GRADIENT_POSES = 200 }; /* of each kind */

/* The largest errors over all poses and variants of the pass, relative to the largest gradient at a
 * particle. */
typedef struct weft_gradient_error {
  const char *name; /* "dihedral, nearly folded" */
  uint32_t moves;   /* poses times variants that were measured */
  double gradient;
  double force;  /* sum of gradients; 0 for contact with a shape, which pushes back */
  double torque; /* sum of x cross gradient, over the size of the stencil */
} weft_gradient_error;

uint32_t weft_physics_gradient_count(void); /* kinds of constraint */
const char *weft_physics_gradient_name(uint32_t index);

/* errors is [weft_physics_gradient_count()]. What a gradient is worth is seen in double precision;
 * the others show that they do the same, to float rounding. */
weft_result weft_physics_gradient_errors(const weft_backend *backend, uint64_t seed,
                                         weft_gradient_error *errors, weft_error *err);

/* The same poses turned and moved by up to a metre each way: how far the corrections, turned back,
 * differ at most, in metres (stencils are about 1 m large). */
weft_result weft_physics_turned_error(const weft_backend *backend, uint64_t seed, uint32_t index,
                                      double *metres, weft_error *err);

#endif
