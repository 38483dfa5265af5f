/* clock.c: the account of simulated time. */
#include "clock.h"

static const double slowest = 1.0 / 32, fastest = 4, window = 0.5;
/* Losing less than this is jitter. */
static const double tolerated = 0.05;

void weft_demo_clock_start(weft_demo_clock *clock) {
  *clock = (weft_demo_clock){.speed = 1, .achieved = 1};
}

void weft_demo_clock_forgive(weft_demo_clock *clock) {
  clock->owed = clock->wall = clock->done = clock->lost = 0;
}

void weft_demo_clock_slower(weft_demo_clock *clock) {
  if (clock->speed > slowest) clock->speed /= 2;
}

void weft_demo_clock_faster(weft_demo_clock *clock) {
  if (clock->speed < fastest) clock->speed *= 2;
}

static void measure(weft_demo_clock *clock, double wall, double done, double lost) {
  clock->wall += wall;
  clock->done += done;
  clock->lost += lost;
  if (clock->wall < window) return;
  clock->achieved = clock->done / clock->wall;
  clock->too_slow = clock->lost > tolerated * (clock->done + clock->lost);
  clock->wall = clock->done = clock->lost = 0;
}

static uint32_t pay(weft_demo_clock *clock, double frame_dt, double *lost) {
  /* A sum of many wall times may fall short of a frame by rounding. */
  double frames = clock->owed / frame_dt + 1e-9;
  uint32_t max = clock->max ? clock->max : WEFT_DEMO_MAX_STEPS;
  uint32_t steps = frames < max ? (uint32_t)frames : max;
  clock->owed -= steps * frame_dt;
  if (clock->owed < 0) clock->owed = 0;
  *lost = 0;
  if (clock->owed > frame_dt) { /* never owe more than the frame that is under way */
    *lost = clock->owed - frame_dt;
    clock->owed = frame_dt;
  }
  return steps;
}

uint32_t weft_demo_clock_advance(weft_demo_clock *clock, double wall, double frame_dt) {
  double lost = 0;
  uint32_t steps;
  if (clock->paused) {
    steps = clock->single;
    clock->owed = 0;
  } else {
    if (wall > 0) clock->owed += wall * clock->speed;
    steps = pay(clock, frame_dt, &lost);
  }
  clock->single = 0;
  measure(clock, wall, steps * frame_dt, lost);
  return steps;
}
