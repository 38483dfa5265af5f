/* state_view.c: a solver's own buffers as the caller sees them, and the fence behind them. */
#include "solver_gl_internal.h"

weft_gl_instance *weft_gl_instance_of(const weft_solver *solver, weft_error *err) {
  const weft_backend *backend = solver->backend;
  if (backend->save == weft_gl_save) return solver->instance;
  weft_fail(err, WEFT_ERROR_ARGUMENT,
            "the solver runs on %s, and only gl has buffers of OpenGL: weft_solver_view or "
            "weft_solver_read",
            backend->name);
  return NULL;
}

void weft_gl_tell_origin(const weft_solver *solver, double origin[3]) {
  origin[0] = solver->origin.x;
  origin[1] = solver->origin.y;
  origin[2] = solver->origin.z;
}

static weft_gl_view rows_of(const weft_gl_instance *self, weft_buffer_id id, uint32_t count) {
  return (weft_gl_view){.buffer = self->buffers[id].name,
                        .stride = self->strides[id],
                        .offset = self->buffers[id].guard,
                        .size = (uint64_t)count * self->strides[id],
                        .count = count};
}

weft_result weft_solver_gl_state(weft_solver *solver, weft_gl_state *state, weft_error *err) {
  WEFT_NEED(state);
  *state = (weft_gl_state){.origin = {0}};
  WEFT_NEED(solver);
  weft_gl_instance *self = weft_gl_instance_of(solver, err);
  if (!self) return WEFT_ERROR_ARGUMENT;
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_gl_take_over(self);
  weft_gl_barrier(self->shared, GL_ALL_BARRIER_BITS);
  const uint32_t count = solver->model->particle_count;
  state->positions = rows_of(self, WEFT_BUFFER_X, count);
  state->velocities = rows_of(self, WEFT_BUFFER_V, count);
  weft_gl_tell_origin(solver, state->origin);
  return WEFT_OK;
}

weft_result weft_gl_fence(weft_gl *gl, void **sync, weft_error *err) {
  WEFT_NEED(sync);
  *sync = NULL;
  WEFT_NEED(gl);
  WEFT_GL_ENTER(gl);
  *sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  if (*sync) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_GL, "the driver makes no fence");
}
