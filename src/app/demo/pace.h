/* pace.h: how finely to draw, by how long pictures take.
 *
 * A processor begins coarse and a GPU fine. Finer comes when the times so far promise that it is
 * quick enough, and at once when nothing moves: one picture may then take long. */
#ifndef WEFT_DEMO_PACE_H
#define WEFT_DEMO_PACE_H

#include "ui_state.h"

typedef struct weft_demo_pace {
  weft_demo_quality moving; /* while the picture changes */
  double first;             /* ms; the first since a change, when drivers compile: not believed */
  double left;              /* ms of the finer one that was too slow, until ... */
  double finer_by[WEFT_DEMO_COARSE + 1]; /* ... it is known how many times as long it takes */
} weft_demo_pace;

/* Where a driver begins. */
weft_demo_quality weft_demo_pace_begin(weft_demo_pace *pace, bool software);
/* Now. ms: a picture takes as drawn now, 0: not known; rest: seconds since anything moved. */
weft_demo_quality weft_demo_pace_next(weft_demo_pace *pace, weft_demo_quality drawn, double ms,
                                      double rest);
/* Another scene or size: times so far say nothing. */
void weft_demo_pace_forget(weft_demo_pace *pace);

#endif
