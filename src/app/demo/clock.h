/* clock.h: how many frames of fixed length to simulate before the next picture.
 *
 * Wall time goes into an account, frames are paid from it ("Fix your timestep", Fiedler 2004). The
 * length of a frame never changes, so the state after n frames is the same on every machine. What a
 * slow machine cannot pay is struck off: the motion becomes slower, and too_slow says so. */
#ifndef WEFT_DEMO_CLOCK_H
#define WEFT_DEMO_CLOCK_H

#include <weft/types.h>

enum { WEFT_DEMO_MAX_STEPS = 4 }; /* frames simulated for one picture */

/* Zero-initialise; weft_demo_clock_start before the first use. */
typedef struct weft_demo_clock {
  double speed; /* wanted: simulated seconds per second */
  bool paused;
  uint32_t single; /* frames to simulate although paused */
  uint32_t max;    /* frames for one picture: few where they are slow, so that the window still
                       answers. Default, at 0: WEFT_DEMO_MAX_STEPS */
  double owed;     /* simulated seconds */
  /* Over about the last half second. */
  double achieved; /* simulated seconds per second */
  bool too_slow;   /* some of what was owed could not be paid */
  double wall, done, lost;
} weft_demo_clock;

/* Real time, nothing owed. */
void weft_demo_clock_start(weft_demo_clock *clock);
/* Forgets what is owed, after a stop that was not the machine's fault. */
void weft_demo_clock_forgive(weft_demo_clock *clock);
/* Half or twice the speed, within 1/32 and 4. */
void weft_demo_clock_slower(weft_demo_clock *clock);
void weft_demo_clock_faster(weft_demo_clock *clock);
/* `wall` seconds have passed: the frames of frame_dt seconds to simulate now. */
uint32_t weft_demo_clock_advance(weft_demo_clock *clock, double wall, double frame_dt);

#endif
