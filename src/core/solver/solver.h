/* solver.h: the inside of a solver. Other rooms include inspect.h. */
#ifndef WEFT_SOLVER_INSIDE_H
#define WEFT_SOLVER_INSIDE_H

#include "backend.h"
#include "bodies.h"
#include "inspect.h"
#include "model.h"
#include "origin.h"
#include "shape_bodies.h"
#include "shells.h"
#include "soft_pins.h"
#include "vec3d.h"

struct weft_solver {
  weft_owned owned;
  const weft_model *model;
  const weft_backend *backend;
  void *instance;                /* the backend's own */
  uint32_t guard;                /* bytes of guard words around its buffers */
  weft_model *own_model;         /* `model` where the solver made it for other pins; else NULL */
  weft_uniforms uniforms;        /* what the backend has, if it has floats */
  weft_params params;            /* resolved */
  weft_collider *colliders;      /* [colliders] params.colliders points here; their keys are the
                                    solver's own copies; as they are at the end of the frame */
  weft_collider *colliders_from; /* [colliders] as they are at the beginning of the frame */
  weft_collider *colliders_home; /* [colliders] as they are after a reset */
  uint64_t buffer_counts[WEFT_BUFFER_COUNT]; /* elements */
  weft_pass_list passes;                     /* of one substep */
  bool single;                               /* the backend runs them all at once */
  uint64_t frame;                            /* frames done */
  uint64_t frames_checked;                   /* the driver was last asked for errors after so
                                                many frames */
  double began;      /* s: time at frame 0; not 0 after a state with another frame time was
                        copied */
  weft_vec3d origin; /* m: origin of positions in buffers */
  weft_pass_list bound_passes;      /* the box around the cloth */
  weft_vec3d *pin_from, *pin_to;    /* [pinned] */
  uint32_t *pin_particles;          /* [pinned] ascending */
  uint32_t pinned_count, pins_room; /* that there are, and that there is room for */
  uint32_t with_terms; /* groups of constraints whose terms are in the tables, a bit each */
  bool pins_moving;    /* in this frame */
  weft_given pins_given;
  vec4 *staging;          /* [particles, with those of bodies] for reading and writing state */
  weft_substep *substeps; /* [substeps_room] */
  uint32_t substeps_room;
  weft_collider_pose *poses;   /* [substeps*colliders], then [colliders] at the beginning of the
                                  frame */
  weft_pin_path *pin_paths;    /* [pinned] */
  weft_body *bodies;           /* [bodies] params.bodies points here */
  weft_mesh *body_meshes;      /* [bodies] */
  weft_body_state *body_state; /* [bodies] */
  weft_shells **body_shells;   /* [bodies] their closed shells; made when first asked for */
  weft_body_way *body_ways;    /* [body_particles] */
  weft_body_path *body_paths;  /* [body_particles] the same for a frame, relative to the origin */
  uint32_t body_particles;
  weft_shape_bodies shapes;
  weft_vec3 *start;      /* [particles] or NULL: params.start points here */
  float self_floor;      /* m: epsilon of its tables of self-collision */
  uint32_t self_tangled; /* cloth triangles that intersect something in the first state */
  uint32_t still_count;  /* the report of weft_solver_standstill on the last frame */
  bool still_all;
  uint64_t still_since;
  weft_grab_state grab;
  weft_softs soft;
  weft_soft_pin *soft_elements; /* [params.soft_pins] */
  double free_mass;             /* kg, of all that is not pinned */
  struct weft_budget *budget;   /* NULL: none */
  weft_contents tables;         /* of what the list of passes is made of, the data */
  struct weft_refill *refill;   /* NULL: nothing has been filled anew yet */
  bool tables_held;             /* weft_solver_hold_tables */
  uint32_t *pieces;             /* [particles] connected piece of each; made by the first grab */
};

/* Start positions: elements have x, y and z, in either precision. */
#define WEFT_START(model, params) ((params)->start ? (params)->start : (model)->rest_positions)

/* Cloth triangles that intersect something in the first state. */
uint32_t weft_self_tangled(const weft_contents *contents);

/* Contents for a model with resolved parameters; all backends are made from them. */
weft_result weft_solver_contents(const weft_model *model, const weft_params *params,
                                 weft_contents *contents, weft_error *err);
/* Contents of a model that is not joined. */
weft_result weft_part_contents(const weft_model *model, const weft_params *params,
                               weft_vec3d origin, weft_contents *contents, weft_error *err);

/* What holds for a whole frame; and what of it follows from masses, and from parameters that act
 * without other tables. */
void weft_uniforms_fill(const weft_model *model, const weft_params *params,
                        weft_contents *contents);
void weft_uniforms_take_mass(const weft_model *model, void *uniforms);
void weft_uniforms_change(const weft_params *params, void *uniforms);

/* The table of poses: those of a frame, and of its beginning. */
void weft_colliders_fill(const weft_params *params, weft_contents *contents);

/* Elements of a summation tree over so many items (at least 1), root included. */
uint32_t weft_tree_elements(uint32_t items);
/* Long-range attachments: whether there are any, and their table. */
static inline bool weft_lra_active(const weft_model *model, const weft_params *params) {
  return params->lra > 0 && model->pinned_count > 0;
}
void weft_lra_fill(const weft_model *model, const weft_params *params, weft_contents *contents);
/* Coarser levels; their steps also make the pass list. */
weft_result weft_levels_fill(const weft_model *model, const weft_params *params,
                             weft_contents *contents, weft_error *err);
/* The patch schedule: whether it is used, and its contents, made of those of the constraints;
 * the first patch of each dispatch, for the pass list. */
static inline bool weft_patches_active(const weft_params *params) {
  return params->schedule == WEFT_SCHEDULE_PATCHES;
}
void weft_patches_fill(const weft_model *model, const weft_params *params, weft_contents *contents);
/* Lines of stretch constraints, solved as a whole; removes these from the sweep. */
/* One sweep preserves the bending of hinges whose alpha~ is at least so many times sum w K^2, up
 * to about 2 %. On squares of side h that is dt sqrt(B/rho) pi^2/h^2 = 1. */
enum { WEFT_HINGES_KEEP = 25 };

typedef struct weft_lines weft_lines;
/* For contents with lines: bends along them, if they are those of a grid. */
void weft_bends_fill(const weft_model *model, const weft_params *params, const weft_lines *lines,
                     weft_contents *contents);
weft_result weft_lines_fill(const weft_model *model, const weft_params *params,
                            weft_contents *contents, weft_error *err);
/* The same where the lines are there already. */
void weft_lines_fill_with(const weft_model *model, const weft_params *params,
                          const weft_lines *lines, weft_contents *contents);
/* The default slack of coarse edges: strain of the cloth under its own weight. */
double weft_levels_own_slack(const weft_model *model, const weft_params *params);

/* Appends a pass to a list; all other fields are 0. */
weft_pass *weft_pass_add(weft_pass_list *list, weft_pass_kind kind, uint32_t first, uint32_t count);
/* Passes of self-collision: before the projections; repulsion after them; the contact cache
 * after all corrections; detection and truncation; and after the velocity update the truncated
 * displacements. */
void weft_add_self_update_normals(weft_pass_list *list, const weft_params *params,
                                  const weft_contents *contents);
void weft_add_self_repel(weft_pass_list *list, const weft_params *params,
                         const weft_contents *contents);
void weft_add_self_truncate(weft_pass_list *list, const weft_params *params,
                            const weft_contents *contents);
void weft_add_self_cache_store(weft_pass_list *list, const weft_params *params,
                               const weft_contents *contents);
/* The passes that find the box around all particles, which is the last element of the last one. */
void weft_bound_passes(uint32_t particles, weft_pass_list *list);
/* The passes that find the first particle on a ray, which is the last element of the last one. */
void weft_pick_passes(uint32_t particles, weft_pass_list *list);
/* Spring, damping and force limit of a grab, and the mass it holds. */
typedef struct weft_grab_force {
  double stiffness, damping, limit; /* N/m, N s/m, N */
  double held;                      /* kg */
} weft_grab_force;
weft_grab_force weft_grab_force_of(weft_solver *solver);
/* An element of WEFT_BUFFER_GRAB. */
weft_grab weft_grab_element(const weft_solver *solver, uint32_t k);
/* Uploads what is held; and the spring, which depends on the substep. */
void weft_grab_upload(weft_solver *solver);
void weft_grab_strength(weft_solver *solver);

/* Whether a group's projections keep multipliers. */
bool weft_group_needs_lambda(const weft_constraint_group *g, const weft_params *params);
/* Whether its terms are filled: passes without multipliers read none, and memory that nobody writes
 * is none. */
bool weft_group_has_terms(const weft_constraint_group *g, const weft_params *params);

/* The buffers of contact between particles; empty without contact. */
weft_result weft_contact_fill(const weft_model *model, const weft_params *params,
                              weft_contents *contents, weft_error *err);

/* The tree and the lists of self-collision; empty without it. */
/* The tree over so many patches: its buffers, the list of pairs of patches, and their uniforms. */
void weft_self_size_tree(weft_contents *contents, uint32_t patches, uint32_t self_room);
weft_result weft_self_fill(const weft_model *model, const weft_params *params, weft_vec3d origin,
                           weft_contents *contents, weft_error *err);
/* Of these what depends on the thickness, but for patches. */
weft_result weft_self_fill_distances(const weft_model *model, const weft_params *params,
                                     weft_vec3d origin, weft_contents *contents, weft_error *err);
/* Pairs are listed up to so many times the repulsion distance. */
double weft_self_beyond(const weft_params *params);

/* m: epsilon where cloth, bodies and colliders are. */
double weft_self_least(const weft_model *model, const weft_params *params, weft_vec3d origin);
/* Ends every particle's list of neighbours, if there is contact; empties the contact cache, and
 * forgets rejected steps. */
void weft_solver_forget_contacts(weft_solver *solver);
/* Rejected contact steps in a row, of a part of a joined model. */
void weft_solver_forget_rejected(weft_solver *solver, uint32_t part);
/* Warns of lists of self-collision that overflowed in so many substeps, and says what helps. */
void weft_tell_room(const weft_solver *solver, uint32_t substeps);
/* Initial capacity of a solver's lists, pairs a particle: what is asked for, or what every
 * driver binds whole. */
uint32_t weft_self_room_at_first(const weft_model *model, const weft_params *params);
/* Sets the capacities of lists. WEFT_ERROR_LIMIT if there is no memory for it. */
weft_result weft_solver_give_room(weft_solver *solver, uint32_t self_room, weft_error *err);
/* Passes over lists get as many elements as these capacities. */
void weft_self_lengthen_passes(weft_pass_list *list, const uint64_t counts[WEFT_BUFFER_COUNT]);
/* Clears a buffer of low parts: positions that are written have none. */
void weft_solver_clear_elements(weft_solver *solver, weft_buffer_id id);

/* What of one solver goes on in another: which of its bodies and colliders each of the other's is.
 */
#define WEFT_NEW UINT32_MAX /* in place of an index: none of them */
struct weft_heritage {
  uint32_t bodies[WEFT_MAX_BODIES]; /* of as many vertices */
  uint32_t colliders[WEFT_MAX_COLLIDERS];
  bool places; /* colliders come from where those are, else their offsets alone come along */
};
weft_heritage weft_heritage_of_none(void);
/* weft_solver_copy_state_from, for solvers of as many particles. */
weft_result weft_solver_inherit(weft_solver *to, weft_solver *from, const weft_heritage *of,
                                weft_error *err);

/* The solver goes on with the tables of `other`, which inherits its state; and that has its own
 * from then on. For solvers that differ in parameters that bodies and colliders do not depend on.
 */
weft_result weft_solver_exchange(weft_solver *solver, weft_solver *other, const weft_heritage *of,
                                 weft_error *err);
/* All that goes on as it is. */
weft_heritage weft_heritage_of(const weft_solver *solver);
/* The same solver with so many substeps. */
weft_result weft_solver_with_substeps(weft_solver *solver, uint32_t substeps, weft_solver **made,
                                      weft_error *err);
/* What follows from parameters that act at once. */
void weft_solver_write_uniforms(weft_solver *solver);

/* A budget of time: budget.c. */
enum { WEFT_BUDGET_LEVELS = 5 };
struct weft_budget {
  double seconds;
  uint32_t asked; /* substeps of the parameters */
  uint32_t level;
  weft_solver *by[WEFT_BUDGET_LEVELS]; /* those that stand by; NULL: not made yet, and the one that
                                          runs */
  bool outdated;                       /* what stands by does not fit any longer */
  uint32_t recent;                     /* the last frames: a bit for each that was late */
  double easy; /* s: for so long frames of more substeps would have been in time */
  uint32_t late;
};
static inline void weft_budget_outdate(weft_solver *solver) {
  if (solver->budget) solver->budget->outdated = true;
}
/* Substeps that are asked for. */
static inline uint32_t weft_budget_asked(const weft_solver *solver) {
  return solver->budget ? solver->budget->asked : solver->params.substeps;
}
void weft_budget_free(weft_solver *solver);
/* After a frame; its seconds, 0: not known. */
weft_result weft_budget_see(weft_solver *solver, double seconds, weft_error *err);

/* For public functions that only look: at a solver that is not lost, with all that was issued done,
 * so that nothing of its own is made or changed on the way. */
#define WEFT_GUARD_READ(solver, err)                                \
  const weft_result weft_settled = weft_solver_settle(solver, err); \
  if (weft_settled != WEFT_OK) return weft_settled;                 \
  WEFT_GUARD(err)
weft_result weft_solver_settle(weft_solver *solver, weft_error *err);

/* Chooses what keeps cloth from stretching where the parameters leave it open; they are plain then.
 */
weft_result weft_params_choose(const weft_model *model, weft_params *params, weft_error *err);

/* As weft_solver_create, with the parameters as they are, and guard words around every buffer. */
weft_result weft_solver_create_guarded(const weft_model *model, const weft_params *params,
                                       const weft_backend *backend, uint32_t guard,
                                       weft_solver **solver, weft_error *err);

/* Multipliers of all distance constraints after the last substep, in the order of
 * WEFT_BUFFER_DISTANCE; with patches only if params.keep_multipliers is set. */
float *weft_solver_read_multipliers(weft_solver *solver);
void weft_solver_write_multipliers(weft_solver *solver, const float *lambda);

/* After a frame that is counted already: finds what stood still in it. Reads one word of each
 * instance, unless displacements were truncated to 0. */
void weft_solver_see_still(weft_solver *solver);
void weft_solver_forget_still(weft_solver *solver);

/* An error of the frames since the last call. Called before a read, so that it is not taken for
 * an error of the read. */
weft_result weft_solver_check_frames(weft_solver *solver, weft_error *err);
/* Of vectors that are given: finite, and no component beyond 1e6 of its unit, so that squares and
 * sums stay finite. `particles`: NULL for all. */
weft_result weft_check_given(const char *what, const char *unit, const weft_vectors *v,
                             const uint32_t *particles, uint32_t count, weft_error *err);
/* For a state that was read: the k-th number, of particle k / 3, is infinite or NaN. */
weft_result weft_solver_fail_not_finite(const weft_solver *solver, const char *what, size_t k,
                                        weft_error *err);

/* A collider in a substep that lasts from `before` to `now`, seconds. Meanwhile it goes, beside its
 * keys, from one fraction to another between what it is at the beginning of the frame, `from`, and
 * what it is at its end. NULL: it stays as it is. */
typedef struct weft_collider_step {
  double before, now;
  const weft_collider *from;
  double part_before, part_now;
  weft_vec3d origin;         /* m: origin of the pose */
  const weft_collider *home; /* from whose axis those of a capsule turn; NULL: its own */
} weft_collider_step;
/* A collider at a time, relative to the origin. Rotations stay double: after a hundred turns a
 * float of radians is off by a thousandth of the turn in a substep. */
typedef struct weft_placement {
  weft_vec3 a, b;
  weft_vec3d rotation;
} weft_placement;
void weft_collider_places(const weft_collider *collider, const weft_collider_step *step,
                          weft_placement *before, weft_placement *now);
/* The wind at a time, s. Steps of the air in a frame (air.c); when its passes run; how long the
 * air acts from the beginning of a substep on, 0 in the middle of a step. */
weft_vec3 weft_wind_at(const weft_params *params, double time);
uint32_t weft_air_steps(const weft_params *params);
void weft_air_time(weft_pass *pass, const weft_params *params);
float weft_air_dt(const weft_params *params, uint32_t substep);
/* The substeps of the next frame: what changes in each, and how long colliders move in it. */
weft_substep weft_solver_substep(const weft_solver *solver, uint32_t substep);
weft_collider_step weft_solver_collider_step(const weft_solver *solver, uint32_t collider,
                                             uint32_t substep);
weft_collider_pose weft_collider_pose_between(const weft_collider *collider,
                                              const weft_collider_step *step, float thickness);
/* Why a collider is invalid, as a sentence; substep: s, in which it may make a quarter turn. */
weft_result weft_collider_check(const weft_collider *collider, uint32_t index, float substep,
                                weft_error *err);
/* One that stands where its keys have it at a time. */
weft_collider weft_collider_without_keys(const weft_collider *collider, double time);
/* Before the host asks for paths of pins and bodies: see given.c. */
void weft_solver_settle_pins(weft_solver *solver);
void weft_solver_settle_body(weft_solver *solver, uint32_t body);
void weft_solver_settle_given(weft_solver *solver);
/* The same for functions that reach no backend otherwise. */
weft_result weft_solver_ask_pins(weft_solver *solver, weft_error *err);
weft_result weft_solver_ask_body(weft_solver *solver, uint32_t body, weft_error *err);
/* Paths of pins in the buffer; which pin a particle is, UINT32_MAX: none. */
void weft_solver_upload_pins(weft_solver *solver);
uint32_t weft_solver_pin_index(const weft_solver *solver, uint32_t particle);
/* Finds the mass of what is free. */
void weft_solver_weigh(weft_solver *solver);
/* Colliders come to rest. */
void weft_solver_settle_colliders(weft_solver *solver);

/* The largest side of the box around the cloth at rest, or around one of several, m. */
double weft_model_extent(const weft_model *model);

#endif
