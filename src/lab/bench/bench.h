/* bench.h: how fast the solver is, measured, as data.
 *
 * A row is one scene at one size on one backend in one mode and schedule: time per frame with its
 * spread, where the time goes by kind of pass, the roofline bound, memory, strain and the hash of
 * the final state. weft_bench_run measures rows; as JSON they are kept, compared with others, and
 * fitted over sizes. Nothing is printed. */
#ifndef WEFT_BENCH_H
#define WEFT_BENCH_H

#include <jansson.h>
#include <weft_gl/gl.h>

#include "inspect.h"
#include "scenes.h"
#include "watch.h"

enum { WEFT_BENCH_MAX_SAMPLES = 1000, WEFT_BENCH_MAX_NAMES = 16 };

/* ---- what is asked for ---- */

typedef struct weft_bench_names {
  char text[WEFT_BENCH_MAX_NAMES][32];
  uint32_t count;
} weft_bench_names;

/* How each row is measured. */
typedef struct weft_bench_plan {
  uint32_t samples, frames; /* timed runs, and frames of each */
  uint32_t warm_up_runs;    /* before the timed ones */
  uint32_t warm_up_frames;  /* before the timed ones; 0: these begin at the rest pose */
  bool passes;              /* time each kind of pass as well, and what bounds it */
  weft_gl *gl;              /* NULL without */
  uint32_t threads;         /* of the backend cpu; 0: all */
  bool (*stops)(void);      /* looked at after every frame: whether to end. NULL: never */
  void (*kept)(void);       /* called when there is something to be kept. NULL: never */
  struct weft_bench_progress *progress; /* weft_bench_run's own */
} weft_bench_plan;

typedef struct weft_bench_request {
  weft_bench_names scenes, sizes, backends;
  bool mesh; /* the one scene is a mesh of a file, whose only size is what it has */
  weft_bench_names modes, schedules; /* none: those of the scene */
  weft_bench_plan plan;
  /* Makes a scene of a size, with whatever else was asked for. */
  weft_result (*make_scene)(void *user, const char *name, uint32_t size, weft_scene_instance *scene,
                            weft_error *err);
  void *user;
  const char *more_settings; /* what else rows depend on: "3 instances, density 1 to 2"; "": nothing
                              */
  const char *const *around; /* what stands around the cloth beside what scenes bring, all of it:
                                "ground 0.1", and NULL at its end. NULL: nothing */
} weft_bench_request;

/* ---- what is measured ---- */

/* Milliseconds a frame over the samples. */
typedef struct weft_bench_times {
  double median, p95, min;
  double lower, upper; /* quartiles: half of the samples lie between */
} weft_bench_times;

/* All passes of a kind, a frame: how often it runs (with scenes that move, on average), with gl how
 * many dispatches that is, which a pass over nothing may do without, and its time in runs of their
 * own. */
typedef struct weft_bench_pass {
  double runs, dispatches, ms;
  double bytes, roofline_ms; /* that must move; how long that takes at least */
} weft_bench_pass;

/* What a roofline bound is made of, measured on the same device before and after the row. */
typedef struct weft_bench_machine {
  uint64_t copied;    /* bytes of the copy */
  double bytes_per_s; /* read and written together; 0: it could not be timed */
  const char *copier; /* what reached that */
  double dispatch_s;  /* of a pass that does nothing */
} weft_bench_machine;

typedef struct weft_bench_row {
  char scene[32];
  uint32_t size, particles, colours;
  uint64_t constraints;
  const char *backend, *mode, *schedule;
  weft_params params; /* as it ran, with the defaults put in */
  char settings[640]; /* all else that must be the same in rows that are compared */
  uint32_t substeps, iterations, warmup, frames, samples;
  weft_bench_times ms;
  double processor_ms;                 /* of all threads of the process, a frame: the median */
  double rate;                         /* constraint projections a second, from the median */
  double scene_ms, solver_ms;          /* set-up: mesh and preprocessing; the solver's buffers */
  uint64_t host_peak, preprocess_peak; /* max bytes resident; 0: the system does not say */
  uint64_t host_before;                /* resident before the scene was made */
  uint64_t buffer_bytes;               /* the solver's buffers: on gl memory of the GPU */
  double dispatches, gl_calls;         /* of a timed frame, with gl: by count; else 0 */
  weft_metrics metrics;                /* of the state the hash is of */
  weft_strain_seen seen;   /* p99 along threads on the way there, the last state included */
  double max_p99;          /* of all stretch, likewise the max seen */
  weft_strain_choice held; /* the limit of strain the scene is held to; target 0: none */
  weft_params chosen;      /* the scene's parameters, without colliders */
  uint64_t hash;
  weft_bench_pass passes[WEFT_TIMED_KINDS]; /* this and what follows: where they are timed */
  const char *pass_clock;                   /* what took their time */
  weft_bench_machine machine;
  double roofline_bytes, roofline_ms; /* of a frame */
  const char *roofline_of; /* what moves its bytes by itself: "each pass", "each substep" */
} weft_bench_row;

/* A row that was asked for and cannot be: what, and why. */
typedef struct weft_bench_left {
  char what[120], why[360];
} weft_bench_left;

typedef struct weft_bench_table {
  weft_bench_row *rows;
  size_t count, capacity;
  const char *const *around; /* as of the request */
  bool missing;              /* a wanted backend did not run */
  bool cut;                  /* plan.stops ended it; the row in progress is not among the rows */
  weft_bench_left *left;
  size_t left_count, left_capacity;
  weft_result left_for; /* the first of them */
  double load;          /* before the first row; see weft_machine_load */
  uint32_t processors;
} weft_bench_table;

/* Measures every row that is asked for. What the solver refuses is left out with its sentence; an
 * error when nothing else remains. */
weft_result weft_bench_run(const weft_bench_request *request, weft_bench_table *table,
                           weft_error *err);
void weft_bench_table_free(weft_bench_table *table);

/* ---- changes of a solver that runs ---- */

enum { WEFT_BENCH_CHANGES = 9 };
const char *weft_bench_change_name(uint32_t change);

/* Made, and taken back: the mean of both, each the least of the samples. */
typedef struct weft_bench_change {
  double ms;       /* of the function itself; 0: there is no such change here */
  double later_ms; /* that the next frame takes longer than the one after it */
} weft_bench_change;

/* A sheet of size x size particles that hangs from two corners, with all defaults. */
typedef struct weft_bench_changed {
  uint32_t size;
  const char *backend;
  bool self; /* with self-collision */
  double frame_ms;
  weft_bench_change changes[WEFT_BENCH_CHANGES];
} weft_bench_changed;

typedef struct weft_bench_changes {
  weft_bench_changed *rows;
  size_t count, capacity;
  bool cut; /* plan.stops ended it */
  double load;
} weft_bench_changes;

/* Of the request sizes, backends and the plan's samples and warm-up frames count. */
weft_result weft_bench_run_changes(const weft_bench_request *request, weft_bench_changes *table,
                                   weft_error *err);
void weft_bench_changes_free(weft_bench_changes *table);

/* ---- figures of a row ---- */

double weft_bench_passes_ms(const weft_bench_pass *passes); /* of all kinds together */
/* Of all kinds of self-collision together. */
weft_bench_pass weft_bench_self(const weft_bench_pass *passes);
double weft_bench_passes_runs(const weft_bench_pass *passes);
double weft_bench_spread(const weft_bench_times *times);    /* (upper - lower) / median */
double weft_bench_roofline_part(const weft_bench_row *row); /* the bound of a frame by its median */
double weft_bench_bytes_per_particle(const weft_bench_row *row);
/* Of the host, at most, preprocessing included; 0: the system does not say. */
double weft_bench_host_bytes_per_particle(const weft_bench_row *row);

/* ---- as JSON ---- */

json_t *weft_bench_json(const weft_bench_table *table, const weft_gl *gl);
/* What was written so; a sentence with file and line when it is anything else. */
weft_result weft_bench_read(const char *path, json_t **all, weft_error *err);

/* How time grows with size in the rows of a file: an array with an object for each scene, backend,
 * mode, schedule and settings that come in two sizes or more. */
json_t *weft_bench_scaling(const json_t *rows);

/* Rows of `now` against those of `then` that were measured likewise: what became of each
 * ("slower": by more than max_loss, a part), how many are slower or ended in another state. `path`:
 * the file of `then`. */
json_t *weft_bench_compare(const char *path, const json_t *then, const json_t *now,
                           double max_loss);
/* Some rows are compared, none is slower and none ended in another state. */
bool weft_bench_lost_nothing(const json_t *comparison);

#endif
