/* weft/solver.h: the solver: a model, parameters and a backend give a state that is stepped.
 *
 * A substep (Mueller et al. 2007, "Position based dynamics"; Macklin et al. 2016, "XPBD"; Macklin
 * et al. 2019, "Small steps in physics simulation"): wind and drag on triangles; predict; project
 * every constraint; collide; update velocities. All backends but weft_backend_f64 give the same
 * bits. */
#ifndef WEFT_SOLVER_H
#define WEFT_SOLVER_H

#include <weft/body.h>
#include <weft/model.h>
#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the constraints of one iteration are projected. */
typedef enum weft_mode {
  WEFT_MODE_GS = 0, /* coloured Gauss-Seidel: colour by colour, in place */
  WEFT_MODE_JACOBI, /* all constraints from the same positions, gathered per particle */
  WEFT_MODE_HYBRID, /* large colours Gauss-Seidel, the tail of small colours Jacobi */
} weft_mode;

/* What stiffness means. */
typedef enum weft_method {
  /* Compliance: independent of time step and iterations (Macklin et al. 2016). */
  WEFT_METHOD_XPBD = 0,
  /* Mueller et al. 2007: each projection closes the part k' = 1-(1-k)^(1/n) of the error, n the
   * iterations, so that a substep closes k. Compliances and dampings of the model do not count;
   * stiffness depends on the time step. */
  WEFT_METHOD_PBD,
} weft_method;

/* What becomes of a start in which cloth passes through itself or through bodies. */
typedef enum weft_tangled {
  /* The first triangles are named in a warning, and all that intersect are not kept apart from each
   * other: weft_metrics.self_tangled. */
  WEFT_TANGLED_KEEP = 0,
  /* No solver is made: WEFT_ERROR_MESH with the first triangles. weft_untangle
   * (weft_kit/untangle.h) makes a start without intersections. */
  WEFT_TANGLED_REFUSE,
} weft_tangled;

/* In which order constraints are projected, and in how many dispatches a GPU gets a frame. */
typedef enum weft_schedule {
  /* The solver's choice: on the backend gl single for cloth so small that it is faster, else
   * colours. */
  WEFT_SCHEDULE_AUTO = 0,
  /* Colour by colour over the whole cloth, a dispatch each. */
  WEFT_SCHEDULE_COLOURS,
  /* Patch by patch, each in the shared memory of a work group: another order of the constraints, so
   * other bits than colours, the same on every backend. Only for mode gs. For large cloths on a
   * GPU: docs/schedules.md. */
  WEFT_SCHEDULE_PATCHES,
  /* The order of colours and its bits, but all substeps of a frame in one dispatch of one work
   * group, for small cloths. Only the backend gl has it, others run colours. WEFT_ERROR_LIMIT when
   * there are passes that it does not have (Jacobi, contact of particles, self-collision) or when
   * the driver has too few storage blocks for it. */
  WEFT_SCHEDULE_SINGLE,
} weft_schedule;

/* Shapes that push cloth out, with Coulomb friction against their surface as it moves and turns.
 *
 * What is seen. Nothing tunnels through a plane. Through the others nothing tunnels that starts a
 * substep outside: a particle that moves further in it, relative to the shape, than a quarter of
 * the shape's smallest dimension (thickness included) is swept along its straight path and stopped
 * at the tangent plane where it enters, at any speed whose path in a substep floats can resolve
 * (tested to 300 m/s against 1 mm at 20 substeps of 1/60 s). The sweep takes the edges of a box for
 * sharp: a fast particle may be turned aside up to 0.73 of the thickness before a corner.
 *
 * What is not seen. The path relative to a box is taken as straight although its turn bends it:
 * with an angle phi per substep, by about phi/4 of the path and phi^2/8 of the distance to its
 * centre. The same holds for a capsule whose axis changes direction. Of two shapes that close on a
 * particle, the later in the list wins.
 *
 * Between particles. Without self_collision only particles are seen, and a shape that is narrower
 * than an edge of the cloth may pass between them; a warning tells of the first such shape. With
 * self_collision edges and faces are held as well, under the certificate of bodies (weft/body.h):
 * cloth never passes a shape, and where its faces are wide beside the shape it is at most 0.25 mm
 * or a 200th of a radius inside. Cloth that has no room holds back what is moved, which comes after
 * within a second. What starts inside of a shape comes out at 1/8 m/s. Not for a plane that presses
 * cloth against something. */
typedef enum weft_collider_shape {
  /* a is a point of the plane, b its normal to the free side, of any length. Turns about a, like a
   * turntable. A b that changes between keys tilts the plane without carrying anything. */
  WEFT_COLLIDER_PLANE = 0,
  /* a is the centre, beside a radius. Spins about a. */
  WEFT_COLLIDER_SPHERE,
  /* a and b are the ends of the axis, beside a radius. Rotation is a spin of the surface only:
   * friction feels it, the ends do not. */
  WEFT_COLLIDER_CAPSULE,
  /* a is the centre, beside half_size. Turns about a. */
  WEFT_COLLIDER_BOX,
} weft_collider_shape;

/* Where a moving collider is at a time. Between keys points move in straight lines at constant
 * speed; before the first and after the last key the shape stands still. */
typedef struct weft_collider_key {
  float time;         /* seconds, ascending from key to key */
  weft_vec3 a, b;     /* metres, as of weft_collider */
  weft_vec3 rotation; /* rad, as of weft_collider. Its components run straight between keys, so that
                         keys at (0,0,0) and (0,20*pi,0) are ten turns; at most a quarter turn a
                         substep */
} weft_collider_key;

/* A shape that stands still, or goes along keys. */
typedef struct weft_collider {
  weft_collider_shape shape; /* default plane */
  weft_vec3 a, b;            /* metres; see weft_collider_shape. Not used where there are keys */
  weft_vec3 rotation;        /* axis times angle, rad. Not used where there are keys */
  float radius;              /* metres, 1e-6 to 1e6; spheres and capsules */
  weft_vec3 half_size;       /* metres, along the box's own axes; boxes */
  float friction_static;     /* mu_s, 0 to 1e6. Default 0: frictionless */
  float friction_dynamic;    /* mu_k, 0 to 1e6; at most mu_s is physical. Default 0 */
  const weft_collider_key *keys; /* [key_count] a path. Default: it stands still */
  uint32_t key_count;
  weft_vec3 offset; /* metres, added to where a and b or the keys put it. Default 0; changed during
                       a run by weft_solver_move_collider */
} weft_collider;

/* The largest values of parameters below. */
enum { WEFT_MAX_ATTACHMENTS = 4, WEFT_MAX_GRABBED = 64, WEFT_ALL_LEVELS = 24 };
enum { WEFT_MAX_COLLIDERS = 64, WEFT_MAX_SUBSTEPS = 1000, WEFT_MAX_ITERATIONS = 1000 };
/* The index of no particle. */
#define WEFT_NO_PARTICLE UINT32_MAX

/* What a solver is to do. Zero-initialise and set what differs; 0 asks for the default. Or begin
 * with weft_params_default, where every member has its default already: what is then set to 0 is 0,
 * and refused where its range does not begin there. */
typedef struct weft_params {
  /* The parameters: weft/params.def says of each what it means, its unit, default and range. */
#define WEFT_PARAM(kind, type, name, ...) type name;
#include <weft/params.def>

  /* ---- how far cloth may stretch: weft_params_choose_for_strain ---- */
  bool plain;        /* the textbook sweep: nothing is chosen against stretch, and substeps are 20
                        unless given. Default false */
  double max_strain; /* p99 of strain along threads stays below it, 1e-5 to 0.5. Default 0: a
                        hundredth above what the fabric takes by itself. Not with plain */
  unsigned keep;     /* WEFT_KEEP_ bits: what stays as it is, although it has its default, as
                        line_sweeps 0. What differs from its default stays anyway. Default 0 */

  /* Set by weft_params_default: 0 asks for no default. 0 stays what weft/params.def says for
   * members whose default follows from the model (multilevel_slack, those of a grab). */
  bool complete;
  bool no_gravity;     /* gravity 0. Default false */
  bool no_self_pushes; /* self_iterations 0: motions are cut, and that is all. Cloth is as free of
                          intersections, but has no friction and keeps no thickness. Default false
                          */

  /* ---- colliders ---- */
  const weft_collider *colliders; /* [collider_count], copied with their keys. Default: none */
  uint32_t collider_count;        /* at most WEFT_MAX_COLLIDERS */

  /* ---- bodies: triangle meshes that cloth cannot pass, see weft/body.h ----
   * They set self_collision. Triangles of the cloth that intersect a body's at the start are not
   * kept apart from it: `tangled`. Not for joined models. */
  const weft_body *bodies; /* [body_count], copied with their meshes. Default: none */
  uint32_t body_count;     /* at most WEFT_MAX_BODIES */
  uint32_t shape_bodies;   /* of solvers, which hold shapes by bodies of their own. Leave 0 */
  uint32_t soft_pins;      /* of solvers: how many weft_solver_set_pins has room for. Leave 0 */

  /* ---- where it begins ----
   * [particle_count of the model] positions at frame 0 and after weft_solver_reset, metres, pinned
   * ones included; copied. They must be finite. Rest lengths and angles stay those of the rest
   * pose, and velocities begin at 0. Not for joined models. Default NULL: the rest pose. */
  const weft_vec3 *start;
} weft_params;

/* The defaults, complete. */
WEFT_API weft_params weft_params_default(void);

/* Puts the defaults in and checks ranges. `in` may be NULL, and may be *out. Pointers are not
 * followed beyond checking. WEFT_ERROR_ARGUMENT, with the parameter, its value and what is allowed,
 * for anything that is not finite, negative or past its range: those of weft/params.def; points of
 * colliders and their offsets within 1e6 m of the origin. */
WEFT_API weft_result weft_params_resolve(const weft_params *in, weft_params *out, weft_error *err);

/* Sets the full algorithm of Mueller et al. 2007 ("Position based dynamics", section 3.1), leaving
 * everything else as it is: one step per frame (substeps 1), 10 iterations with contacts in each,
 * plain, PBD stiffness, and global velocity damping of k = 0.1 a step (for the frame time in
 * `params`, default 1/60 s). Order: external forces, velocity damping, prediction, projection,
 * velocities. */
WEFT_API void weft_params_mueller2007(weft_params *params);

/* Sets the textbook sweep, leaving everything else as it is: 20 substeps of one iteration through
 * the constraints, batch by batch; no line solver, no levels, no attachments; plain. */
WEFT_API void weft_params_plain(weft_params *params);

/* ---- how far cloth may stretch ---- */

/* What of the parameters was given and stays as it is: bits for weft_params_choose_for_strain. */
enum {
  WEFT_KEEP_SUBSTEPS = 1,
  WEFT_KEEP_ITERATIONS = 2,
  WEFT_KEEP_MULTILEVEL = 4,
  WEFT_KEEP_MULTILEVEL_SWEEPS = 8,
  WEFT_KEEP_MULTILEVEL_SLACK = 16,
  WEFT_KEEP_LRA = 32,
  WEFT_KEEP_LRA_SLACK = 64,
  WEFT_KEEP_LINE_SWEEPS = 128,
};

/* What weft_params_choose_for_strain made of a target. The parameters themselves hold what it
 * chose. Strains are relative: 0.01 is 1 %. */
typedef struct weft_strain_choice {
  double target;   /* as asked */
  double own;      /* strain at the upper end of the cloth hanging from it, at most 0.25 */
  double steps;    /* edges that the cloth can move in a substep, falling its own extent */
  double expected; /* the strain that this leaves by experience */
  bool stiffer;    /* the target is below own: levels hold the cloth tighter than its fabric does */
  bool short_of;   /* what was kept, or the limits, leave more than the target */
  uint32_t needed; /* then: substeps that by experience would hold it, 1000000 where none would;
                      else 0 */
  /* And then, on other meshes than grids: how many edges are in the way. Without them, the
   * shortest, the rule expects the substeps chosen to hold it. They are shorter than `length`
   * metres, the shortest goes from vertex `shortest[0]` to `shortest[1]` (weft_model_number). 0
   * where short edges are most of all. */
  uint32_t in_the_way, shortest[2];
  double length;
  bool by_default; /* the target was 0: a hundredth above own, or more for soft fabric off the grid
                    */
  unsigned kept;   /* WEFT_KEEP_ bits as given */
} weft_strain_choice;

/* Chooses lines, levels, their sweeps and slack, attachments, substeps and iterations so that cloth
 * does not stretch: strain_threads_p99 of the metrics stays below `target`, 1e-5 to 0.5, or with
 * target 0 within a hundredth above what the fabric takes by itself. Leaves alone what `kept` says.
 * The parameters are plain then, so that a solver takes them as they are. weft_solver_create does
 * this by itself unless they are plain: with max_strain for target, and keeping what differs from
 * its default or is in `keep`. Call it to know what is chosen before, and what to expect of it.
 *
 * The rule for grids: one line sweep or two, whichever takes less work, counted as substeps times
 * (1 + line sweeps); an attachment where something is pinned; all levels on grids finer than four
 * edges a frame, but where what falls has two sweeps. Edges a frame are e = sqrt(g L) dt/h, the
 * edges of length h that a cloth of extent L goes in a frame when it has fallen its own extent.
 * Then as many substeps, up to 200, as by experience leave 0.9 % above the fabric's own, with one
 * sweep and with two:
 *
 *   pinned, meets nothing          3.2 e, at least 10, with levels 2.2 e^0.7 | 2 e^0.5, at least 8
 *   pinned along a still capsule                                 5.7 e^0.62, 12 | 3 e^0.5, 8
 *   pinned, beside other shapes or, with self-collision, touches_itself
 *                                                                 15 e^0.35, 12 | 7.5 e^0.5, 16
 *   falls on spheres and capsules                                 15 e^0.35, 12 | 5.6 e^0.5, 16
 *   falls on boxes or bodies                                      20 e^0.35, 12 | 8.2 e^0.5, 16
 *   falls on planes and itself                                    20 e^0.35, 12 | 15 e^0.5, 16
 *
 * And where pinned cloth is driven, at least 56 W dt/L (L/h)^0.25: W is the speed of the wind with
 * its gusts, but where cloth is pinned along a capsule, and 25 m/s where params.grab lets it be
 * pulled. With a grab, and where W is more than sqrt(g L), come
 * four attachments for one.
 *
 * With self-collision at least 20 | 24, but where it meets nothing. Half the strain takes a third
 * more of them (2^0.4). More line sweeps (up to 16; strain falls with their fourth root) only for a
 * target that is given, where substeps are kept or reach their limit.
 *
 * The rule for other meshes: the plain sweep in small steps (Macklin et al. 2019, "Small steps in
 * physics simulation"), an attachment where something is pinned. 30 e u^3.5 substeps where
 * something is pinned, the wind added to the speed in e, and 80 e^0.5 u^2 for what falls, u the
 * mean edge over 1.06 of the harmonic mean and 1 at least, from 12, 20 where cloth can touch
 * itself, to 400. Half the strain takes twice as many. With target 0 the solver may leave a quarter
 * of the root of the stretch by own weight, where that is more than a hundredth: the root is the
 * strain with which the fabric itself stops what has fallen its own extent. Where line_sweeps are
 * given they stay: four hold about what one does on a grid.
 *
 * Slack of levels and attachments is the stretch by own weight, at most a quarter of a target that
 * is given; for a fabric softer than that levels make a grid stiffer. Where lines are refused
 * (method pbd) and where line_sweeps is kept at 0 a target takes all levels of a grid instead: they
 * leave 0.13 c for grids that swing, 0.4 c elsewhere, c = e/substeps, falling with the root of
 * iterations (up to 16). With target 0 parameters stay as they are there but for plain, and for
 * models without triangles; choice->target is then 0.
 *
 * What the rule does not know: how fast pins and colliders move, impacts, how much the fabric
 * itself gives in wind or a pull (denim of 411 N/m by 5 % in a storm of 14 m/s), waves of stretch
 * in it (their strain is speed over sqrt(C/rho), whatever the step), compression. So measure what
 * came out. A smaller target never chooses less work.
 *
 * WEFT_ERROR_ARGUMENT for a target out of range, and of models without triangles for any but 0. */
WEFT_API weft_result weft_params_choose_for_strain(const weft_model *model, double target,
                                                   unsigned kept, weft_params *params,
                                                   weft_strain_choice *choice, weft_error *err);

/* Where a solver runs. Those below are always there; weft_gl/gl.h has one on the GPU. */
typedef struct weft_backend weft_backend;

/* The reference: plain C on one thread, one constraint after the other, in the order of the
 * schedule. */
WEFT_API const weft_backend *weft_backend_ref(void);
/* The reference made fast: the same schedule on `threads` threads (0: one a processor, at most 64),
 * in vectors of what the processor has (4, 8 or 16 floats), with the same bits whatever these are.
 * All solvers of a process share one set of threads, which sleep between frames. */
WEFT_API const weft_backend *weft_backend_cpu(uint32_t threads);
/* The vectors it uses on this processor: "8 lanes, AVX2". */
WEFT_API const char *weft_backend_cpu_describe(void);
/* The reference's passes and tables with doubles for floats: shows how much of an error is float
 * rounding. Positions and velocities written, pins and colliders still come as floats. */
WEFT_API const weft_backend *weft_backend_f64(void);

/* A model in motion. */
typedef struct weft_solver weft_solver;

/* Creates a solver at the model's rest pose, at rest, time 0. `params` may be NULL. The model and
 * the backend must outlive it. One thread at a time may use a solver.
 *
 * Cloth is held against stretch unless params are plain: weft_params_choose_for_strain, which takes
 * less than a tenth of the time of creation. weft_solver_params has what was chosen, plain, so
 * that another solver takes it as it is.
 *
 * WEFT_ERROR_ARGUMENT for parameters out of range or not for this model, WEFT_ERROR_MESH for a
 * start that is refused (params.tangled), WEFT_ERROR_LIMIT where the backend cannot hold it,
 * WEFT_ERROR_GL where the driver fails. On the backend gl any function that
 * reads may answer the last two, see weft_gl/gl.h. */
WEFT_API weft_result weft_solver_create(const weft_model *model, const weft_params *params,
                                        const weft_backend *backend, weft_solver **solver,
                                        weft_error *err);
WEFT_API void weft_solver_destroy(weft_solver *solver);

/* Advances one frame (params.substeps substeps). Waits for the device in every 16th frame, for the
 * box around the cloth, and with self-collision in each; whether the state is still finite is for
 * the next weft_solver_read to say, or weft_solver_metrics. What the descriptors allow stays finite
 * in all that is tested: masses, lengths, stiffnesses over dozens of orders of magnitude,
 * coincident particles (a constraint between them rests until they part), a particle at the very
 * centre of a sphere or axis (it is not pushed until it has left it), a thousand substeps, all
 * pinned. What can still grow without bound, seen in less than one of a thousand systems drawn to
 * be hostile: hinges that contradict each other with no links to hold their particles, links that
 * do so between masses of very different size, relaxation above 1 on such systems, strong drag at a
 * particle of more than six triangles far lighter than its neighbours, velocities written near the
 * end of float. */
WEFT_API weft_result weft_solver_step(weft_solver *solver, weft_error *err);

/* Frames done, and seconds simulated. */
WEFT_API uint64_t weft_solver_frame(const weft_solver *solver);
WEFT_API double weft_solver_time(const weft_solver *solver);

/* Copies the state to the host, or replaces it: [particle_count] metres and m/s; either may be
 * NULL. Writing does not change time. Positions also move pins, and friction between particles
 * forgets which of them were stuck together.
 *
 * Reading: WEFT_ERROR_NOT_FINITE where what is read became infinite or NaN in the frames before,
 * naming the first such particle; it is copied all the same. Writing: WEFT_ERROR_NOT_FINITE for
 * what is not finite, WEFT_ERROR_ARGUMENT for a component beyond 1e6 m or 1e6 m/s, naming the
 * particle; then nothing is written.
 *
 * Positions are computed about an origin near the cloth, which goes along with it, so results do
 * not depend on the place. A float that is written or read still has the spacing of floats where it
 * is, 6e-5 m at 1,000 m from the world's zero: doubles are for what is farther than some metres. */
WEFT_API weft_result weft_solver_read(weft_solver *solver, weft_vec3 *positions,
                                      weft_vec3 *velocities, weft_error *err);
WEFT_API weft_result weft_solver_write(weft_solver *solver, const weft_vec3 *positions,
                                       const weft_vec3 *velocities, weft_error *err);

/* The same in doubles, [3*particle_count]. What is read is not rounded: of weft_backend_f64 its
 * doubles, of other backends their floats with the origin added. What is written is rounded once,
 * to a float counted from the origin, on weft_backend_f64 too. */
WEFT_API weft_result weft_solver_read_f64(weft_solver *solver, double *positions,
                                          double *velocities, weft_error *err);
WEFT_API weft_result weft_solver_write_f64(weft_solver *solver, const double *positions,
                                           const double *velocities, weft_error *err);

/* The state where the processor has it, not a copy: weft_backend_cpu and weft_backend_ref.
 * Element i begins i*stride bytes behind the first: three floats x, y, z. */
typedef struct weft_view {
  const float *positions;  /* m from the origin */
  const float *velocities; /* m/s */
  uint32_t stride;         /* bytes */
  uint32_t count;          /* particles */
  double origin[3];        /* m: add it. It follows cloth that goes far */
} weft_view;
/* Valid until the next call that is given the solver. WEFT_ERROR_ARGUMENT on other backends. */
WEFT_API weft_result weft_solver_view(weft_solver *solver, weft_view *view, weft_error *err);

/* Back to the rest pose, at rest, time 0; nothing is held, and colliders have the offsets of the
 * parameters. */
WEFT_API weft_result weft_solver_reset(weft_solver *solver, weft_error *err);

/* Where pinned particles, [count], shall be at the end of the next frame, metres; they go there in
 * a straight line and stay. With self_collision, cloth that cannot make way holds them back; they
 * come after at 2 m/s, or at twice the speed of their path if that is more.
 * WEFT_ERROR_ARGUMENT for a particle that is not pinned and a target beyond 1e6 m,
 * WEFT_ERROR_NOT_FINITE for one that is not finite; then none of them moves. */
WEFT_API weft_result weft_solver_move_pins(weft_solver *solver, const uint32_t *particles,
                                           const weft_vec3 *targets, uint32_t count,
                                           weft_error *err);
/* The same in doubles, [3*count]: far out, floats would make a path of steps. */
WEFT_API weft_result weft_solver_move_pins_f64(weft_solver *solver, const uint32_t *particles,
                                               const double *targets, uint32_t count,
                                               weft_error *err);

/* Where the vertices of a body, [its mesh's vertex_count], shall be at the end of the next frame,
 * metres; they go there in straight lines over the substeps, and stay. Cloth that cannot make way
 * holds single vertices back; they come after for a second at 2 m/s, or at twice the speed of their
 * path if that is more. A body that is not told to move costs what is near the cloth.
 *
 * The first time that a vertex is to jump in a frame, faster than 100 m/s, or faster than 20 m/s
 * and further than half the size of the body, a warning names it: seldom is that meant.
 *
 * WEFT_ERROR_ARGUMENT for a body that does not exist or a vertex beyond 1e6 m,
 * WEFT_ERROR_NOT_FINITE for one that is not finite; then none of it moves. */
WEFT_API weft_result weft_solver_move_body(weft_solver *solver, uint32_t body,
                                           const weft_vec3 *positions, weft_error *err);
/* The same in doubles, [3*vertex_count]. */
WEFT_API weft_result weft_solver_move_body_f64(weft_solver *solver, uint32_t body,
                                               const double *positions, weft_error *err);
/* Where they are. */
WEFT_API weft_result weft_solver_read_body(weft_solver *solver, uint32_t body, weft_vec3 *positions,
                                           weft_error *err);

/* The friction of a body against cloth from the next frame on: mu_s and mu_k, 0 to 1000. What
 * friction remembers of pairs that touch stays. A reset keeps it; solvers that take over the state
 * have that of their parameters.
 * WEFT_ERROR_ARGUMENT for a body that does not exist, a number out of range, and a solver
 * whose self_iterations are 0: without pushes there is no friction. */
WEFT_API weft_result weft_solver_set_body_friction(weft_solver *solver, uint32_t body,
                                                   float friction_static, float friction_dynamic,
                                                   weft_error *err);

/* ---- what a mouse needs ---- */

/* Grabs a particle (on cloth a patch around it, see grab_patch, in the shape it now has) and pulls
 * it to `target`, metres, until it is released. What was held before is let go. The force is that
 * of a damped spring, F = stiffness*(target - x) - damping*v, cut to the limit: a jump of the
 * target cannot throw the cloth harder. It acts right after the prediction of a substep, implicitly
 * in what is held alone, as implicit Euler would; constraints, contacts and colliders answer
 * afterwards and have the last word. So a free particle is the spring stated, and one that is held
 * back by others feels a softer one, by 1 + dt*(damping + dt*stiffness)/m, m the mass held.
 * WEFT_ERROR_ARGUMENT without params.grab, for a particle that does not exist or is pinned (move
 * it with weft_solver_move_pins, or free it), for a target beyond 1e6 m;
 * WEFT_ERROR_NOT_FINITE for one that is not finite. */
WEFT_API weft_result weft_solver_grab(weft_solver *solver, uint32_t particle, weft_vec3 target,
                                      weft_error *err);
/* Where the target shall be at the end of the next frame, metres; it goes there in a straight line
 * and stays. Errors as above, and WEFT_ERROR_ARGUMENT while nothing is held. */
WEFT_API weft_result weft_solver_move_grab(weft_solver *solver, weft_vec3 target, weft_error *err);
/* Lets go; also where nothing is held. */
WEFT_API void weft_solver_release(weft_solver *solver);
/* The particle that was grabbed, WEFT_NO_PARTICLE while nothing is held. */
WEFT_API uint32_t weft_solver_grabbed(const weft_solver *solver);

/* Where a collider's offset shall be at the end of the next frame, metres; it goes there in a
 * straight line over the substeps, so that friction and the sweep see its velocity, and stays. A
 * path by keys goes on beneath it. How far an offset goes in a frame is the caller's to bound.
 * WEFT_ERROR_ARGUMENT for a collider that does not exist or an offset beyond 1e6 m,
 * WEFT_ERROR_NOT_FINITE for one that is not finite. */
WEFT_API weft_result weft_solver_move_collider(weft_solver *solver, uint32_t collider,
                                               weft_vec3 offset, weft_error *err);

/* A ray that meets particles: those in front of its origin and no further from it than
 * radius + slope * (distance along it). A pointer of n pixels has slope = n pixels as an angle, in
 * a parallel projection radius = n pixels in metres. */
typedef struct weft_ray {
  weft_vec3 origin;    /* m, within 1e6 */
  weft_vec3 direction; /* any length but 0 */
  float radius;        /* m, 0 to 1e6. Default 0 */
  float slope;         /* 0 to 1e6. Default 0 */
} weft_ray;

/* What it meets. */
typedef struct weft_hit {
  uint32_t particle; /* WEFT_NO_PARTICLE: the ray meets none */
  float distance;    /* m along the ray */
  float offset;      /* m from the ray */
} weft_hit;

/* The particle that a ray meets first: the smallest distance along it, of equal ones the lowest
 * index. Pinned ones count. On the GPU a search over the positions where they are, of which 16
 * bytes are read back; waits for the result. The same bits on every backend but f64.
 * WEFT_ERROR_ARGUMENT for a ray out of range; then *hit says that it meets none. */
WEFT_API weft_result weft_solver_pick(weft_solver *solver, const weft_ray *ray, weft_hit *hit,
                                      weft_error *err);

/* Makes `to` continue where `from` is: positions, velocities, frame and time, pins on their way,
 * what is held, what friction between particles remembers, multipliers. For other pins
 * (weft_model_with_pins), other parameters or another backend. Offsets of colliders come along when
 * both have as many, and places of the first bodies as far as they have as many vertices in both.
 * The state is the same bit for bit, but for weft_backend_f64, which rounds to float. What `to`
 * pins stands where it is; pins that were on their way in both go on. What is held is let go if
 * `to` pins any of it or has no params.grab. What friction remembers is taken when both have
 * contact between particles, else forgotten. WEFT_ERROR_ARGUMENT for models of different numbers of
 * particles. */
WEFT_API weft_result weft_solver_copy_state_from(weft_solver *to, weft_solver *from,
                                                 weft_error *err);

/* The force in each link of a particle model in the last substep, tension positive: -lambda/dt^2
 * (Macklin et al. 2016, eq. 10). `newtons` is [weft_model_link_count]. WEFT_ERROR_ARGUMENT without
 * params.keep_multipliers and before the first step. */
WEFT_API weft_result weft_solver_link_forces(weft_solver *solver, float *newtons, weft_error *err);

/* FNV-1a over the bits of all positions, then all velocities: equal states, equal hash. */
WEFT_API weft_result weft_solver_hash(weft_solver *solver, uint64_t *hash, weft_error *err);

/* Measured on the host in double precision from a state read back. Pinned particles have no energy,
 * momentum or speed. */
typedef struct weft_metrics {
  /* |length/rest - 1| over stretch constraints and links, 0 for an inequality that is kept: mean,
   * 99th percentile, largest. */
  double strain_mean, strain_p99, strain_max;
  uint32_t strain_max_edge[2]; /* the particles between which it is largest; 0, 0: no strain */
  /* The 99th percentile along warp and weft: a grid of rectangles without its diagonals, whose
   * strain is shear; strain_p99 for other meshes. */
  double strain_threads_p99;
  double residual_rms;        /* m: root mean square of length - rest of all distance constraints */
  double kinetic_energy;      /* J */
  double potential_energy;    /* J, of gravity, against the origin */
  double elastic_energy;      /* J, sum of C^2/(2 compliance) of compliant constraints */
  double momentum[3];         /* kg m/s */
  double angular_momentum[3]; /* kg m^2/s about the origin */
  weft_vec3 box_min, box_max; /* metres, the box around all particles */
  double max_speed;           /* m/s */
  uint32_t substeps;          /* of the next frame: fewer than asked for where a budget of time
                                 says so (weft_solver_set_budget) */
  uint32_t late_frames;       /* frames since then that took longer than the budget */
  uint32_t nonfinite;         /* particles with a NaN or infinite component */
  uint32_t contacts_missed;   /* particles of which the last substep did not see every neighbour */
  /* Self-collision, summed over the contact steps of the last frame, and over the parts of a joined
   * model. */
  uint32_t self_steps;      /* contact steps a frame, of each part */
  uint32_t self_candidates; /* pairs of features that their motions could bring together */
  uint32_t self_pairs;      /* of these, pairs that pushed or limited motions */
  uint32_t self_limited;    /* particles whose motion was cut short */
  uint32_t self_uncertain;  /* pairs too near to be told apart: their particles did not move */
  uint32_t self_detections; /* second to fourth detections in a contact step */
  uint32_t self_pauses;     /* contact steps in which nothing moved */
  uint32_t self_overflows;  /* of these, for more pairs than weft_params.self_room may be */
  uint32_t self_driven; /* pins and vertices of bodies that cloth held back from where they went */
  /* Triangles of the cloth that intersect others, or a body's, at the start: not kept apart from
   * each other. */
  uint32_t self_tangled;
  /* Bodies, as the last frame left them. Cloth never passes their triangles; where it has no room
   * they are held back. So inside is said of the shape that a body was told to have: how far its
   * closed surfaces wind around a particle, where that is not 0. Of shells that are open nothing
   * is. */
  uint32_t body_inside;  /* particles of the cloth inside a body */
  uint32_t body_held;    /* vertices of bodies that are not where they were told to be */
  double body_held_most; /* m: how far from there the one is that is farthest */
} weft_metrics;
WEFT_API weft_result weft_solver_metrics(weft_solver *solver, weft_metrics *metrics,
                                         weft_error *err);

/* Why a particle stands still. */
typedef enum weft_still_reason {
  WEFT_STILL_NOT = 0,
  WEFT_STILL_UNCERTAIN, /* it is of a pair too near to be told apart */
  WEFT_STILL_CUT,       /* its motion was cut to nothing: a pair has used up its gap */
  WEFT_STILL_LIST, /* nothing moved in the last contact step: more pairs than self_room may be */
  WEFT_STILL_REASONS
} weft_still_reason;

/* Free particles that did not move in the last frame although they were to. Such a particle has at
 * the end of the frame the position, bit for bit, that it had at its beginning; the last contact
 * step took all of a motion that it was to make; and there is gravity or wind. What lies still on
 * something is to make no motion, so it is not counted, nor is cloth without self_collision. Of a
 * joined model the sums of all parts. Every backend tells the same. */
typedef struct weft_standstill {
  uint32_t count, free; /* particles that stand still, and those that are not pinned */
  bool all;             /* no free particle moved in the last frame, and some stand still */
  uint64_t since; /* the first of the frames, counted from 1 and without a gap up to the last, in
                     which some stood still, or where all do all; 0: none does */
  weft_still_reason reason; /* of most */
  uint32_t of_reason[WEFT_STILL_REASONS];
  /* The nearest pair that holds particles for that reason: a vertex and a triangle, or edges from
   * [0] to [1] and from [2] to [3]. Numbers from the model's particle_count on are vertices of
   * bodies. WEFT_NO_PARTICLE: there is none, as where a list was too short. */
  uint32_t pair[4];
  bool edges;
  double distance; /* m between them */
} weft_standstill;
/* After a frame; writing positions forgets it. Reads lists of self-collision where count is not 0,
 * else nothing. */
WEFT_API weft_result weft_solver_standstill(weft_solver *solver, weft_standstill *still,
                                            weft_error *err);

/* The model it was made of, and its parameters with the defaults put in; both belong to others. */
WEFT_API const weft_model *weft_solver_model(const weft_solver *solver);
WEFT_API const weft_params *weft_solver_params(const weft_solver *solver);
/* Substeps a frame from which on one sweep over hinges keeps the bending of the fabric, where there
 * are fewer: cloth is softer then, the finer its cells the more, and it folds too sharply. They are
 * those with which dt sqrt(B/rho) pi^2/h^2 is 1 for the median hinge, h the edges' length. 0: it is
 * kept, as on grids whose lines hold bends, or there is none. */
WEFT_API uint32_t weft_solver_bending_substeps(const weft_solver *solver);
/* The schedule that runs, never WEFT_SCHEDULE_AUTO. */
WEFT_API weft_schedule weft_solver_schedule(const weft_solver *solver);
/* ---- memory ---- */

/* Bytes, at most, and on cloth within about a quarter of it, fixed parts of some hundred kilobytes
 * aside. */
typedef struct weft_memory_need {
  uint64_t model;  /* of a model */
  uint64_t solver; /* of its solver after the first frames, on the host */
  uint64_t device; /* of its solver, on the device of OpenGL; 0 on other backends */
  uint64_t peak; /* at once on the host, from the model's beginning to the end of the first frames;
                    without the mesh */
} weft_memory_need;

/* What a model and a solver of it will take, from the counts of its mesh; nothing is made but a
 * list of edges. Parameters that are not plain count as if all were chosen that may be, and 200
 * substeps. `backend` NULL: the model alone, and `params` may be NULL. Lists of self-collision
 * count as long as they begin; where cloth lies in heaps they grow, see weft_params.self_room. Of a
 * driver's memory buffers count, not programs. Errors as of weft_params_resolve, and
 * WEFT_ERROR_ARGUMENT for triangles with corners that do not exist. */
WEFT_API weft_result weft_memory_estimate(const weft_model_desc *desc, const weft_params *params,
                                          const weft_backend *backend, weft_memory_need *need,
                                          weft_error *err);
/* What is taken now, exactly. A model: without what solvers with self-collision find out about it,
 * a byte a triangle. A solver: `device` may be NULL. */
WEFT_API uint64_t weft_model_memory(const weft_model *model);
WEFT_API weft_result weft_solver_memory(weft_solver *solver, uint64_t *host, uint64_t *device,
                                        weft_error *err);

/* "ref", "cpu", "f64" or "gl". */
WEFT_API const char *weft_backend_name(const weft_backend *backend);

#ifdef __cplusplus
}
#endif

#endif
