/* bench.h: what the files of `weft bench` share: a row of results, how it is measured, printed and
 * compared. */
#ifndef WEFT_APP_BENCH_H
#define WEFT_APP_BENCH_H

#include <jansson.h>

#include "app.h"
#include "backend.h"
#include "find_nonfinite.h"
#include "max_strain.h"

enum { WEFT_BENCH_MOST_SAMPLES = 1000, WEFT_BENCH_MOST_NAMES = 16 };

typedef struct weft_bench_names {
  char text[WEFT_BENCH_MOST_NAMES][32];
  uint32_t count;
} weft_bench_names;

/* What --hold-strain asks for. */
typedef struct weft_hold_plan {
  float target;    /* a part; 0: nothing is asked for */
  uint32_t frames; /* of a run in which strain is looked at */
} weft_hold_plan;

/* How each row is measured. */
typedef struct weft_bench_plan {
  uint32_t samples, frames, warm_up;
  uint32_t lead;    /* frames before the timed ones; 0: these begin at the rest pose */
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

/* What a floor is made of, measured on the same device before and after the row. */
typedef struct weft_bench_machine {
  uint64_t copied;    /* bytes of the copy */
  double bytes_per_s; /* read and written together; 0: it could not be timed */
  const char *copier; /* what reached that */
  double dispatch_s;  /* of a pass that does nothing */
} weft_bench_machine;

typedef struct weft_hold weft_hold;

typedef struct weft_bench_row {
  char scene[32];
  uint32_t size, particles, colours;
  uint64_t constraints;
  const char *backend, *mode, *schedule;
  char settings[288]; /* all else that must be the same in rows that are compared */
  uint32_t substeps, iterations, lead, frames, samples;
  weft_bench_times ms;
  double processor_ms;           /* of all threads of the process, a frame: the median */
  double rate;                   /* constraint projections a second, from the median */
  double scene_ms, solver_ms;    /* set-up: mesh and cooking; the solver's buffers */
  uint64_t host_peak, cook_peak; /* bytes resident at most; 0: the system does not say */
  uint64_t host_before;          /* resident before the scene was made */
  uint64_t buffer_bytes;         /* the solver's buffers: on gl memory of the GPU */
  weft_metrics metrics;          /* of the state the hash is of */
  weft_strain_seen seen;         /* p99 along threads on the way there, the last state included */
  double most_p99;               /* of all stretch, likewise the largest seen */
  json_t *max_strain;            /* what --max-strain chose and reached; NULL or null without it */
  uint64_t hash;
  weft_bench_pass passes[WEFT_TIMED_KINDS];
  const char *pass_clock; /* what took their time */
  weft_bench_machine machine;
  double floor_bytes, floor_ms; /* of a frame */
  const char *floor_of;         /* what moves its bytes by itself: "each pass", "each substep" */
} weft_bench_row;

/* A row that was asked for and cannot be: what, and why. */
typedef struct weft_bench_left {
  char what[120], why[360];
} weft_bench_left;

typedef struct weft_bench_table {
  weft_bench_row *rows;
  size_t count, capacity;
  bool missing; /* a wanted backend did not run */
  weft_bench_left *left;
  size_t left_count, left_capacity;
  weft_result left_for; /* the first of them */
  double load;          /* before the first row; see weft_bench_load */
  uint32_t processors;
  weft_hold *holds; /* bench_hold.h */
  size_t hold_count, hold_capacity;
} weft_bench_table;

/* All that is asked for. */
typedef struct weft_bench_wish {
  weft_bench_names scenes, sizes, backends, modes, schedules;
  weft_bench_plan plan;
  weft_hold_plan hold;
} weft_bench_wish;

/* Measures every row that is asked for. What the solver refuses is left out with its sentence; an
 * error when nothing else remains. */
weft_result weft_bench_run(const weft_bench_wish *wish, const weft_app_options *options,
                           weft_bench_table *table, weft_error *err);
/* Whether --hold-strain found nothing somewhere. */
bool weft_bench_not_held(const weft_bench_table *table);
void weft_bench_table_free(weft_bench_table *table);

/* -1 for the name of none. */
int weft_bench_mode_named(const char *name);
int weft_bench_schedule_named(const char *name);

/* Fills in what `row` does not say yet; scene, size, settings and cooking are the caller's. */
weft_result weft_bench_measure(const weft_bench_plan *plan, weft_scene_instance *scene,
                               const weft_backend *backend, weft_bench_row *row, weft_error *err);

/* Fills in passes, after everything else, in runs from this state (NULL: the rest pose). */
weft_result weft_bench_time_passes(const weft_bench_plan *plan, weft_scene_instance *scene,
                                   weft_solver *solver, const weft_kept_state *from,
                                   weft_bench_row *row, weft_error *err);
double weft_bench_passes_ms(const weft_bench_pass *passes); /* of all kinds together */
double weft_bench_passes_runs(const weft_bench_pass *passes);

/* Fills in what passes must move, and the floors. strides: bytes of an element, by buffer. */
void weft_bench_count_floor(weft_solver *solver, const uint32_t *strides, weft_bench_row *row);
/* The best of this time and of those before, whose results are in *machine (zeros: none). */
weft_result weft_bench_measure_machine(const weft_bench_plan *plan, const char *backend,
                                       uint64_t buffer_bytes, weft_bench_machine *machine,
                                       weft_error *err);

/* (upper - lower) / median. */
double weft_bench_spread(const weft_bench_times *times);
/* The floor of a frame by its median. */
double weft_bench_floor_part(const weft_bench_row *row);
double weft_bench_bytes_per_particle(const weft_bench_row *row);
/* Of the host, at most, cooking included; 0: the system does not say. */
double weft_bench_host_bytes_per_particle(const weft_bench_row *row);

/* Back to where timed runs begin. NULL: the rest pose. */
weft_result weft_bench_rewind(weft_solver *solver, const weft_kept_state *from, weft_error *err);
/* One run of so many frames from there: seconds a frame by the clock, and of processors, whatever
 * others do meanwhile. */
typedef struct weft_bench_spent {
  double seconds, processor;
} weft_bench_spent;
weft_result weft_bench_run_frames(weft_scene_instance *scene, weft_solver *solver,
                                  const weft_kept_state *from, uint32_t frames,
                                  weft_bench_spent *spent, weft_error *err);
/* Sorts the seconds. */
weft_bench_times weft_bench_times_of(double *seconds, uint32_t samples);

/* Most memory this process has had resident since the last reset, bytes; 0 where the system does
 * not say. Where it lets nobody reset that (it is Linux's /proc/self/clear_refs), since the start.
 */
uint64_t weft_bench_peak_memory(void);
bool weft_bench_reset_peak(void);
/* Processes that wanted to run in the last minute, on average; NaN: the system does not say. */
double weft_bench_load(void);
/* Resident now, what is free in the heap given back before. */
uint64_t weft_bench_resident_memory(void);

/* y = factor * x^exponent, and how far the farthest point lies off it, as a part. NaN for fewer
 * than two different x. */
typedef struct weft_bench_fit {
  double exponent, factor, off;
} weft_bench_fit;
weft_bench_fit weft_bench_fit_power(const double *x, const double *y, size_t count);
void weft_bench_print_scaling(FILE *file, const json_t *scaling);

/* How time grows with size in the rows of a file: an array with an object for each scene, backend,
 * mode, schedule and settings that come in two sizes or more. */
json_t *weft_bench_scaling(const json_t *rows);

/* Settings of rows in words, each once: "cpu", "20 substeps x 1 iterations, ...". */
typedef void weft_bench_say(void *user, const char *name, const char *text);
void weft_bench_say_settings(const json_t *rows, weft_bench_say *say, void *user);

void weft_bench_print_table(FILE *file, const weft_bench_table *table, const char *driver);
void weft_bench_print_csv(FILE *file, const weft_bench_table *table, const char *driver);
json_t *weft_bench_json(const weft_bench_table *table, weft_gl *gl);

/* What bench --format json wrote; a sentence with file and line when it is anything else. */
weft_result weft_bench_read(const char *path, json_t **all, weft_error *err);
/* Rows of `now` against those of `then` that were measured likewise, as JSON: what became of each
 * ("slower": by more than max_loss, a part), how many are slower or ended in another state. `path`:
 * the file of `then`. */
json_t *weft_bench_compare(const char *path, const json_t *then, const json_t *now,
                           double max_loss);
/* Some rows are compared, none is slower and none ended in another state. */
bool weft_bench_lost_nothing(const json_t *comparison);
void weft_bench_print_comparison(FILE *file, const json_t *comparison);

/* A sentence when times of this build mean nothing, else NULL. */
const char *weft_bench_slow_build(void);

#endif
