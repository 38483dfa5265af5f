/* overlay.c: the host's theory, where there is any. */
#include "overlay.h"

weft_result weft_demo_overlay_open(weft_demo_session *s, weft_error *err) {
  const weft_demo_theory *how = s->host->theory;
  return how ? how->open(s->host->user, &s->scene, s->solver, s->gl, &s->theory, err) : WEFT_OK;
}

void weft_demo_overlay_close(weft_demo_session *s) {
  if (s->theory) s->host->theory->close(s->theory);
  s->theory = NULL;
}

void weft_demo_overlay_step(weft_demo_session *s) {
  if (s->theory) s->host->theory->step(s->theory, s->solver);
}

void weft_demo_overlay_restart(weft_demo_session *s, bool forget_trails) {
  if (s->theory) s->host->theory->restart(s->theory, s->solver, forget_trails);
}

double weft_demo_session_apart(weft_demo_session *s) {
  return s->theory ? s->host->theory->measure(s->theory, s->solver) : -1;
}

/* Theory leaves out what the user pulls. */
void weft_demo_overlay_show(const weft_demo_session *s, weft_picture *picture) {
  bool held = s->led != WEFT_NO_PARTICLE || weft_solver_grabbed(s->solver) != WEFT_NO_PARTICLE;
  if (s->theory) {
    s->host->theory->show(s->theory, !s->hide_trails, !s->hide_analytic && !held, picture);
  }
}
