/* step.c: a frame, within a budget of time or without one. */
#include "base.h"
#include "solver.h"

static weft_result run_frame(weft_solver *solver, weft_error *err) {
  weft_solver_begin_frame(solver);
  bool again = true;
  while (again) {
    weft_solver_run_substeps(solver, 0, solver->params.substeps);
    const weft_result result = weft_solver_again(solver, &again, err);
    if (result != WEFT_OK) return result;
  }
  weft_solver_end_frame(solver);
  return WEFT_OK;
}

static weft_result run_in_budget(weft_solver *solver, weft_error *err) {
  const weft_backend *backend = solver->backend;
  const double start = weft_clock_seconds();
  if (backend->time_frame) backend->time_frame(solver->instance, true);
  const weft_result result = run_frame(solver, err);
  if (result != WEFT_OK) return result;
  if (backend->time_frame) backend->time_frame(solver->instance, false);
  const double seconds = backend->frame_seconds ? backend->frame_seconds(solver->instance)
                                                : weft_clock_seconds() - start;
  weft_error why = {0};
  if (weft_budget_see(solver, seconds, &why) == WEFT_OK) return WEFT_OK;
  weft_budget_free(solver);
  weft_log(WEFT_LOG_WARNING, "there is no budget of time any longer: %s", why.message);
  return WEFT_OK;
}

weft_result weft_solver_step(weft_solver *solver, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  return solver->budget ? run_in_budget(solver, err) : run_frame(solver, err);
}
