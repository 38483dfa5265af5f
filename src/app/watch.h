/* watch.h: stops a run whose state became infinite or NaN, and says which pass did it.
 *
 * A look costs a read-back, so there is one every WEFT_APP_LOOK_EVERY frames and whenever the
 * caller wants the state anyhow. The last state seen finite is kept; from there the frames up to a
 * bad look run again (find_nonfinite.h), and the solver ends up in the last good frame. */
#ifndef WEFT_APP_WATCH_H
#define WEFT_APP_WATCH_H

#include <jansson.h>

#include "app.h"
#include "find_nonfinite.h"
#include "max_strain.h"

enum { WEFT_APP_LOOK_EVERY = 10 };

typedef struct weft_app_watch {
  weft_scene_instance *scene;
  weft_solver *solver;
  weft_kept_state good, latest;
  weft_nonfinite place;   /* found: why the run stopped */
  weft_app_strain strain; /* of the states looked at, when the scene is held to one */
} weft_app_watch;

/* The solver's present state is the first good one. */
weft_result weft_app_watch_open(weft_scene_instance *scene, weft_solver *solver,
                                weft_app_watch *watch, weft_error *err);
void weft_app_watch_close(weft_app_watch *watch); /* a zeroed one as well */

/* After each frame; looks when it is time or `now`. WEFT_ERROR_NOT_FINITE: the sentence names
 * frame, substep, pass and particle, and solver and watch->good hold the last good frame. */
weft_result weft_app_watch_frame(weft_app_watch *watch, bool now, weft_error *err);

/* One frame of the scene, watched. */
weft_result weft_app_watch_step(weft_app_watch *watch, bool now, weft_error *err);

/* Where a run stopped, for reports: frame and substep from 1. */
json_t *weft_nonfinite_json(const weft_solver *solver, const weft_nonfinite *place);

#endif
