/* inspect.h: the one door to the inside of a solver, for rooms that look at it: verify, bench,
 * render, demo and cli.
 *
 * What a solver is made of stays in solver.h and backend.h. Here are the data that passes work on
 * (buffers, passes, tables), a frame run piece by piece, states kept and restored, and passes
 * watched while they run. */
#ifndef WEFT_SOLVER_INSPECT_H
#define WEFT_SOLVER_INSPECT_H

#include "exact.h"
#include "find_nonfinite.h"

/* ---- names ---- */

const char *weft_mode_name(weft_mode mode);             /* "gs", as --mode has it */
const char *weft_schedule_name(weft_schedule schedule); /* "auto", as --schedule has it */
int weft_mode_named(const char *name);                  /* -1: none is called so */
int weft_schedule_named(const char *name);
/* What WEFT_KEEP_ bits stand for, in order: "substeps"; NULL past the last. */
const char *weft_kept_name(unsigned kept, uint32_t index);

/* ---- what a solver has ---- */

const weft_backend *weft_solver_backend(const weft_solver *solver);
/* Whether the backend runs all passes at once (WEFT_PASS_WHOLE) instead of one by one. */
bool weft_solver_runs_whole(const weft_solver *solver);
/* The passes of a substep, in order. */
size_t weft_solver_pass_count(const weft_solver *solver);
const weft_pass *weft_solver_pass(const weft_solver *solver, size_t index);
/* Bytes of an element by buffer: doubles are wider. */
weft_result weft_solver_strides(const weft_solver *solver, uint32_t strides[WEFT_BUFFER_COUNT],
                                weft_error *err);
/* All pins as they are on their way: [pinned] each, where the frame begins and ends. */
uint32_t weft_solver_pin_paths(const weft_solver *solver, const weft_vec3 **from,
                               const weft_vec3 **to);

/* ---- running ---- */

/* Runs one pass alone, if it does anything in this frame. */
void weft_solver_run_pass(weft_solver *solver, const weft_pass *pass, uint32_t substep);
/* Returns when everything issued is done. */
void weft_solver_finish(weft_solver *solver);
/* What the driver complained of since the last check, as one sentence naming `what`; blocks. */
weft_result weft_solver_check(weft_solver *solver, const char *what, weft_error *err);
/* Gives a solver of the same model the time and the pins of another. */
void weft_solver_follow(weft_solver *solver, const weft_solver *leader);

/* Called around every pass that a solver issues, until NULL is observed. kind: weft_pass_kind, or
 * WEFT_PASS_WHOLE; before(WEFT_TIMED_KINDS) tells that nothing follows for now, and the solver is
 * about to wait for what was issued. With `wait` each pass is done before `after` is called. */
typedef struct weft_pass_observer {
  void *user;
  void (*before)(void *user, int kind);
  void (*after)(void *user, int kind);
  bool wait;
} weft_pass_observer;
typedef struct weft_observed weft_observed; /* of one solver, from begin to end */
weft_observed *weft_solver_observe(weft_solver *solver, const weft_pass_observer *observer);
void weft_solver_observe_end(weft_observed *observed);

/* ---- a backend alone, over tables of the caller's: no solver and no model ---- */

typedef struct weft_instance weft_instance;
/* guard: bytes of guard words around every buffer, a multiple of 256. */
weft_result weft_instance_create(const weft_backend *backend, const weft_tables *tables,
                                 uint32_t guard, weft_instance **instance, weft_error *err);
void weft_instance_destroy(weft_instance *instance); /* NULL is allowed */
void weft_instance_run(weft_instance *instance, const weft_pass *pass, uint32_t substep);
/* Waits for all that was issued, then reads a whole buffer of `count` elements. */
void weft_instance_read(weft_instance *instance, weft_buffer_id id, uint64_t count, void *data);
/* The first buffer whose guard words changed, or WEFT_BUFFER_COUNT. */
weft_buffer_id weft_instance_broken_guard(weft_instance *instance);

#endif
