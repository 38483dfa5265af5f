/* inspect.h: the only access to the inside of a solver for other rooms: verify, bench, render,
 * demo and cli.
 *
 * solver.h and backend.h stay private. Here are the data that passes work on (buffers, passes,
 * contents), a frame run in steps, states saved and restored, and passes observed while they
 * run. */
#ifndef WEFT_SOLVER_INSPECT_H
#define WEFT_SOLVER_INSPECT_H

#include "exact.h"
#include "find_nonfinite.h"
#include "model.h"
#include "param.h"
#include "pass.h"
#include "shape.h"
#include "vec3d.h"

/* ---- names ---- */

/* As --mode and --schedule have them: "gs", "auto". */
const char *weft_mode_name(weft_mode mode);
const char *weft_schedule_name(weft_schedule schedule);
/* What WEFT_KEEP_ bits stand for, in order: "substeps"; NULL past the last. */
const char *weft_kept_name(unsigned kept, uint32_t index);
/* The bit of a row of parameters; 0 for one that is never chosen. */
unsigned weft_keep_bit(uint32_t row);

/* ---- what a solver has ---- */

const weft_backend *weft_solver_backend(const weft_solver *solver);
/* Whether the backend runs all passes at once (WEFT_PASS_SINGLE) instead of one by one. */
bool weft_solver_runs_single(const weft_solver *solver);
/* The passes of a substep, in order. */
size_t weft_solver_pass_count(const weft_solver *solver);
const weft_pass *weft_solver_pass(const weft_solver *solver, size_t index);
/* Bytes of an element by buffer: doubles are wider. */
weft_result weft_solver_strides(const weft_solver *solver, uint32_t strides[WEFT_BUFFER_COUNT],
                                weft_error *err);
/* Pins, by particle ascending: positions at the start of the frame and targets at its end. */
typedef struct weft_pins_view {
  uint32_t count;
  const uint32_t *particles;
  const weft_vec3d *from, *to;
} weft_pins_view;
weft_pins_view weft_solver_pins(const weft_solver *solver);
/* The triangles that stand for colliders in self-collision, whether it is on or not, at their
 * current targets; a plane is as large as the cloth. Positions of an instance's particles, and
 * the result, are relative to the origin. To be freed. */
weft_mesh weft_solver_posed_shapes(const weft_solver *solver, uint32_t part,
                                   const weft_vec3 *positions);
/* The offset of a collider at the solver's creation, which the rest pose of its body includes. */
weft_vec3 weft_solver_collider_home(const weft_solver *solver, uint32_t collider);
/* State of all bodies inside shapes, [weft_solver_shape_count]: copies. */
uint32_t weft_solver_shape_count(const weft_solver *solver);
void weft_solver_keep_shapes(const weft_solver *solver, weft_shape_state *states);
/* Paths of the vertices of all bodies, [weft_bodies_of(params).particles], and for how many
 * frames each body goes on moving, [body_count]: copies. */
void weft_solver_keep_bodies(const weft_solver *solver, weft_body_way *ways, uint32_t *awake);
/* The origin of positions in buffers, m: see origin.c. */
weft_vec3d weft_solver_origin(const weft_solver *solver);
/* The world position of an element of WEFT_BUFFER_X, m. */
weft_vec3 weft_solver_placed(const weft_solver *solver, vec4 x);

/* Raw elements of a buffer, for comparing. */
void weft_solver_read_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first, uint64_t count,
                             void *data);
void weft_solver_write_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first,
                              uint64_t count, const void *data);
uint64_t weft_solver_buffer_count(const weft_solver *solver, weft_buffer_id id);

/* ---- running ----
 * A frame is: begin (upload what the frame needs), substeps 0..n-1, end. weft_solver_step does
 * just that. Code that inspects the state between substeps or passes calls these itself. */

void weft_solver_begin_frame(weft_solver *solver);
void weft_solver_run_substeps(weft_solver *solver, uint32_t first, uint32_t count);
void weft_solver_run_substep(weft_solver *solver, uint32_t substep);
/* The first passes of a substep, with the solver's own dispatch. */
void weft_solver_run_passes(weft_solver *solver, size_t passes, uint32_t substep);
/* True when the pass does something in this frame (pins may stand still). */
bool weft_solver_pass_active(const weft_solver *solver, const weft_pass *pass);
/* After the last substep of a frame: whether its substeps have to run again, because a list of
 * self-collision overflowed. Its capacity is larger now, and the state is that of the frame's
 * beginning. WEFT_ERROR_LIMIT if there is no memory for it; the state is the same then. */
weft_result weft_solver_again(weft_solver *solver, bool *again, weft_error *err);
void weft_solver_end_frame(weft_solver *solver);

/* Runs one pass alone, if it does anything in this frame. */
void weft_solver_run_pass(weft_solver *solver, const weft_pass *pass, uint32_t substep);
/* Returns when all work issued is done. */
void weft_solver_finish(weft_solver *solver);
/* Driver errors since the last check, as one sentence that names `what`; blocks. */
weft_result weft_solver_check(weft_solver *solver, const char *what, weft_error *err);
/* Gives a solver of the same model another's time and pins, and its lists the same capacity. */
weft_result weft_solver_follow(weft_solver *solver, const weft_solver *leader, weft_error *err);

/* What weft_solver_grab holds. */
typedef struct weft_grab_state {
  uint32_t count; /* 0: nothing */
  uint32_t particles[WEFT_GRAB_ELEMENTS];
  weft_vec3 offsets[WEFT_GRAB_ELEMENTS];   /* offsets from the first of them, when it was grabbed */
  weft_vec3 from, to;                      /* the point, at both ends of the frame */
  float stiffness, damping, impulse_limit; /* see struct weft_grab */
} weft_grab_state;
weft_grab_state weft_solver_grab_state(const weft_solver *solver);
/* Takes effect in the next frame; for replays. */
void weft_solver_set_grab_state(weft_solver *solver, const weft_grab_state *grab);

/* Called around every pass that a solver issues, until weft_solver_observe_end. kind:
 * weft_pass_kind, or WEFT_PASS_SINGLE; before(WEFT_TIMED_KINDS) means that the solver is about
 * to wait for what was issued. With `wait` each pass is done before `after` is called. */
typedef struct weft_pass_observer {
  void *user;
  void (*before)(void *user, int kind);
  void (*after)(void *user, int kind);
  bool wait;
} weft_pass_observer;
typedef struct weft_observed weft_observed; /* of one solver, from begin to end */
weft_observed *weft_solver_observe(weft_solver *solver, const weft_pass_observer *observer);
void weft_solver_observe_end(weft_observed *observed);

/* ---- what passes are made of ---- */

typedef struct weft_pass_list {
  weft_pass *items;
  size_t count, capacity;
} weft_pass_list;
/* The passes of one substep, in order. Of the contents only the steps of levels and the
 * dispatches of patches matter; NULL for none. */
void weft_solver_pass_list(const weft_model *model, const weft_params *params,
                           const weft_contents *contents, weft_pass_list *list);

/* How each group is cut under a mode: colours [0, gs_colours) go Gauss-Seidel, constraints from
 * tail_first on go Jacobi. */
typedef struct weft_split {
  uint32_t gs_colours;
  uint32_t tail_first, tail_count;
} weft_split;
weft_split weft_group_split(const weft_model *model, uint32_t group, const weft_params *params);

/* The buffers of a type of constraint. */
typedef struct weft_constraint_buffers {
  weft_buffer_id elements, terms,
      multipliers; /* terms: WEFT_BUFFER_COUNT where they are in the elements */
} weft_constraint_buffers;
extern const weft_constraint_buffers weft_constraint_buffers_of[WEFT_CONSTRAINT_TYPE_COUNT];

/* The pass that projects constraints of a type, and where a group begins in that type's buffer. */
weft_pass_kind weft_project_pass(weft_constraint_type type);
uint32_t weft_group_base(const weft_model *model, uint32_t group);

/* Whether there is contact between particles. */
bool weft_contact_active(const weft_model *model, const weft_params *params);

/* All bodies: vertices are particles after those of the model. */
weft_bodies weft_bodies_of(const weft_params *params);

/* How far a body lags behind its target because cloth without room holds it back. */
typedef struct weft_body_lag {
  uint32_t vertices; /* vertices that lag by more than so many thicknesses */
  double most;       /* m: largest lag */
} weft_body_lag;
weft_result weft_solver_body_lag(weft_solver *solver, uint32_t body, double thicknesses,
                                 weft_body_lag *lag, weft_error *err);

/* Thickness of cloth against cloth, m, default filled in; 0 without self-collision. */
double weft_solver_self_thickness(weft_solver *solver);

/* weft_standstill.count, without reading anything. */
uint32_t weft_solver_still_count(const weft_solver *solver);

/* Whether self-collision is on. */
bool weft_self_active(const weft_model *model, const weft_params *params);
/* Whether self-collision is possible: an error if the cloth is too large, or too far out for its
 * thickness. */
weft_result weft_self_check(const weft_model *model, const weft_params *params, weft_error *err);
/* Whether there is repulsion, which friction and thickness belong to. */
bool weft_self_pushes(const weft_params *params);
/* Contact steps a frame: see weft_params.self_steps. */
uint32_t weft_self_steps(const weft_params *params);
/* Default number of contact steps a frame: at most WEFT_MAX_SUBSTEPS. */
uint32_t weft_self_steps_unless_given(const weft_params *params);
/* Whether there are fewer than substeps. */
bool weft_self_steps_are_long(const weft_params *params);

/* Ends every particle's list before its first entry. */
static inline void weft_contact_forget(weft_neighbour *kept, uint64_t particles) {
  for (uint64_t k = 0; k < particles; ++k) kept[k * WEFT_CONTACT_SLOTS].other = WEFT_CONTACT_NONE;
}

/* The grid's hash table: buckets (a power of two, at least two for each particle), followed by
 * the levels of the summation tree, each entry the sum of a block of the level below. Every
 * level is padded to whole blocks. */
enum { WEFT_GRID_MAX_LEVELS = 8 };
typedef struct weft_grid_plan {
  uint64_t buckets, entries; /* entries: of all levels together */
  uint32_t levels;
  uint64_t first[WEFT_GRID_MAX_LEVELS];  /* entry */
  uint64_t blocks[WEFT_GRID_MAX_LEVELS]; /* of this level */
} weft_grid_plan;
weft_grid_plan weft_grid_plan_for(uint32_t particles);

/* A collider's pose in a substep that lasts from `before` to `now`, seconds, its offset
 * constant. */
weft_collider_pose weft_collider_pose_at(const weft_collider *collider, double before, double now,
                                         float thickness);

/* ---- measuring a state on the host ---- */

/* Strain alone, of positions on the host: the fields strain_ of the metrics. */
void weft_measure_strain(const weft_model *model, const weft_vec3 *positions,
                         weft_metrics *metrics);
/* Metrics of a state on the host, with positions relative to `origin`. */
void weft_measure(const weft_model *model, const weft_params *params, weft_vec3d origin,
                  const weft_vec3 *positions, const weft_vec3 *velocities, weft_metrics *metrics);
/* The fields body_ of the metrics, of the bodies' current state and cloth positions relative to
 * the origin. */
weft_result weft_solver_measure_bodies(weft_solver *solver, const weft_vec3 *positions,
                                       weft_metrics *metrics, weft_error *err);

/* ---- a backend alone, over the caller's buffers: no solver and no model ---- */

typedef struct weft_instance weft_instance;
/* guard: bytes of guard words around every buffer, a multiple of 256. */
weft_result weft_instance_create(const weft_backend *backend, weft_contents *contents,
                                 uint32_t guard, weft_instance **instance, weft_error *err);
void weft_instance_destroy(weft_instance *instance); /* NULL is allowed */
void weft_instance_run(weft_instance *instance, const weft_pass *pass, uint32_t substep);
/* Waits for all work issued, then reads a whole buffer of `count` elements. */
void weft_instance_read(weft_instance *instance, weft_buffer_id id, uint64_t count, void *data);
/* The first buffer whose guard words changed, or WEFT_BUFFER_COUNT. */
weft_buffer_id weft_instance_broken_guard(weft_instance *instance);

#endif
