/* budget.c: fewer substeps where frames come late.
 *
 * Tables of a number of substeps are made when it is first needed, and kept as a solver that stands
 * by: to change to it is to copy the state. */
#include <math.h>
#include <string.h>
#include <weft/change.h>

#include "param.h"
#include "solver.h"

/* Of the substeps of the parameters. */
static const double parts[] = {1, 0.75, 0.5, 0.375, 0.25};
_Static_assert(sizeof parts / sizeof *parts == WEFT_BUDGET_LEVELS, "a part for each level");

/* So many late frames among the last few lead down; so many seconds in which all would have been in
 * time lead up again. */
enum { LATE = 3, AMONG = 8 };
static const double patience = 1;
/* Of the budget, that a frame of more substeps is expected to take at most. */
static const double ease = 0.8;

static uint32_t substeps_at(const struct weft_budget *b, uint32_t level) {
  const double substeps = round(parts[level] * b->asked);
  return substeps < 1 ? 1 : (uint32_t)substeps;
}

static void begin_anew(struct weft_budget *b) {
  b->recent = 0;
  b->easy = 0;
}

static void drop_what_is_outdated(struct weft_budget *b) {
  for (uint32_t k = 0; k < WEFT_BUDGET_LEVELS && b->outdated; ++k) {
    weft_solver_destroy(b->by[k]);
    b->by[k] = NULL;
  }
  b->outdated = false;
}

/* What has changed at once meanwhile. */
static void bring_up_to_date(const weft_solver *solver, weft_solver *by) {
  const uint32_t substeps = by->params.substeps, room = by->params.self_room;
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    weft_param_copy(&by->params, &solver->params, row);
  }
  by->params.substeps = substeps;
  by->params.self_room = room;
  for (uint32_t c = 0; c < by->params.collider_count; ++c) {
    const weft_collider_key *keys = by->colliders[c].keys;
    by->colliders[c] = solver->colliders[c];
    by->colliders[c].keys = keys;
  }
  weft_solver_write_uniforms(by);
}

static weft_result go_to(weft_solver *solver, uint32_t level, weft_error *err) {
  struct weft_budget *b = solver->budget;
  const uint32_t from = b->level;
  drop_what_is_outdated(b);
  weft_solver *next = b->by[level];
  weft_result result = WEFT_OK;
  if (!next) result = weft_solver_with_substeps(solver, substeps_at(b, level), &next, err);
  if (result != WEFT_OK) return result;
  bring_up_to_date(solver, next);
  const weft_heritage of = weft_heritage_of(solver);
  result = weft_solver_exchange(solver, next, &of, err);
  b->by[level] = result == WEFT_OK ? NULL : next;
  if (result != WEFT_OK) return result;
  b->by[from] = next; /* which has what ran so far */
  b->level = level;
  begin_anew(b);
  weft_log(WEFT_LOG_DEBUG, "%u substeps from frame %llu on: the budget is %.3g ms",
           solver->params.substeps, (unsigned long long)solver->frame + 1, 1e3 * b->seconds);
  return WEFT_OK;
}

static uint32_t bits_of(uint32_t v) {
  uint32_t count = 0;
  for (; v; v &= v - 1) ++count;
  return count;
}

/* The first level at which a frame is expected to be in time. */
static uint32_t level_for(const struct weft_budget *b, double seconds) {
  const double each = seconds / substeps_at(b, b->level);
  uint32_t level = b->level + 1;
  while (level + 1 < WEFT_BUDGET_LEVELS && each * substeps_at(b, level) > b->seconds) ++level;
  return level;
}

weft_result weft_budget_see(weft_solver *solver, double seconds, weft_error *err) {
  struct weft_budget *b = solver->budget;
  if (!b || !(seconds > 0)) return WEFT_OK;
  const bool late = seconds > b->seconds;
  b->late += late;
  b->recent = (b->recent << 1 | late) & ((1u << AMONG) - 1);
  if (bits_of(b->recent) >= LATE && b->level + 1 < WEFT_BUDGET_LEVELS) {
    return go_to(solver, level_for(b, seconds), err);
  }
  if (b->level == 0) return WEFT_OK;
  const double more = (double)substeps_at(b, b->level - 1) / substeps_at(b, b->level);
  b->easy = seconds * more < ease * b->seconds ? b->easy + (double)solver->params.frame_dt : 0;
  return b->easy > patience ? go_to(solver, b->level - 1, err) : WEFT_OK;
}

weft_result weft_solver_set_budget(weft_solver *solver, double seconds, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  if (!(seconds >= 0 && seconds <= 10)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "the budget of a frame is %g s, allowed is 0 to 10, 0 for none", seconds);
  }
  if (seconds > 0) {
    if (!solver->budget) {
      solver->budget = weft_alloc(1, sizeof *solver->budget);
      solver->budget->asked = solver->params.substeps;
    }
    solver->budget->seconds = seconds;
    solver->budget->late = 0;
    begin_anew(solver->budget);
    return WEFT_OK;
  }
  weft_result result = WEFT_OK;
  if (solver->budget && solver->budget->level > 0) result = go_to(solver, 0, err);
  if (result == WEFT_OK) weft_budget_free(solver);
  return result;
}
