/* bench.h: what the files of `weft bench` share: a row of results, how it is measured, printed and
 * compared. */
#ifndef WEFT_APP_BENCH_H
#define WEFT_APP_BENCH_H

#include <jansson.h>

#include "app.h"
#include "backend.h"

enum { WEFT_BENCH_MOST_SAMPLES = 1000 };

/* How each row is measured. */
typedef struct weft_bench_plan {
  uint32_t samples, frames, warm_up;
  weft_gl *gl;      /* NULL without */
  uint32_t threads; /* of the backend cpu; 0: all */
} weft_bench_plan;

/* Milliseconds a frame over the samples. */
typedef struct weft_bench_times {
  double median, p95, least;
  double lower, upper; /* quartiles: half of the samples lie between */
} weft_bench_times;

/* All passes of a kind, a frame: how often it runs (with scenes that move, on average) and its time
 * in runs of their own. */
typedef struct weft_bench_pass {
  double runs, ms;
  double bytes, floor_ms; /* that must move; how long that takes at least */
} weft_bench_pass;

/* What a floor is made of, measured on the same device right after the row. */
typedef struct weft_bench_machine {
  uint64_t copied;    /* bytes of the copy */
  double bytes_per_s; /* read and written together; 0: it could not be timed */
  double dispatch_s;  /* of a pass that does nothing */
} weft_bench_machine;

typedef struct weft_bench_row {
  char scene[32];
  uint32_t size, particles, colours;
  uint64_t constraints;
  const char *backend, *mode;
  char settings[160]; /* all else that must be the same in rows that are compared */
  uint32_t substeps, iterations, frames, samples;
  weft_bench_times ms;
  double rate;                   /* constraint projections a second, from the median */
  double scene_ms, solver_ms;    /* set-up: mesh and cooking; the solver's buffers */
  uint64_t host_peak, cook_peak; /* bytes resident at most; 0: the system does not say */
  uint64_t buffer_bytes;         /* the solver's buffers: on gl memory of the GPU */
  weft_metrics metrics;          /* of the state the hash is of */
  json_t *max_strain;            /* what --max-strain chose and reached; NULL or null without it */
  uint64_t hash;
  weft_bench_pass passes[WEFT_PASS_KIND_COUNT];
  const char *pass_clock; /* what took their time */
  weft_bench_machine machine;
  double floor_bytes, floor_ms; /* of a frame: the sum over its passes */
} weft_bench_row;

typedef struct weft_bench_table {
  weft_bench_row *rows;
  size_t count, capacity;
  bool missing; /* a wanted backend did not run */
} weft_bench_table;

/* Fills in what `row` does not say yet; scene, size, settings and cooking are the caller's. */
weft_result weft_bench_measure(const weft_bench_plan *plan, weft_scene_instance *scene,
                               const weft_backend *backend, weft_bench_row *row, weft_error *err);

/* Fills in passes, after everything else: the solver is reset. */
weft_result weft_bench_time_passes(const weft_bench_plan *plan, weft_scene_instance *scene,
                                   weft_solver *solver, weft_bench_row *row, weft_error *err);
double weft_bench_passes_ms(const weft_bench_pass *passes); /* of all kinds together */
double weft_bench_passes_runs(const weft_bench_pass *passes);

/* Fills in what passes must move, and the floors. strides: bytes of an element, by buffer. */
void weft_bench_count_floor(const weft_solver *solver, const uint32_t *strides,
                            weft_bench_row *row);
weft_result weft_bench_measure_machine(const weft_bench_plan *plan, const char *backend,
                                       uint64_t buffer_bytes, weft_bench_machine *machine,
                                       weft_error *err);

/* (upper - lower) / median. */
double weft_bench_spread(const weft_bench_times *times);
/* The floor of a frame by its median. */
double weft_bench_floor_part(const weft_bench_row *row);
double weft_bench_bytes_per_particle(const weft_bench_row *row);

/* Most memory this process has had resident since the last reset, bytes; 0 where the system does
 * not say. Where it lets nobody reset that (it is Linux's /proc/self/clear_refs), since the start.
 */
uint64_t weft_bench_peak_memory(void);
bool weft_bench_reset_peak(void);

void weft_bench_print_table(FILE *file, const weft_bench_table *table, const char *driver);
void weft_bench_print_csv(FILE *file, const weft_bench_table *table, const char *driver);
json_t *weft_bench_json(const weft_bench_table *table, weft_gl *gl);

/* What bench --format json wrote; a sentence with file and line when it is anything else. */
weft_result weft_bench_read(const char *path, json_t **all, weft_error *err);
/* Prints ratios of the rows that both have. True: some are compared, none of them got slower by
 * more than this part, and none ended in another state. */
bool weft_bench_compare(FILE *file, const char *path, const json_t *then, const json_t *now,
                        double most_loss);

/* One page with the rows and plots of them. */
weft_result weft_bench_write_page(const char *path, const json_t *all, weft_error *err);

/* A sentence when times of this build mean nothing, else NULL. */
const char *weft_bench_slow_build(void);

#endif
