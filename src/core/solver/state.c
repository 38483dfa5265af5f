/* state.c: states kept on the host, for going back to. */
#include <string.h>
#include <weft/change.h>

#include "solver.h"
#include "state.h"

const weft_buffer_id weft_state_counters[WEFT_STATE_COUNTERS] = {WEFT_BUFFER_SELF_COUNTS,
                                                                 WEFT_BUFFER_CONTACT_FOUND};

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
  for (int k = 0; k < WEFT_STATE_COUNTERS; ++k) {
    s->counts[k] = solver->buffer_counts[weft_state_counters[k]];
  }
  s->distances = keeps_multipliers(solver) ? solver->buffer_counts[WEFT_BUFFER_DISTANCE] : 0;
}

static bool fits(const weft_solver *solver, const weft_state *s) {
  weft_state own = {0};
  measure(solver, &own);
  return own.particles == s->particles && own.pins == s->pins && own.colliders == s->colliders &&
         own.bodies == s->bodies && own.body_particles == s->body_particles &&
         own.shapes == s->shapes && memcmp(own.counts, s->counts, sizeof s->counts) == 0 &&
         own.distances == s->distances;
}

weft_state *weft_state_for(const weft_solver *solver) {
  weft_state *s = weft_alloc(1, sizeof *s);
  measure(solver, s);
  weft_kept_state_alloc(solver, &s->kept);
  for (int k = 0; k < WEFT_STATE_COUNTERS; ++k) {
    s->counters[k] = weft_alloc((size_t)s->counts[k], sizeof(uint32_t));
  }
  return s;
}

weft_result weft_solver_keep_state(weft_solver *solver, weft_state **state, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(state);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  weft_solver_settle_given(solver);
  weft_state *s = *state && fits(solver, *state) ? *state : weft_state_for(solver);
  result = weft_solver_keep(solver, &s->kept, err);
  if (result != WEFT_OK) {
    if (s != *state) weft_state_destroy(s);
    return result;
  }
  for (int k = 0; k < WEFT_STATE_COUNTERS; ++k) {
    weft_solver_read_buffer(solver, weft_state_counters[k], 0, s->counts[k], s->counters[k]);
  }
  weft_free(s->multipliers);
  s->multipliers = NULL; /* should memory run out */
  s->multipliers = s->distances ? weft_solver_read_multipliers(solver) : NULL;
  s->grab = solver->grab;
  s->began = solver->began;
  s->still_count = solver->still_count;
  s->still_all = solver->still_all;
  s->still_since = solver->still_since;
  for (uint32_t b = 0; b < s->bodies; ++b) s->moved[b] = solver->body_state[b].moved;
  s->self_room = solver->params.self_room;
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
  if (result == WEFT_OK && solver->params.self_room < state->self_room) {
    result = weft_solver_give_room(solver, state->self_room, err);
  }
  if (result != WEFT_OK) return result;
  if (state->kept.counts[WEFT_BUFFER_SELF_CACHE] > solver->buffer_counts[WEFT_BUFFER_SELF_CACHE]) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a state with more pairs than the solver has room for");
  }
  weft_solver_restore(solver, &state->kept);
  for (int k = 0; k < WEFT_STATE_COUNTERS; ++k) {
    weft_solver_write_buffer(solver, weft_state_counters[k], 0, state->counts[k],
                             state->counters[k]);
  }
  if (state->multipliers) weft_solver_write_multipliers(solver, state->multipliers);
  solver->pins_given = WEFT_GIVEN_NOT;
  for (uint32_t b = 0; b < state->bodies; ++b) {
    solver->body_state[b].moved = state->moved[b];
    solver->body_state[b].given = WEFT_GIVEN_NOT;
  }
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
  for (int k = 0; k < WEFT_STATE_COUNTERS; ++k) weft_free(state->counters[k]);
  weft_free(state->multipliers);
  weft_free(state);
}
