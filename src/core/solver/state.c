/* state.c: states kept on the host, for going back to. */
#include <string.h>
#include <weft/change.h>

#include "find_nonfinite.h"
#include "solver.h"

struct weft_state {
  weft_kept_state kept;
  uint32_t *self_counts; /* what outlives a frame: rejected steps in a row */
  float *multipliers;    /* NULL where none are kept */
  weft_grab_state grab;
  double began;
  uint32_t still_count;
  bool still_all;
  uint64_t still_since;
  /* The sizes of the solver it was kept of. */
  uint32_t particles, pins, colliders, bodies, body_particles, shapes;
  uint64_t counts, distances;
};

static bool keeps_multipliers(const weft_solver *solver) {
  return solver->params.keep_multipliers && solver->buffer_counts[WEFT_BUFFER_DISTANCE] > 0;
}

static void measure(const weft_solver *solver, weft_state *s) {
  s->particles = solver->model->particle_count;
  s->pins = solver->pinned_count;
  s->colliders = solver->params.collider_count;
  s->bodies = solver->params.body_count;
  s->body_particles = solver->body_particles;
  s->shapes = solver->shapes.count;
  s->counts = solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS];
  s->distances = keeps_multipliers(solver) ? solver->buffer_counts[WEFT_BUFFER_DISTANCE] : 0;
}

static bool fits(const weft_solver *solver, const weft_state *s) {
  weft_state own = {0};
  measure(solver, &own);
  return own.particles == s->particles && own.pins == s->pins && own.colliders == s->colliders &&
         own.bodies == s->bodies && own.body_particles == s->body_particles &&
         own.shapes == s->shapes && own.counts == s->counts && own.distances == s->distances;
}

static weft_state *state_for(const weft_solver *solver) {
  weft_state *s = weft_alloc(1, sizeof *s);
  measure(solver, s);
  weft_kept_state_alloc(solver, &s->kept);
  s->self_counts = weft_alloc((size_t)s->counts, sizeof *s->self_counts);
  return s;
}

weft_result weft_solver_keep_state(weft_solver *solver, weft_state **state, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(state);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  weft_state *s = *state && fits(solver, *state) ? *state : state_for(solver);
  result = weft_solver_keep(solver, &s->kept, err);
  if (result != WEFT_OK) {
    if (s != *state) weft_state_destroy(s);
    return result;
  }
  if (s->counts) {
    weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, s->counts, s->self_counts);
  }
  weft_free(s->multipliers);
  s->multipliers = NULL; /* should memory run out */
  s->multipliers = s->distances ? weft_solver_read_multipliers(solver) : NULL;
  s->grab = solver->grab;
  s->began = solver->began;
  s->still_count = solver->still_count;
  s->still_all = solver->still_all;
  s->still_since = solver->still_since;
  if (s != *state) weft_state_destroy(*state);
  *state = s;
  return WEFT_OK;
}

weft_result weft_solver_set_state(weft_solver *solver, const weft_state *state, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(state);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  if (!fits(solver, state)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a state of %u particles, %u pins, %u colliders and %u bodies is not one of a "
                     "solver of %u, %u, %u and %u, or of other bodies or parameters",
                     state->particles, state->pins, state->colliders, state->bodies,
                     solver->model->particle_count, solver->pinned_count,
                     solver->params.collider_count, solver->params.body_count);
  }
  weft_result result = weft_solver_check_frames(solver, err);
  if (result == WEFT_OK) result = weft_soft_make_room(solver, state->kept.soft.count, err);
  if (result != WEFT_OK) return result;
  weft_solver_restore(solver, &state->kept);
  if (state->counts) {
    weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, state->counts, state->self_counts);
  }
  if (state->multipliers) weft_solver_write_multipliers(solver, state->multipliers);
  weft_solver_set_grab_state(solver, &state->grab);
  solver->frames_checked = solver->frame;
  solver->began = state->began;
  solver->still_count = state->still_count;
  solver->still_all = state->still_all;
  solver->still_since = state->still_since;
  return solver->backend->check(solver->instance, "setting a state", err);
}

void weft_state_destroy(weft_state *state) {
  if (!state) return;
  weft_kept_state_free(&state->kept);
  weft_free(state->self_counts);
  weft_free(state->multipliers);
  weft_free(state);
}
