/* hold.h: the search for the cheapest setting that keeps strain under a target.
 *
 * Settings that may hold it (mode, schedule, iterations, attachments, levels) are tried one after
 * the other. For each, runs of the whole stated length look for the fewest substeps that hold, and
 * for each backend all candidates that hold are then timed in turn. Nothing is taken from a rule;
 * what
 * --max-strain would choose is one of the candidates, and says so. */
#ifndef WEFT_BENCH_HOLD_H
#define WEFT_BENCH_HOLD_H

#include "bench.h"

enum { WEFT_HOLD_MAX_TRIES = 48, WEFT_HOLD_MAX_PROBES = 16 };

/* One run. */
typedef struct weft_hold_probe {
  uint32_t substeps;
  double strain; /* the largest p99 seen; infinite when the state was */
  double ms;     /* a frame, processor time of the one thread that searches */
  bool held;
} weft_hold_probe;

/* One setting. */
typedef struct weft_hold_try {
  weft_params params; /* substeps: the fewest that held, else the last that were tried */
  bool by_rule;       /* as --max-strain chooses */
  weft_hold_probe probes[WEFT_HOLD_MAX_PROBES];
  uint32_t probe_count;
  bool held;
  double strain, search_ms; /* of the run that held */
  double min;               /* strain of all its runs, and with how many substeps */
  uint32_t min_substeps;
  uint32_t samples; /* on the backend; 0: not timed there */
  weft_bench_times ms;
  char lost[200]; /* why it is not the one; empty: it is */
} weft_hold_try;

struct weft_hold {
  char scene[32];
  uint32_t size, particles;
  const char *backend, *searched_on;
  double target;
  uint32_t frames, sample_from, sample_every; /* of a run; frames from 1 */
  uint32_t runs;
  double search_s;
  unsigned kept;          /* WEFT_KEEP_ bits of what was given and stays */
  bool lines_given;       /* and so are lines */
  float multilevel_slack; /* of candidates with levels */
  weft_hold_try tries[WEFT_HOLD_MAX_TRIES];
  uint32_t count;
  int best; /* -1: nothing held it */
};

/* Everything but the search. */
void weft_hold_begin(const weft_bench_request *request, const weft_bench_row *input,
                     const weft_scene_instance *scene, weft_hold *hold);
/* Fills in candidates and whether they hold. */
weft_result weft_hold_search(const weft_bench_request *request, weft_scene_instance *scene,
                             const weft_backend *backend, weft_hold *hold, weft_error *err);
/* Times those that hold, and chooses. */
weft_result weft_hold_time(const weft_bench_request *request, weft_scene_instance *scene,
                           const weft_backend *backend, weft_hold *hold, weft_error *err);

/* Whether two schedules project in the same order, so that the states are the same. */
bool weft_hold_same_order(weft_schedule a, weft_schedule b);

/* "24 x 1, gs, all levels, 1 attachment" */
void weft_hold_describe(const weft_params *params, char *text, size_t size);
json_t *weft_hold_json(const weft_bench_table *table);

#endif
