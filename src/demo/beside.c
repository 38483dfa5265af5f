/* beside.c: the host's theory, where there is any. */
#include "beside.h"

weft_result weft_demo_beside_open(weft_demo_stage *s, weft_error *err) {
  const weft_demo_theory *how = s->host->theory;
  return how ? how->open(s->host->user, &s->scene, s->solver, s->gl, &s->theory, err) : WEFT_OK;
}

void weft_demo_beside_close(weft_demo_stage *s) {
  if (s->theory) s->host->theory->close(s->theory);
  s->theory = NULL;
}

void weft_demo_beside_step(weft_demo_stage *s) {
  if (s->theory) s->host->theory->step(s->theory, s->solver);
}

void weft_demo_beside_restart(weft_demo_stage *s, bool forget_trails) {
  if (s->theory) s->host->theory->restart(s->theory, s->solver, forget_trails);
}

double weft_demo_stage_apart(weft_demo_stage *s) {
  return s->theory ? s->host->theory->measure(s->theory, s->solver) : -1;
}

/* Theory knows nothing of a hand. */
void weft_demo_beside_show(const weft_demo_stage *s, weft_picture *picture) {
  bool held = s->led != WEFT_NO_PARTICLE || weft_solver_grabbed(s->solver) != WEFT_NO_PARTICLE;
  if (s->theory) {
    s->host->theory->show(s->theory, !s->hide_trails, !s->hide_twin && !held, picture);
  }
}
