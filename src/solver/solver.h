/* solver.h: the inside of a solver, for validate and for the backends' callers that draw.
 *
 * A frame is: begin (upload what the frame needs), substeps 0..n-1, end. weft_solver_step does just
 * that; validate does it by hand to look between substeps and between passes. */
#ifndef WEFT_SOLVER_INSIDE_H
#define WEFT_SOLVER_INSIDE_H

#include "backend.h"
#include "base.h"
#include "model.h"

typedef struct weft_pass_list {
  weft_pass *items;
  size_t count, capacity;
} weft_pass_list;

/* What weft_solver_grab holds. */
typedef struct weft_hand {
  uint32_t count; /* 0: nothing */
  uint32_t particles[WEFT_GRAB_ROWS];
  weft_vec3 offsets[WEFT_GRAB_ROWS]; /* from the first of them, when it was grabbed */
  weft_vec3 from, to;                /* the point, at both ends of the frame */
  float pull, brake, most;           /* see struct weft_grab */
} weft_hand;

struct weft_solver {
  const weft_model *model;
  const weft_backend *backend;
  void *instance;
  weft_params params;
  weft_collider *colliders; /* params.colliders points here; keys owned as well. Their offsets are
                               those at the end of the frame */
  weft_vec3 *offsets_from;  /* [colliders] at its beginning */
  weft_vec3 *offsets_home;  /* [colliders] after a reset */
  uint64_t buffer_counts[WEFT_BUFFER_COUNT];
  weft_pass_list passes; /* of one substep */
  bool whole;            /* the backend runs them all at once */
  uint64_t frame;
  double origin; /* s, the time at frame 0: not 0 when a state came from another frame time */
  weft_vec3 *pin_from, *pin_to; /* [pinned] */
  uint32_t *pin_particles;      /* [pinned] ascending */
  uint32_t pinned_count;
  bool pins_moving;          /* in this frame */
  vec4 *staging;             /* [particles] for reading and writing state */
  weft_substep *substeps;    /* [substeps] */
  weft_collider_pose *poses; /* [substeps*colliders] */
  weft_pin_path *pin_paths;  /* [pinned] */
  weft_hand hand;
  uint32_t *pieces; /* [particles] made by the first grab: which piece each belongs to */
};

/* Tables of a model under (resolved) parameters; both backends are made from them. */
weft_result weft_solver_tables(const weft_model *model, const weft_params *params,
                               weft_tables *tables, weft_error *err);
/* Those of a model that is not joined of parts. */
weft_result weft_part_tables(const weft_model *model, const weft_params *params,
                             weft_tables *tables, weft_error *err);
/* The passes of one substep, in order; of the tables only the steps of levels and the
 * dispatches of patches are looked at; NULL for none. */
void weft_solver_pass_list(const weft_model *model, const weft_params *params,
                           const weft_tables *tables, weft_pass_list *list);

/* Rows of a summation tree over so many items (at least 1), its root included. */
uint32_t weft_tree_rows(uint32_t items);
/* Long-range attachments: whether there are any, and their table. */
static inline bool weft_tethers_active(const weft_model *model, const weft_params *params) {
  return params->tethers > 0 && model->pinned_count > 0;
}
void weft_tethers_fill(const weft_model *model, const weft_params *params, weft_tables *tables);
/* Coarser levels; their steps also make the pass list. */
weft_result weft_levels_fill(const weft_model *model, const weft_params *params,
                             weft_tables *tables, weft_error *err);
/* The patch schedule: whether it is the one, and its tables, made of those of the constraints;
 * where its passes begin also makes the pass list. */
static inline bool weft_patches_active(const weft_params *params) {
  return params->schedule == WEFT_SCHEDULE_PATCHES;
}
void weft_patches_fill(const weft_model *model, const weft_params *params, weft_tables *tables);
/* Lines of stretch constraints, solved as a whole; takes these out of the sweep. */
weft_result weft_lines_fill(const weft_model *model, const weft_params *params, weft_tables *tables,
                            weft_error *err);
/* The slack of coarse edges when none is given: the strain of the cloth under its own weight. */
double weft_levels_own_slack(const weft_model *model, const weft_params *params);

/* The passes that look for the first particle on a ray; the last row of the last one has it. */
void weft_pick_passes(uint32_t particles, weft_pass_list *list);
/* Uploads what is held; how hard it is pulled, which changes with the substep. */
void weft_hand_upload(weft_solver *solver);
void weft_hand_strength(weft_solver *solver);

/* How each group is cut under a mode: colours [0, gs_colours) go Gauss-Seidel, constraints from
 * tail_first on go Jacobi. */
typedef struct weft_split {
  uint32_t gs_colours;
  uint32_t tail_first, tail_count;
} weft_split;
weft_split weft_group_split(const weft_model *model, uint32_t group, const weft_params *params);

/* Whether a group's projections keep multipliers. */
bool weft_group_needs_lambda(const weft_constraint_group *g, const weft_params *params);

/* The pass that projects constraints of a type, and where a group begins in that type's buffer. */
weft_pass_kind weft_project_pass(weft_constraint_type type);
uint32_t weft_group_base(const weft_model *model, uint32_t group);

/* The buffers of contact between particles; none when there is none. */
weft_result weft_contact_fill(const weft_model *model, const weft_params *params,
                              weft_tables *tables, weft_error *err);

/* Whether particles keep each other away at all. */
bool weft_contact_active(const weft_model *model, const weft_params *params);

/* Ends the list of every particle before its first entry. */
static inline void weft_contact_forget(weft_neighbour *kept, uint64_t particles) {
  for (uint64_t k = 0; k < particles; ++k) kept[k * WEFT_CONTACT_SLOTS].other = WEFT_CONTACT_NONE;
}

/* The same for a solver, if it has contact. */
void weft_solver_forget_contacts(weft_solver *solver);

/* The grid's table: buckets (a power of two, at least two for each particle), and above them the
 * levels of the tree that adds them up, each entry the sum of a block of the level below. Every
 * level is filled up to whole blocks. */
enum { WEFT_GRID_MAX_LEVELS = 8 };
typedef struct weft_grid_plan {
  uint64_t buckets, entries; /* entries: of all levels together */
  uint32_t levels;
  uint64_t first[WEFT_GRID_MAX_LEVELS];  /* entry */
  uint64_t blocks[WEFT_GRID_MAX_LEVELS]; /* of this level */
} weft_grid_plan;
weft_grid_plan weft_grid_plan_for(uint32_t particles);

/* As weft_solver_create, with guard words around every buffer. */
weft_result weft_solver_create_guarded(const weft_model *model, const weft_params *params,
                                       const weft_backend *backend, uint32_t guard,
                                       weft_solver **solver, weft_error *err);

void weft_solver_begin_frame(weft_solver *solver);
void weft_solver_run_substeps(weft_solver *solver, uint32_t first, uint32_t count);
void weft_solver_run_substep(weft_solver *solver, uint32_t substep);
/* The first so many passes of a substep, as the solver runs them. */
void weft_solver_run_passes(weft_solver *solver, size_t passes, uint32_t substep);
/* True when the pass does something in this frame (pins may stand still). */
bool weft_solver_pass_active(const weft_solver *solver, const weft_pass *pass);
void weft_solver_end_frame(weft_solver *solver);

/* Multipliers of all distance constraints as the last substep left them, in the order of
 * WEFT_BUFFER_DISTANCE; with patches only where params.keep_multipliers is set. */
float *weft_solver_read_multipliers(weft_solver *solver);
void weft_solver_write_multipliers(weft_solver *solver, const float *lambda);

/* Raw rows of a buffer, for comparing. */
void weft_solver_read_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first, uint64_t count,
                             void *data);
void weft_solver_write_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first,
                              uint64_t count, const void *data);
uint64_t weft_solver_buffer_count(const weft_solver *solver, weft_buffer_id id);

/* A collider in a substep that lasts from `before` to `now`, seconds, while its offset goes on from
 * one part of the way between `from` and c->offset to another. */
typedef struct weft_collider_step {
  double before, now;
  weft_vec3 from;
  double part_before, part_now;
} weft_collider_step;
uint32_t weft_shape_id(weft_collider_shape shape); /* WEFT_SHAPE_ */
weft_collider_pose weft_collider_pose_between(const weft_collider *collider,
                                              const weft_collider_step *step, float thickness);
/* The same with the offset at rest. */
weft_collider_pose weft_collider_pose_at(const weft_collider *collider, double before, double now,
                                         float thickness);
/* Offsets stay where they have come to. */
void weft_solver_settle_colliders(weft_solver *solver);

/* The largest side of the box around the cloth at rest, m. */
double weft_model_extent(const weft_model *model);

/* Strain alone, of positions on the host: the fields strain_ of the metrics. */
void weft_measure_strain(const weft_model *model, const weft_vec3 *positions,
                         weft_metrics *metrics);
/* Metrics of a state on the host. */
void weft_measure(const weft_model *model, const weft_params *params, const weft_vec3 *positions,
                  const weft_vec3 *velocities, weft_metrics *metrics);

#endif
