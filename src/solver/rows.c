/* rows.c: rows of a solver's buffers, as they are. */
#include "solver.h"

void weft_solver_read_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first, uint64_t count,
                             void *data) {
  WEFT_CHECK(first + count <= solver->buffer_counts[id], "rows past the end of a buffer");
  if (count) solver->backend->read(solver->instance, id, first, count, data);
}

void weft_solver_write_buffer(weft_solver *solver, weft_buffer_id id, uint64_t first,
                              uint64_t count, const void *data) {
  WEFT_CHECK(first + count <= solver->buffer_counts[id], "rows past the end of a buffer");
  if (count) solver->backend->write(solver->instance, id, first, count, data);
}

uint64_t weft_solver_buffer_count(const weft_solver *solver, weft_buffer_id id) {
  return solver->buffer_counts[id];
}
