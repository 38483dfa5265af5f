/* hold_time.c: the candidates that hold a strain, timed in turn on one backend, and the cheapest of
 * them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_internal.h"
#include "hold.h"

typedef struct racer {
  weft_solver *solver;
  double seconds[WEFT_BENCH_MAX_SAMPLES];
} racer;

/* Schedules of the same order as a candidate that holds hold it, too: the bits are the same. */
static void add_schedules(const weft_bench_request *request, const weft_backend *backend,
                          weft_hold *hold) {
  uint32_t count = hold->count;
  if (strcmp(weft_backend_name(backend), "gl") != 0) return;
  for (uint32_t k = 0; k < request->schedules.count; ++k) {
    weft_schedule schedule = (weft_schedule)weft_schedule_named(request->schedules.text[k]);
    for (uint32_t i = 0; i < count && hold->count < WEFT_HOLD_MAX_TRIES; ++i) {
      const weft_hold_try *candidate = &hold->tries[i];
      if (candidate->params.schedule == schedule || !candidate->held) continue;
      if (!weft_hold_same_order(candidate->params.schedule, schedule)) continue;
      weft_hold_try more = *candidate;
      more.params.schedule = schedule;
      hold->tries[hold->count++] = more;
    }
  }
}

static void drop(racer *r) {
  weft_solver_destroy(r->solver);
  r->solver = NULL;
}

/* The quickest of some runs after warming up; of short ones more, which are disturbed more. */
static weft_result warm_up(const weft_bench_plan *plan, weft_scene_instance *scene, racer *r,
                           weft_error *err) {
  static const double long_enough = 0.1; /* s */
  enum { MAX_RUNS = 20 };
  weft_result result = WEFT_OK;
  double taken = 0, best = INFINITY;
  weft_bench_spent spent = {0};
  for (uint32_t w = 0; w < plan->warm_up_runs && result == WEFT_OK; ++w) {
    result = weft_bench_run_frames(plan, scene, r->solver, NULL, &spent, err);
  }
  for (int k = 0; k < MAX_RUNS && result == WEFT_OK && (k < 2 || taken < long_enough); ++k) {
    result = weft_bench_run_frames(plan, scene, r->solver, NULL, &spent, err);
    best = fmin(best, spent.seconds);
    taken += spent.seconds * plan->frames;
  }
  r->seconds[0] = best;
  return result;
}

/* What takes twice the quickest after warming up is out. */
static weft_result start_all(const weft_bench_plan *plan, weft_scene_instance *scene,
                             const weft_backend *backend, weft_hold *hold, racer *racers,
                             weft_error *err) {
  double best = INFINITY;
  for (uint32_t k = 0; k < hold->count; ++k) {
    weft_hold_try *candidate = &hold->tries[k];
    racer *r = &racers[k];
    weft_error why = {0};
    if (!candidate->held) continue;
    weft_result result =
        weft_solver_create(scene->model, &candidate->params, backend, &r->solver, &why);
    if (result == WEFT_ERROR_LIMIT || result == WEFT_ERROR_ARGUMENT) {
      snprintf(candidate->lost, sizeof candidate->lost, "refused: %.180s", why.message);
      r->solver = NULL;
      continue;
    }
    result = warm_up(plan, scene, r, &why);
    if (result != WEFT_OK) return weft_fail(err, result, "%s", why.message);
    candidate->ms = weft_bench_times_of(r->seconds, 1);
    candidate->samples = 1;
    best = fmin(best, r->seconds[0]);
  }
  for (uint32_t k = 0; k < hold->count; ++k) {
    if (!racers[k].solver || racers[k].seconds[0] < 2 * best) continue;
    snprintf(hold->tries[k].lost, sizeof hold->tries[k].lost,
             "took %.1f times the quickest when it warmed up", racers[k].seconds[0] / best);
    drop(&racers[k]);
  }
  return WEFT_OK;
}

/* In turn, so that whatever else the machine does meets all of them. */
static weft_result race(const weft_bench_plan *plan, weft_scene_instance *scene, weft_hold *hold,
                        racer *racers, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t sample = 0; sample < plan->samples; ++sample) {
    weft_bench_progress_show(plan, 0.8 + 0.2 * sample / plan->samples);
    for (uint32_t k = 0; k < hold->count && result == WEFT_OK; ++k) {
      racer *r = &racers[k];
      if (!r->solver) continue;
      weft_bench_spent spent = {0};
      result = weft_bench_run_frames(plan, scene, r->solver, NULL, &spent, err);
      r->seconds[sample] = spent.seconds;
    }
  }
  for (uint32_t k = 0; k < hold->count && result == WEFT_OK; ++k) {
    if (!racers[k].solver) continue;
    hold->tries[k].ms = weft_bench_times_of(racers[k].seconds, plan->samples);
    hold->tries[k].samples = plan->samples;
  }
  return result;
}

static void choose(weft_hold *hold, const racer *racers) {
  for (uint32_t k = 0; k < hold->count; ++k) {
    if (!racers[k].solver) continue;
    bool better = hold->best < 0 || hold->tries[k].ms.median < hold->tries[hold->best].ms.median;
    if (better) hold->best = (int)k;
  }
  for (uint32_t k = 0; k < hold->count; ++k) {
    weft_hold_try *candidate = &hold->tries[k];
    if (!racers[k].solver || (int)k == hold->best) continue;
    const weft_bench_times *best = &hold->tries[hold->best].ms;
    snprintf(candidate->lost, sizeof candidate->lost, "%.2f times the quickest%s",
             candidate->ms.median / best->median,
             candidate->ms.lower <= best->upper ? ", quartiles overlap" : "");
  }
}

weft_result weft_hold_time(const weft_bench_request *request, weft_scene_instance *scene,
                           const weft_backend *backend, weft_hold *hold, weft_error *err) {
  add_schedules(request, backend, hold);
  racer *racers = weft_alloc(hold->count + 1, sizeof *racers);
  weft_result result = start_all(&request->plan, scene, backend, hold, racers, err);
  if (result == WEFT_OK) result = race(&request->plan, scene, hold, racers, err);
  if (result == WEFT_OK) choose(hold, racers);
  for (uint32_t k = 0; k < hold->count; ++k) drop(&racers[k]);
  weft_free(racers);
  return result;
}
