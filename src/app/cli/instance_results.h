/* instance_results.h: what became of each instance of a joined model. */
#ifndef WEFT_CLI_INSTANCE_RESULTS_H
#define WEFT_CLI_INSTANCE_RESULTS_H

#include "watch.h"

typedef struct weft_instance_result {
  weft_metrics metrics;
  uint64_t hash;
} weft_instance_result;

/* As weft_solver_metrics and weft_solver_hash would say of a run of each alone. results: [parts of
 * the solver's model]; state: the solver's present one. */
weft_result weft_instance_results(weft_solver *solver, const weft_kept_state *state,
                                  weft_instance_result *results, weft_error *err);

#endif
