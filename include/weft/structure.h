/* weft/structure.h: what a solver works on, as plain data, so that another solver can work
 * on the same: to check one against the other, to teach, to export.
 *
 * Data only. Nothing here is divided, multiplied or summed for a time step: compliances are in m/N
 * and not in denominators, lengths come without slack, poses as positions and rotations. What the
 * method makes of it is in weft/solver.h and in the papers named there; a second solver that was
 * written from them alone is in tests/oracle of the source.
 *
 * Values are the floats of model and parameters, widened to double, unless a field says that it is
 * worked out in double. Arrays belong to the struct that holds them and are freed with it. */
#ifndef WEFT_STRUCTURE_H
#define WEFT_STRUCTURE_H

#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a constraint measures, and the order of its particles x0 .. x3: the rows of
 * weft/constraints.def, which say it. */
typedef enum weft_constraint_kind {
#define WEFT_CONSTRAINT(ID, ...) WEFT_KIND_##ID,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
} weft_constraint_kind;

/* What a group of constraints is there for. */
typedef enum weft_constraint_role {
  WEFT_RESISTS_STRETCH = 0,
  WEFT_RESISTS_SHEAR,
  WEFT_RESISTS_BENDING, /* PBD projects these with pbd_bending, all others with pbd_stretch */
} weft_constraint_role;

/* Constraints of one kind. */
typedef struct weft_structure_group {
  const char *name; /* of weft_group_info; belongs to the model */
  weft_constraint_kind kind;
  weft_constraint_role role;
  weft_sense sense; /* when they act; WEFT_SENSE_EQUAL unless they are distances */
  uint32_t arity;   /* particles of each: 2 to 4 */
  uint32_t count;
  uint32_t *particles; /* [arity*count] */
  double *rest;        /* [count] m or rad; NULL for WEFT_KIND_ISOMETRIC */
  double *weights;     /* [4*count] K of WEFT_KIND_ISOMETRIC, whose sum is 0; else NULL */
  double *compliance;  /* [count] alpha of XPBD: m/N, of angles rad/(N m); 0: hard */
  double *damping; /* [count] beta of XPBD eq. 26 (Macklin et al. 2016): N s/m, of angles N m s */
} weft_structure_group;

/* Constraints of one group that are projected together. */
typedef struct weft_structure_batch {
  uint32_t group;        /* in groups */
  uint32_t first, count; /* in order */
  bool jacobi; /* true: all from the same positions, and their corrections are added up. false: one
                  after the other; no two of the batch share a particle */
} weft_structure_batch;

/* A coarser copy of the cloth. Nodes and edges of all levels are numbered through. */
typedef struct weft_structure_level {
  uint32_t node_first, node_count;
  uint32_t edge_first, edge_count; /* in the order in which they are projected */
  uint32_t colour_count;
  uint32_t *colour_first; /* [colour_count+1] from edge_first: no two edges of a colour share a node
                             that can move */
} weft_structure_level;

/* What a solver is made of; nothing in it changes from frame to frame. */
typedef struct weft_structure {
  /* ---- particles ---- */
  uint32_t particle_count;
  double *inverse_masses; /* [particle_count] 1/kg, 0: pinned or attached */
  double contact_radius;  /* m: particles keep two of these apart; 0: no contact between them */
  uint32_t triangle_count;
  uint32_t *triangles; /* [3*triangle_count], for the air */

  /* ---- attached particles: at the end of a substep each is put where its triangle has it, and
   * goes as fast as its foot ---- */
  uint32_t rider_count;
  uint32_t *riders;        /* [rider_count] particles */
  uint32_t *rider_corners; /* [3*rider_count] of the triangles */
  double
      *rider_weights; /* [3*rider_count] of the corners in the foot, sum 1; worked out in double */
  double *rider_offsets; /* [3*rider_count] m from the foot: along the first edge, square to it in
                            the triangle, along the normal; worked out in double */

  /* ---- constraints: one iteration projects batch after batch ---- */
  uint32_t group_count;
  weft_structure_group *groups; /* [group_count] */
  uint32_t batch_count;
  weft_structure_batch *batches; /* [batch_count] in order. Colours of a group, the Jacobi tail of
                                    the mode behind them; with WEFT_SCHEDULE_PATCHES patch after
                                    patch */
  uint32_t order_count;
  uint32_t *order; /* [order_count] constraints, each counted within its group; those on lines are
                      not among them */

  /* ---- the line solver: after the last iteration, line_sweeps times ---- */
  uint32_t line_count; /* 0: no lines */
  uint32_t line_colour_count;
  uint32_t
      *line_colour_first;     /* [line_colour_count+1] lines: no two of a colour share a particle */
  uint32_t *line_offsets;     /* [line_count+1] edges of each line */
  uint32_t *line_particles;   /* [2*edges] an edge goes from the first to the second, where the next
                                 edge of its line begins */
  uint32_t *line_groups;      /* [edges] the constraint that each edge is: its group */
  uint32_t *line_constraints; /* [edges] and its index there */
  bool lines_bend; /* Lines hold bending along them, too: in the first sweep each line of a grid
                      before its edges. A bend is the second difference C of three particles of a
                      line at distances h, with energy B (width) C^2/(2 h^3), width the cloth's half
                      cells on both sides. Hinges over edges of lines are then not in `order`, and
                      the others, over diagonals, have s^2/2 times their compliance, s their first
                      weight: the twist of a plate */

  /* ---- long-range attachments: after the lines ---- */
  uint32_t *anchors; /* [4*particle_count] pinned particles, nearest first, WEFT_NO_PARTICLE past
                        the last; NULL: no attachments */
  double *attachment_lengths; /* [4*particle_count] m along the cloth at rest, worked out in double;
                                 without lra_slack. NULL with anchors */

  /* ---- levels: before the constraints, once a substep. Means are gathered from the finest level
   * to the coarsest; then, from the coarsest to the finest, edges are projected multilevel_sweeps
   * times and the next finer level, in the end the particles, follows ---- */
  uint32_t level_count;
  weft_structure_level *levels; /* [level_count] finest first */
  uint32_t node_count;
  double *node_inverse_masses; /* [node_count] 1/kg, 0 for fixed nodes; worked out in double */
  uint32_t *child_offsets;     /* [node_count+1] */
  uint32_t *children;          /* rows in the mean of each node. Row i below particle_count is
                                  particle i, row particle_count + k is node k */
  double *child_shares;        /* of each child, sum 1 for a node; worked out in double */
  uint32_t *parents; /* [4*(particle_count+node_count)] nodes that a row follows, WEFT_NO_PARTICLE
                        past the last */
  double *parent_weights; /* the same shape; worked out in double */
  uint32_t *level_edges;  /* [2*edges] nodes */
  double *level_lengths; /* [edges] m: how far apart the two can be on unstretched cloth, worked out
                            in double; without multilevel_slack */
  double multilevel_slack; /* edges are longer by this part: multilevel_slack of the parameters, or
                         its default for this cloth */
} weft_structure;

/* Fills `structure` from a solver on any backend; free it with weft_structure_free. What the
 * parameters say beside it is in weft_solver_params. WEFT_ERROR_ARGUMENT for a joined model: its
 * parts move independently, so ask a solver of each part. */
WEFT_API weft_result weft_solver_structure(const weft_solver *solver, weft_structure *structure,
                                           weft_error *err);
WEFT_API void weft_structure_free(weft_structure *structure); /* leaves it empty; NULL is allowed */

/* A collider at both ends of a substep, [0] at its beginning and [1] at its end. Shape, sizes and
 * friction are those of the collider in the parameters. Between, points run straight. */
typedef struct weft_collider_motion {
  double a[2][3],
      b[2][3];           /* m: what a and b of weft_collider mean for its shape, offset included */
  double rotation[2][3]; /* rad: axis times angle, worked out in double */
} weft_collider_motion;

typedef struct weft_substep_input {
  double wind[3];  /* m/s, gusts included */
  double air_time; /* s: the air acts at the beginning of this substep, on velocities, for so long;
                      0 where it has already acted for this one too */
  double fraction; /* of their path through the frame that pins and the grab have covered at the end
                      of this substep: above 0, 1 in the last one */
} weft_substep_input;

/* What a frame gets from outside. */
typedef struct weft_frame_input {
  uint32_t substep_count;
  weft_substep_input *substeps; /* [substep_count] */
  uint32_t collider_count;
  weft_collider_motion *colliders; /* [substep_count*collider_count] substep by substep */
  uint32_t pin_count;              /* pinned particles on a path; 0: all stand still */
  uint32_t *pins;                  /* [pin_count] particles */
  double *pin_from, *pin_to;       /* [3*pin_count] m at the beginning and end of the frame */
  uint32_t grab_count;             /* particles held; 0: nothing */
  uint32_t *grabbed;               /* [grab_count] particles */
  double *grab_from, *grab_to; /* [3*grab_count] m: where each is pulled to, at the beginning and
                                  end of the frame */
  double grab_stiffness;       /* N/m; the defaults of the parameters are worked out in double */
  double grab_damping;         /* N s/m */
  double grab_limit;           /* N */
  uint32_t soft_count;         /* soft pins; 0: none */
  uint32_t *soft;              /* [soft_count] particles */
  double *soft_from, *soft_to; /* [3*soft_count] m: their places at the beginning and end */
  double *soft_stiffness, *soft_damping; /* [soft_count] N/m, N s/m */
} weft_frame_input;

/* What the next weft_solver_step will get: to be asked right before it, after pins, grab and
 * colliders have been moved. Changes nothing. Free with weft_frame_input_free. A solver of NULL
 * leaves it empty. */
WEFT_API void weft_solver_frame_input(weft_solver *solver, weft_frame_input *input);
WEFT_API void weft_frame_input_free(weft_frame_input *input); /* leaves it empty; NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
