/* weft/change.h: what may change in a solver that runs.
 *
 * Every change holds from the next frame on. State, time and memory of contact stay. The bits of
 * all later frames are those of a solver that was made with the new values and took the state over
 * (weft_solver_copy_state_from), on every backend. Where a function fails, the solver is as before.
 *
 * Three costs; each function says which it is.
 *   At once     a few numbers are written; nothing is allocated.
 *   In place    what depends on the change is filled anew where it is, mostly the numbers of all
 *               constraints: part of a frame, or more on processors for cloth without
 *               self-collision. The first such change of a solver takes memory for later ones.
 *               Views and buffers stay (weft_solver_view, weft_gl/share.h).
 *   New tables  the tables of constraints, contact and self-collision are made anew, and the solver
 *               keeps its place: as long as making a solver. Views and buffers are others.
 * `weft bench --changes` measures them. What is in place takes new tables on the backend f64, for
 * joined models, with the schedules patches and single, and where a table would become longer or
 * shorter: that is when contact steps begin or cease to be longer than a substep, and when lines
 * begin or cease to keep the bending of stiff cloth. */
#ifndef WEFT_CHANGE_H
#define WEFT_CHANGE_H

#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Other parameters; NULL: the defaults. Take those of weft_solver_params and set what differs. Of
 * the members beside the parameters no_gravity and no_self_pushes count; bodies, colliders and
 * start do not: other functions change them.
 *
 * At once: gravity (unless levels take their slack from it), wind, gusts, air_density from one
 * number above 0 to another, drag, skin_friction, damping, global_damping above 0, friction,
 * thickness without self-collision, everything of a grab.
 * In place: frame_dt, substeps, iterations, contact_iterations, collide_each_iteration, relaxation,
 * stiffness of PBD, self_thickness, self_steps, lra_slack; and line_sweeps, lra and self_iterations
 * from one number above 0 to another. All else takes new tables.
 * Where self-collision is switched on, what intersects now is not kept apart.
 *
 * Errors as of weft_solver_create. */
WEFT_API weft_result weft_solver_set_params(weft_solver *solver, const weft_params *params,
                                            weft_error *err);

/* While tables are held, functions here that would take new ones answer WEFT_ERROR_ARGUMENT and
 * change nothing: what points into the solver stays good, and no change takes longer than a few
 * numbers. For a budget of time, which keeps its tables, this is not so. Default false. */
WEFT_API void weft_solver_hold_tables(weft_solver *solver, bool hold);

/* Another model of as many particles and the same triangles, as of another fabric or other pins;
 * it must outlive the solver. What it pins stands where it is. In place where its constraints are
 * the same but for masses, compliances, damping and pins; new tables for others, with levels, and
 * where other pins meet colliders under self-collision.
 * WEFT_ERROR_ARGUMENT for other particles or triangles; else as weft_solver_create. */
WEFT_API weft_result weft_solver_set_model(weft_solver *solver, const weft_model *model,
                                           weft_error *err);

/* Pins particles, [count], releases them, or holds them softly, where they are:
 *
 *   weight 1       pinned, as weft_pin does it
 *   weight 0       free
 *   in between     a spring holds each at its place. All soft pins together are as stiff as
 *                  w/(1 - w) * 2500/s^2 times the mass of what is not pinned, shared evenly among
 *                  them: a cloth that hangs from pins of weight 0.5 hangs 4 mm lower, whatever its
 *                  mesh. Each is damped with half of what is critical for the mass that it
 *                  shares.
 *
 * weft_solver_move_pins moves soft pins too. To and from weight 1 it is like another model, which
 * is the solver's own (weft_solver_model), and attachments are measured anew; among other weights
 * it is at once, but for the first soft pins of a solver and whenever there are more of them than
 * twice as many as before: these take new tables.
 * WEFT_ERROR_ARGUMENT for a particle that does not exist or is attached, for a weight that is not
 * from 0 to 1, and for joined models. */
WEFT_API weft_result weft_solver_set_pins(weft_solver *solver, const uint32_t *particles,
                                          uint32_t count, float weight, weft_error *err);
/* 0 to 1; 0 for what does not exist. */
WEFT_API float weft_solver_pin_weight(const weft_solver *solver, uint32_t particle);

/* What a collider shall be at the end of the next frame: it goes there from what it is, its points,
 * rotation, size and offset in straight lines over the substeps, so that friction and the sweep see
 * how it moves, and stays. Of the same shape. Keys are no more: to keep them use
 * weft_solver_move_collider. A reset brings it back to what it was when it was made, or to where
 * its keys began; a state, to where it had it.
 *
 * At once, but with self-collision another size or friction takes new tables.
 * WEFT_ERROR_ARGUMENT for a collider that does not exist, another shape, keys, what
 * weft_solver_create refuses, and a turn of more than a quarter in a substep. */
WEFT_API weft_result weft_solver_place_collider(weft_solver *solver, uint32_t collider,
                                                const weft_collider *to, weft_error *err);
/* Another collider, the last one: *index, which may be NULL, is its number. Without self-collision
 * it pushes out what is inside of it in a substep, with it at 1/8 m/s. New tables.
 * WEFT_ERROR_ARGUMENT as of weft_solver_create. */
WEFT_API weft_result weft_solver_add_collider(weft_solver *solver, const weft_collider *collider,
                                              uint32_t *index, weft_error *err);
/* Those after it move up. New tables. */
WEFT_API weft_result weft_solver_remove_collider(weft_solver *solver, uint32_t collider,
                                                 weft_error *err);

/* Another body, the last one, where its mesh is: *index, which may be NULL, is its number.
 * Triangles of the cloth that it passes through now are not kept apart from it: `tangled` of the
 * parameters says whether that is refused. A first one switches self-collision on. New tables.
 * Errors as of weft_solver_create. */
WEFT_API weft_result weft_solver_add_body(weft_solver *solver, const weft_body *body,
                                          uint32_t *index, weft_error *err);
/* Those after it move up. Self-collision stays on. New tables. */
WEFT_API weft_result weft_solver_remove_body(weft_solver *solver, uint32_t body, weft_error *err);

/* ---- a budget of time ---- */

/* Seconds that a frame may take; 0: as long as it takes, which is the default. Where frames come
 * later, they are made of fewer substeps, by steps down to a quarter of those of the parameters,
 * and of more again where there is time for them. The method, certificates and all else stay: cloth
 * stretches more, with about the square of how many fewer they are. weft_metrics says how many
 * there are and how many frames were late. What a frame takes is measured by the clock of the
 * thread that calls weft_solver_step, on the backend gl by that of the GPU, some frames later; so
 * results depend on the machine and its load. The first change to a number of substeps takes new
 * tables, which are kept; later ones copy the state. weft_solver_params says what runs; to set
 * these or those that were asked for changes nothing here. WEFT_ERROR_ARGUMENT for a number that is
 * not from 0 to 10. */
WEFT_API weft_result weft_solver_set_budget(weft_solver *solver, double seconds, weft_error *err);

/* ---- states ---- */

/* All that decides the frames to come beside model, parameters, colliders and bodies: positions,
 * velocities, where pins and bodies are on their way, what friction remembers, what is held, time.
 */
typedef struct weft_state weft_state;

/* Keeps the solver's state. *state is made where it is NULL, else used again, without an allocation
 * where nothing has grown. Waits for the device. */
WEFT_API weft_result weft_solver_keep_state(weft_solver *solver, weft_state **state,
                                            weft_error *err);
/* Back to it, bit for bit: later frames are those that followed it. The solver must be the one it
 * was kept of, or one of the same model, backend and parameters with as many colliders and bodies.
 * WEFT_ERROR_ARGUMENT for one of other sizes. */
WEFT_API weft_result weft_solver_set_state(weft_solver *solver, const weft_state *state,
                                           weft_error *err);
WEFT_API void weft_state_destroy(weft_state *state);

/* The same as bytes, for a file: to be freed with weft_free. They say whose state they are, and
 * mean the same on every machine. WEFT_ERROR_NOT_FINITE where the state is infinite or NaN. */
WEFT_API weft_result weft_solver_save(weft_solver *solver, void **bytes, size_t *size,
                                      weft_error *err);
/* Back to it, bit for bit, in any solver whose model, parameters, colliders and bodies are those of
 * the one that was saved, on whatever backend; weft_backend_f64 keeps positions and velocities to
 * the precision of float. Where nothing moved and why is known again after a frame.
 * WEFT_ERROR_ARGUMENT for another solver, and the sentence says what differs; WEFT_ERROR_FORMAT for
 * bytes that are cut, damaged, of another version or of something else. */
WEFT_API weft_result weft_solver_load(weft_solver *solver, const void *bytes, size_t size,
                                      weft_error *err);

/* ---- instances of a joined model ----
 * Counted from 0, weft_model_part_count of them; another model is one. Each has as many particles,
 * [particles of one] in the arrays here. */

/* As weft_solver_read, of one instance. WEFT_ERROR_ARGUMENT for one that does not exist. */
WEFT_API weft_result weft_solver_read_instance(weft_solver *solver, uint32_t instance,
                                               weft_vec3 *positions, weft_vec3 *velocities,
                                               weft_error *err);
/* As weft_solver_write, of one instance: what contact remembers of it is forgotten, and others go
 * on as if nothing had been written. At once. */
WEFT_API weft_result weft_solver_write_instance(weft_solver *solver, uint32_t instance,
                                                const weft_vec3 *positions,
                                                const weft_vec3 *velocities, weft_error *err);
/* Those that are marked, [instances], begin anew at their start, at rest. Time, wind, and where
 * colliders are, are those of all and go on. Where these do not depend on time, their later frames
 * have the bits of a fresh solver's; and all others those of a solver in which nothing was reset,
 * as long as none has gone so far that positions count from another origin: some times its size.
 * At once. */
WEFT_API weft_result weft_solver_reset_instances(weft_solver *solver, const bool *marked,
                                                 weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
