/* make_solver.c: a solver of the session's scene, where another is. */
#include <weft/change.h>

#include "session.h"

/* Those that the user pinned and freed in `from`, of as many particles. */
static weft_result carry_pins(const weft_model *from, weft_solver *to, weft_error *err) {
  const weft_model *model = weft_solver_model(to);
  const uint32_t count = weft_model_particle_count(model);
  uint32_t *moved[2], some[2] = {0, 0};
  for (int pins = 0; pins < 2; ++pins) moved[pins] = weft_alloc(count, sizeof *moved[pins]);
  for (uint32_t i = 0; i < count; ++i) {
    const bool pinned = weft_model_is_pinned(from, i);
    if (pinned != weft_model_is_pinned(model, i)) moved[pinned][some[pinned]++] = i;
  }
  weft_result result = WEFT_OK;
  for (int pins = 0; pins < 2; ++pins) {
    if (result == WEFT_OK && some[pins]) {
      result = weft_solver_set_pins(to, moved[pins], some[pins], (float)pins, err);
    }
    weft_free(moved[pins]);
  }
  return result;
}

weft_result weft_demo_session_make(const weft_demo_session *session, const weft_params *params,
                                   weft_solver *from, weft_solver **solver, weft_error *err) {
  *solver = NULL;
  weft_result result =
      weft_solver_create(session->scene.model, params, session->backend, solver, err);
  if (result == WEFT_OK && from) result = carry_pins(weft_solver_model(from), *solver, err);
  if (result == WEFT_OK && from) result = weft_solver_copy_state_from(*solver, from, err);
  if (result == WEFT_OK) return WEFT_OK;
  weft_solver_destroy(*solver);
  *solver = NULL;
  return result;
}
