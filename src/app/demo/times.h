/* times.h: the time of each kind of pass, for the table in the panel.
 *
 * Passes of one kind in a row make a span; a span has a timer. There are so many timers and no
 * more: where a frame has more spans, every n-th is timed, others in the next frame, and the time
 * of a kind is the mean of its timed spans times their number. A frame's timers are read when they
 * come round again, if the results are there; otherwise the frame goes untimed. Nothing ever waits,
 * and while the times are not shown no query is made. A solver that does not run in GL is timed by
 * the clock, a frame in WEFT_DEMO_TIMES_EVERY, since passes run one by one take longer there. */
#ifndef WEFT_DEMO_TIMES_H
#define WEFT_DEMO_TIMES_H

#include "gl.h"
#include "inspect.h"
#include "scenes.h"
#include "ui_state.h"

enum { WEFT_DEMO_TIMES_RING = 4, WEFT_DEMO_TIMES_SPANS = 256, WEFT_DEMO_TIMES_EVERY = 16 };

/* The spans of one frame. */
typedef struct weft_demo_times_frame {
  weft_gl_timer timers[WEFT_DEMO_TIMES_SPANS], whole;
  int kinds[WEFT_DEMO_TIMES_SPANS]; /* weft_pass_kind, or WEFT_PASS_SINGLE */
  uint32_t count;                   /* timed */
  uint32_t ran[WEFT_TIMED_KINDS];   /* in all */
} weft_demo_times_frame;

/* Zero-initialise. */
typedef struct weft_demo_times {
  bool made;     /* the timers; when first wanted, then kept */
  bool by_clock; /* set before the first frame */
  weft_demo_times_frame ring[WEFT_DEMO_TIMES_RING];
  uint64_t frames; /* timed so far */
  /* Sums since the table was last renewed. */
  double seconds[WEFT_TIMED_KINDS], whole_seconds;
  uint64_t timed[WEFT_TIMED_KINDS], ran[WEFT_TIMED_KINDS], frames_read;
  uint64_t queries; /* made so far, for tests */
} weft_demo_times;

/* What is on its way belongs to something else now. */
void weft_demo_times_forget(weft_demo_times *times);
void weft_demo_times_close(weft_demo_times *times); /* a zeroed one as well */

/* As weft_scene_step, with its spans timed. */
weft_result weft_demo_times_step(weft_demo_times *times, weft_scene_instance *scene,
                                 weft_solver *solver, weft_error *err);
/* What was read since the last call, into the UI state's table. Without anything new the table
 * stays.
 */
void weft_demo_times_show(weft_demo_times *times, weft_demo_ui *ui);

#endif
