/* deviations.h: where weft differs from the textbook on purpose; nowhere else does the oracle know
 * anything of weft's method that is not in a paper or in the public headers. Each with its reason.
 *
 * Some have no constant, only a passage in the code, which names this list:
 *
 *  - Inequalities clamp their multiplier, not the single correction, so that an iteration can take
 *    back what an earlier one overdid and the force never changes its sign (constraints.c).
 *  - Jacobi: each constraint moves omega/n of its correction, n the most Jacobi constraints of its
 *    batch at one of its particles that can move. Averaging particle by particle, as is usual,
 *    breaks momentum (constraints.c).
 *  - Coarse edges act only when stretched, and along the line between the two means before any
 *    correction of the substep, so that folds stay and angular momentum is kept (hierarchy.c).
 *  - Damping of velocities acts after gravity has (substep.c).
 *  - Contact between particles: corrections are relaxed by omega over the larger number of overlaps
 *    of the two; two in the same position part along x (particles.c).
 *  - A collider meets a particle in one plane: that of the nearest surface point, or where the
 *    particle's path enters if it is swept. In the very centre of a ball or axis there is no
 *    direction, and nothing happens. Of several colliders the later sees what the earlier left
 *    (colliders.c). */
#ifndef ORACLE_DEVIATIONS_H
#define ORACLE_DEVIATIONS_H

/* A direction is undefined below this part of the rest length (of a height: of the edge below it);
 * there a constraint rests, instead of dividing by next to nothing. 2^-20 and 2^-40. */
#define MIN_LENGTH_RATIO 9.5367431640625e-07
#define MIN_HEIGHT_RATIO 9.094947017729282e-13

/* The masses' part in the diagonal of a line's system is larger by 2^-18: a stiff line drawn
 * straight between two pins has a singular one. */
#define LINE_DIAGONAL (1 + 1.0 / 262144)

/* Attachments and coarse edges are this part longer, so that the rounding of floats pulls nothing
 * that hangs at exactly its length. */
#define LENGTH_ROUNDING 5e-7

/* Neighbours of a particle are looked for once a substep, within this many diameters, in cells of
 * that size around the origin; it takes the first so many by cell (z, then y, then x) and index,
 * because tables on a GPU have fixed sizes. */
#define NEIGHBOUR_REACH 1.1
#define MAX_NEIGHBOURS 16

/* A body counts as a line or a point where a moment of inertia is below this part of the sum of the
 * three: about that axis nothing turns. 2^-20. */
#define MIN_INERTIA_RATIO 9.5367431640625e-07

/* A path is swept when it is longer than this part of a collider's radius, or of a box's smallest
 * half size, thickness included: then the nearest surface at its end may be the far side. */
#define SWEEP_RATIO 0.5

/* The force of a grab stays this part below its limit, so that rounding cannot pass it. */
#define GRAB_MARGIN 1e-6

/* What the host hands over for each frame comes in floats on every backend, also on the one that
 * computes in doubles: sizes, directions and movements of colliders, strengths of a grab. The
 * oracle rounds the same quantities. */
static inline double as_float(double x) { return (double)(float)x; }

#endif
