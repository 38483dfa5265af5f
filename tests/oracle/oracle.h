/* oracle.h: a second cloth solver, for tests to hold weft against.
 *
 * It is written from the papers, in doubles, with roots, divisions and angles, to be read rather
 * than to be fast; it includes nothing of weft but the public headers. weft/structure.h tells it
 * what there is: particles, constraints and their order, lengths, masses. What is done with them is
 * its own, one file a subject:
 *
 *   constraints.c   XPBD and PBD: distances, isometric bending, hinges; Gauss-Seidel and Jacobi
 *   lines.c         whole lines of distances as a tridiagonal system
 *   bends.c         bends along lines as a system of five diagonals
 *   attachments.c   long-range attachments
 *   hierarchy.c     coarser levels
 *   particles.c     contact and friction between particles
 *   colliders.c     planes, spheres, capsules, boxes: contact, sweep, friction
 *   air.c           wind and drag
 *   rigid.c         damping of all motion that is not rigid
 *   substep.c       prediction, pins, grab, velocities, and the loop
 *
 * Where weft leaves the textbook on purpose, deviations.h says so. */
#ifndef ORACLE_H
#define ORACLE_H

#include <weft/structure.h>

#include "vector.h"

/* How often each mechanism acted: an idle one proves nothing. */
#define ORACLE_COUNTS(ROW)                                                           \
  ROW(distances) /* corrections made, by kind */                                     \
  ROW(isometrics)                                                                    \
  ROW(hinges)                                                                        \
  ROW(jacobi)      /* of these, from the same positions as their batch */            \
  ROW(accumulated) /* with a compliance and a multiplier of an earlier iteration */  \
  ROW(damped)      /* with damping along their gradient */                           \
  ROW(clamped)     /* inequalities that would have acted against their sense */      \
  ROW(undone)      /* of these, those that took an earlier correction back */        \
  ROW(lines)       /* systems solved, of more than one edge */                       \
  ROW(line_sweeps) /* with multipliers of an earlier sweep */                        \
  ROW(bends)       /* lines bent back */                                             \
  ROW(twists)      /* hinges over diagonals beside them */                           \
  ROW(attachments) /* taut */                                                        \
  ROW(second_attachments)                                                            \
  ROW(coarse_edges)   /* stretched */                                                \
  ROW(overlaps)       /* of particles */                                             \
  ROW(neighbours_cut) /* particles with more neighbours than they can have */        \
  ROW(remembered)     /* overlaps of which friction remembers a slide */             \
  ROW(grains_stuck)   /* between particles: static friction */                       \
  ROW(grains_slid)    /* and kinetic */                                              \
  ROW(planes)         /* particles pushed out */                                     \
  ROW(spheres)                                                                       \
  ROW(capsules)                                                                      \
  ROW(boxes)                                                                         \
  ROW(box_faces)     /* from inside */                                               \
  ROW(swept_spheres) /* of these, met on their path */                               \
  ROW(swept_capsules)                                                                \
  ROW(swept_boxes)                                                                   \
  ROW(carried)      /* by a surface that moves */                                    \
  ROW(stuck)        /* to a collider: static friction */                             \
  ROW(slid)         /* and kinetic */                                                \
  ROW(blown)        /* triangles in the wind */                                      \
  ROW(drag_capped)  /* of these, where drag would have turned them back */           \
  ROW(rigid_bodies) /* global damping, by the number of axes the body turns about */ \
  ROW(rigid_lines)                                                                   \
  ROW(pins_moved)                                                                    \
  ROW(ridden) /* particles of attached pieces */                                     \
  ROW(held_softly)                                                                   \
  ROW(grabbed)                                                                       \
  ROW(grab_capped) /* cut to the limit of the force */

typedef struct oracle_counts {
#define ORACLE_COUNT(name) unsigned long name;
  ORACLE_COUNTS(ORACLE_COUNT)
#undef ORACLE_COUNT
} oracle_counts;

/* A neighbour of a particle, and how far the two have slid past each other since they touched. */
typedef struct oracle_contact {
  uint32_t other;
  vec slide;
} oracle_contact;

typedef struct oracle {
  const weft_structure *s;
  const weft_params *p;
  double dt;
  vec *x, *v;  /* [particles] the state */
  vec *before; /* [particles] where the substep began */
  oracle_counts counts;

  double *relaxation;   /* [order] part of a correction that is made */
  double **multipliers; /* [groups] [count], or [3*count] of isometric ones; 0 at the beginning */
  vec *corrections;     /* [particles] of a Jacobi batch */
  double *line_multipliers;  /* [edges of lines] */
  double *bend_stiffness;    /* [edges of lines] of the bend at the end of each, 0 for none; NULL */
  vec *means, *means_before; /* [nodes] */
  oracle_contact *near;      /* [16*particles] */
  uint32_t *near_count;      /* [particles] */
  oracle_contact *memory;    /* [16*particles] what friction remembers between substeps */
  uint32_t *memory_count;
  uint32_t *loads; /* [particles] overlaps of each */
} oracle;

/* Both must outlive it. */
oracle *oracle_create(const weft_structure *structure, const weft_params *params);
void oracle_destroy(oracle *o);
/* One substep of the frame; the state is in x and v. */
void oracle_substep(oracle *o, const weft_frame_input *frame, uint32_t substep);
/* Friction between particles forgets, as after weft_solver_write. */
void oracle_forget(oracle *o);

/* ---- its parts ---- */
static inline bool oracle_pinned(const oracle *o, uint32_t particle) {
  return o->s->inverse_masses[particle] == 0;
}
void *oracle_array(size_t count, size_t size); /* zeros */

/* Value and gradients of a hinge angle minus rest; false where it has no angle. */
bool oracle_hinge(const vec x[4], double rest, double *value, vec gradients[4]);
void oracle_begin_constraints(oracle *o); /* at creation */
void oracle_end_constraints(oracle *o);
void oracle_forget_multipliers(oracle *o); /* at the beginning of a substep */
void oracle_sweep(oracle *o);              /* one iteration */
void oracle_lines(oracle *o, const weft_collider_motion *motions);
void oracle_begin_bends(oracle *o);                               /* at creation */
void oracle_bend(oracle *o, uint32_t first_edge, uint32_t edges); /* one line */
/* What a hinge's compliance is multiplied with, 1 unless lines hold the rest. */
double oracle_twist(const oracle *o, const weft_structure_group *group, uint32_t constraint);
void oracle_attach(oracle *o);
void oracle_levels(oracle *o);
void oracle_find_neighbours(oracle *o);
void oracle_part_particles(oracle *o); /* one iteration of contact */
void oracle_remember_slides(oracle *o);
void oracle_collide(oracle *o, const weft_collider_motion *motions);
void oracle_blow(oracle *o, vec wind, double time);
void oracle_damp(oracle *o);

/* Coulomb: what friction takes back of a slide along a surface, `depth` the push out of it. */
typedef enum oracle_friction_state { ORACLE_REST, ORACLE_STUCK, ORACLE_SLID } oracle_friction_state;
oracle_friction_state oracle_friction(vec slide, double depth, double mu_s, double mu_k,
                                      vec *taken);

#endif
