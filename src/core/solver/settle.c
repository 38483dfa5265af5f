/* settle.c: what comes before a look at a solver. */
#include "solver.h"

weft_result weft_solver_settle(weft_solver *solver, weft_error *err) {
  WEFT_GUARD_CHANGE(&solver->owned, err);
  solver->backend->finish(solver->instance);
  return WEFT_OK;
}
