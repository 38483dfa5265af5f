/* samples.c: one timed run after the other from the same state, and their statistics. */
#include <stdlib.h>
#include <time.h>

#include "bench_internal.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

weft_result weft_bench_rewind(weft_solver *solver, const weft_kept_state *from, weft_error *err) {
  if (!from) return weft_solver_reset(solver, err);
  weft_solver_restore(solver, from);
  return WEFT_OK;
}

weft_result weft_bench_go_on(const weft_bench_plan *plan, weft_error *err) {
  if (!plan->stops || !plan->stops()) return WEFT_OK;
  return weft_fail(err, WEFT_BENCH_STOPPED, "stopped");
}

weft_result weft_bench_run_frames(const weft_bench_plan *plan, weft_scene_instance *scene,
                                  weft_solver *solver, const weft_kept_state *from,
                                  weft_bench_spent *spent, weft_error *err) {
  weft_result result = weft_bench_rewind(solver, from, err);
  weft_solver_finish(solver);
  clock_t busy = clock();
  double start = weft_clock_seconds();
  for (uint32_t f = 0; f < plan->frames && result == WEFT_OK; ++f) {
    result = weft_scene_step(scene, solver, err);
    if (result == WEFT_OK) result = weft_bench_go_on(plan, err);
  }
  weft_solver_finish(solver);
  spent->seconds = (weft_clock_seconds() - start) / plan->frames;
  spent->processor = (double)(clock() - busy) / CLOCKS_PER_SEC / plan->frames;
  return result;
}

/* ---- figures from samples ---- */

/* Of ascending samples, between two where it falls there. */
static double quantile(const double *sorted, uint32_t count, double part) {
  double at = part * (count - 1);
  uint32_t below = (uint32_t)at;
  uint32_t above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

weft_bench_times weft_bench_times_of(double *seconds, uint32_t samples) {
  qsort(seconds, samples, sizeof *seconds, ascending);
  return (weft_bench_times){
      .median = 1e3 * quantile(seconds, samples, 0.5),
      .p95 = 1e3 * seconds[(uint32_t)(0.95 * (samples - 1) + 0.5)],
      .min = 1e3 * seconds[0],
      .lower = 1e3 * quantile(seconds, samples, 0.25),
      .upper = 1e3 * quantile(seconds, samples, 0.75),
  };
}

double weft_bench_spread(const weft_bench_times *times) {
  return times->median > 0 ? (times->upper - times->lower) / times->median : 0;
}
