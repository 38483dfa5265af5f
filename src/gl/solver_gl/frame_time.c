/* frame_time.c: what frames take on the GPU, by its own clock. Asked for only while there is a
 * budget of time, and never waited for: a time comes some frames later. */
#include "solver_gl_internal.h"

void weft_gl_time_frame(void *instance, bool begins) {
  weft_gl_instance *self = instance;
  weft_gl_frame_times *t = &self->times;
  weft_gl_make_current(self->gl);
  weft_gl_timer *timer = &t->timers[t->begun % WEFT_GL_FRAME_TIMERS];
  if (begins && t->begun - t->told == WEFT_GL_FRAME_TIMERS) return; /* none is free */
  if (begins) {
    if (!timer->queries[0]) weft_gl_timer_create(timer);
    weft_gl_timer_begin(timer);
    t->open = true;
  } else if (t->open) {
    weft_gl_timer_end(timer);
    t->open = false;
    ++t->begun;
  }
}

double weft_gl_frame_seconds(void *instance) {
  weft_gl_instance *self = instance;
  weft_gl_frame_times *t = &self->times;
  double seconds = 0;
  weft_gl_make_current(self->gl);
  while (t->told < t->begun) {
    const weft_gl_timer *timer = &t->timers[t->told % WEFT_GL_FRAME_TIMERS];
    if (!weft_gl_timer_ready(timer)) break;
    seconds = weft_gl_timer_seconds(timer);
    ++t->told;
  }
  return seconds;
}

void weft_gl_frame_times_destroy(weft_gl_instance *self) {
  for (int k = 0; k < WEFT_GL_FRAME_TIMERS; ++k) {
    if (self->times.timers[k].queries[0]) weft_gl_timer_destroy(&self->times.timers[k]);
  }
}
