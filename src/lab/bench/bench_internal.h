/* bench_internal.h: the steps in which a row is measured. */
#ifndef WEFT_BENCH_INTERNAL_H
#define WEFT_BENCH_INTERNAL_H

#include "bench.h"

/* ---- progress.c: one bar over all rows ---- */

typedef struct weft_bench_progress {
  double all, done, row; /* what all rows, those before this one, and this one cost, about */
  uint32_t number, count;
  char what[96];
} weft_bench_progress;

/* Counts the rows that the request asks for. */
void weft_bench_progress_begin(const weft_bench_request *request, weft_bench_progress *progress);
void weft_bench_progress_next(const weft_bench_request *request, const char *scene, uint32_t size,
                              const char *backend);
/* So much of the row is done, 0 to 1. */
void weft_bench_progress_show(const weft_bench_plan *plan, double part);

/* ---- ending early ---- */

/* Not WEFT_OK once plan->stops says so, for whatever comes next to unwind; weft_bench_run alone
 * knows it from errors. */
#define WEFT_BENCH_STOPPED ((weft_result)1000)
weft_result weft_bench_go_on(const weft_bench_plan *plan, weft_error *err);

/* ---- run.c ---- */

/* NULL without an error: that backend is not there. */
weft_result weft_bench_find_backend(const char *name, const weft_bench_plan *plan,
                                    const weft_backend **backend, weft_error *err);

/* ---- samples.c: runs from one state ---- */

/* Back to where timed runs begin. NULL: the rest pose. */
weft_result weft_bench_rewind(weft_solver *solver, const weft_kept_state *from, weft_error *err);
/* One run of the plan's frames from there: seconds a frame by the clock, and of processors,
 * whatever others do meanwhile. */
typedef struct weft_bench_spent {
  double seconds, processor;
} weft_bench_spent;
weft_result weft_bench_run_frames(const weft_bench_plan *plan, weft_scene_instance *scene,
                                  weft_solver *solver, const weft_kept_state *from,
                                  weft_bench_spent *spent, weft_error *err);
/* Sorts the seconds. */
weft_bench_times weft_bench_times_of(double *seconds, uint32_t samples);

/* ---- measure.c ---- */

/* Fills in what `row` does not say yet; scene, size, settings and preprocessing are the caller's.
 */
weft_result weft_bench_measure(const weft_bench_plan *plan, weft_scene_instance *scene,
                               const weft_backend *backend, weft_bench_row *row, weft_error *err);

/* ---- passes.c ---- */

/* Fills in passes, after everything else, in runs from this state (NULL: the rest pose). */
weft_result weft_bench_time_passes(const weft_bench_plan *plan, weft_scene_instance *scene,
                                   weft_solver *solver, const weft_kept_state *from,
                                   weft_bench_row *row, weft_error *err);

/* ---- copy.c, roofline.c: the roofline bound ---- */

/* The best of this time and of those before, whose results are in *machine (zeros: none). */
weft_result weft_bench_measure_machine(const weft_bench_plan *plan, const char *backend,
                                       uint64_t buffer_bytes, weft_bench_machine *machine,
                                       weft_error *err);
/* Fills in what passes must move, and the bounds. strides: bytes of an element, by buffer. */
void weft_bench_count_roofline(weft_solver *solver, const uint32_t *strides, weft_bench_row *row);

#endif
