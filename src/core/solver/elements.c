/* elements.c: raw elements of a solver's buffers, errors of earlier frames, and what surrounds
 * every public function. */
#include <stdio.h>

#include "solver.h"

weft_result weft_enter(const weft_backend *backend, const weft_backend **entered, weft_error *err) {
  const weft_result result = backend->enter ? backend->enter(backend, err) : WEFT_OK;
  if (result == WEFT_OK && backend->enter) *entered = backend;
  return result;
}

void weft_leave(const weft_backend **entered) {
  if (*entered) (*entered)->leave(*entered);
}

void weft_solver_read_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first, uint64_t count,
                             void *data) {
  WEFT_CHECK(first + count <= solver->buffer_counts[id], "elements past the end of a buffer");
  if (count) solver->backend->read(solver->instance, id, first, count, data);
}

void weft_solver_write_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first,
                              uint64_t count, const void *data) {
  WEFT_CHECK(first + count <= solver->buffer_counts[id], "elements past the end of a buffer");
  if (count) solver->backend->write(solver->instance, id, first, count, data);
}

uint64_t weft_solver_buffer_count(const weft_solver *solver, weft_buffer_id id) {
  return solver->buffer_counts[id];
}

weft_result weft_solver_check_frames(weft_solver *solver, weft_error *err) {
  char what[64];
  unsigned long long first = solver->frames_checked + 1, last = solver->frame;
  snprintf(what, sizeof what, first < last ? "frames %llu to %llu" : "frame %llu", first, last);
  solver->frames_checked = solver->frame;
  return solver->backend->check(solver->instance, first > last ? "since the last frame" : what,
                                err);
}
