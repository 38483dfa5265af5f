/* watch.h: a run that is looked at now and then: whether it is still finite, and how far it
 * stretches.
 *
 * A look costs a read-back, so there is one every WEFT_WATCH_EVERY frames and whenever the caller
 * wants the state anyhow. The last state seen finite is kept; from there the frames up to a bad
 * look run again (find_nonfinite.h), and the solver ends up in the last good frame. */
#ifndef WEFT_VERIFY_WATCH_H
#define WEFT_VERIFY_WATCH_H

#include "inspect.h"
#include "scenes.h"
#include "still_seen.h"

enum { WEFT_WATCH_EVERY = 10 }; /* frames */

/* p99 of strain along threads, sampled over a run. */
typedef struct weft_strain_seen {
  uint32_t samples;
  double max, last; /* parts */
  uint64_t max_frame, last_frame;
} weft_strain_seen;

void weft_strain_add(weft_strain_seen *seen, double p99, uint64_t frame);
/* The same of positions; costs nothing for a scene that is held to no strain. */
void weft_strain_sample(weft_strain_seen *seen, const weft_scene_instance *scene, const vec4 *x,
                        uint64_t frame);
/* Whether it was sampled and never above the target. */
bool weft_strain_held(const weft_strain_choice *choice, const weft_strain_seen *seen);

/* Where and why a run stopped, in a form that outlives the solver. */
typedef struct weft_stop {
  bool found;
  uint64_t frame;           /* from 1 */
  uint32_t substep;         /* from 1 */
  char pass[64], group[32]; /* group "": the pass serves none */
  uint32_t batch;           /* within the group */
  uint32_t particle;        /* its number in files and messages; UINT32_MAX: none */
  char text[256];           /* weft_nonfinite_describe */
} weft_stop;

void weft_stop_describe(const weft_solver *solver, const weft_nonfinite *found, weft_stop *stop);

/* Where cloth held a body back by more than WEFT_LAG_THICKNESSES: the worst of the states looked
 * at. What is less shows no more than thickness does. */
enum { WEFT_LAG_THICKNESSES = 3 };
typedef struct weft_lag_seen {
  uint32_t looks;          /* in which one was */
  uint32_t body, vertices; /* that lagged, in the worst of them */
  double most;             /* m */
  uint64_t frame;
} weft_lag_seen;
weft_result weft_lag_sample(weft_lag_seen *seen, weft_solver *solver, weft_error *err);

typedef struct weft_watch {
  weft_scene_instance *scene;
  weft_solver *solver;
  weft_kept_state good, latest;
  weft_stop stop;          /* found: why the run stopped */
  weft_strain_seen strain; /* of the states looked at, when the scene is held to one */
  weft_lag_seen lag;       /* of them as well */
  weft_still_seen still;   /* of every frame */
} weft_watch;

/* The solver's present state is the first good one. */
weft_result weft_watch_open(weft_scene_instance *scene, weft_solver *solver, weft_watch *watch,
                            weft_error *err);
void weft_watch_close(weft_watch *watch); /* a zeroed one as well */

/* After each frame; looks when it is time or `now`. WEFT_ERROR_NOT_FINITE: the sentence names
 * frame, substep, pass and particle, and solver and watch->good hold the last good frame. */
weft_result weft_watch_frame(weft_watch *watch, bool now, weft_error *err);

/* One frame of the scene, watched. */
weft_result weft_watch_step(weft_watch *watch, bool now, weft_error *err);

#endif
