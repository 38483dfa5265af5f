/* swing.h: theory beside a run: what beads on wires and pendulums would do, from Lagrange's
 * equations in double precision (analytic.h). A bead is a pendulum of one link. */
#ifndef WEFT_PHYSICS_SWING_H
#define WEFT_PHYSICS_SWING_H

#include <weft/solver.h>

typedef struct weft_swing weft_swing;

/* From a state on: `positions` and `velocities` are [particle_count], NULL for the rest pose and
 * for rest. Parameters are resolved ones; damping is left out. WEFT_ERROR_ARGUMENT, with the
 * reason, for a model that is not made of chains of hard links, each in a plane of constant z under
 * one pin and of at most WEFT_PENDULUM_MAX links, or for gravity that does not point straight
 * down. */
weft_result weft_swing_create(const weft_model *model, const weft_params *params,
                              const weft_vec3 *positions, const weft_vec3 *velocities,
                              weft_swing **swing, weft_error *err);
void weft_swing_destroy(weft_swing *swing); /* NULL is allowed */

void weft_swing_advance(weft_swing *swing, double seconds);
/* [particle_count], m. */
void weft_swing_positions(const weft_swing *swing, weft_vec3 *positions);
/* The largest distance of a particle from where theory has it, m. */
double weft_swing_distance(const weft_swing *swing, const weft_vec3 *positions);

#endif
