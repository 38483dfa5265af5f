/* meter.h: live figures. Times of what runs in GL are read a few pictures later, and only when they
 * are there without waiting: a picture whose turn comes too early goes untimed. The state is
 * measured twice a second, which does wait. */
#ifndef WEFT_DEMO_METER_H
#define WEFT_DEMO_METER_H

#include "gl.h"
#include "ui_state.h"
#include "watch.h"

enum { WEFT_DEMO_TIMER_RING = 4 };

typedef struct weft_demo_meter {
  weft_gl_timer solver[WEFT_DEMO_TIMER_RING], render[WEFT_DEMO_TIMER_RING];
  uint32_t steps[WEFT_DEMO_TIMER_RING]; /* frames inside a solver timer */
  bool pending[WEFT_DEMO_TIMER_RING];   /* not read yet */
  bool timing;                          /* this picture */
  bool by_clock;                        /* the solver does not run in GL */
  double clock_began, clock_seconds[WEFT_DEMO_TIMER_RING];
  uint64_t pictures;
  /* Sums since the figures were last renewed. */
  double since, solver_seconds, render_seconds;
  uint64_t solver_frames, render_pictures, frames_done;
  uint32_t shown_pictures;
  double measured_at;
  uint64_t measured_frame;
  weft_strain_seen strain;
} weft_demo_meter;

void weft_demo_meter_open(weft_demo_meter *meter);
void weft_demo_meter_close(weft_demo_meter *meter);

/* Around the frames of a picture, and around its drawing. */
void weft_demo_meter_solver_begin(weft_demo_meter *meter);
void weft_demo_meter_solver_end(weft_demo_meter *meter, uint32_t steps);
void weft_demo_meter_render_begin(weft_demo_meter *meter);
void weft_demo_meter_render_end(weft_demo_meter *meter);
/* A picture was shown, drawn or as it was. */
void weft_demo_meter_shown(weft_demo_meter *meter);

/* After each picture: renews the UI state's speeds twice a second, and says so. */
bool weft_demo_meter_speeds(weft_demo_meter *meter, const weft_solver *solver, double now,
                            weft_demo_ui *ui);
/* Measures the state when it is time (or `at_once`) and something moved. */
weft_result weft_demo_meter_state(weft_demo_meter *meter, weft_solver *solver, double now,
                                  bool at_once, weft_demo_ui *ui, weft_error *err);

/* Pictures are drawn another way now: their times so far say nothing. */
void weft_demo_meter_forget(weft_demo_meter *meter);

/* Constraints projected in a frame. */
uint64_t weft_demo_projections(const weft_solver *solver);

#endif
