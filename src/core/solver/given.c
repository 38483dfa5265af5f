/* given.c: what the caller gives on the device: targets of pins, positions of bodies. Meanwhile
 * their paths are known to the backend's buffers alone, and the host reads them when it asks. */
#include "solver.h"

/* A path in a buffer: from, to. After the frame it is over. */
static void take_path(const weft_solver *solver, weft_given given, const float *from,
                      const float *to, weft_vec3d *host_from, weft_vec3d *host_to) {
  *host_to = weft_origin_leave_in_double(solver->origin, (vec4){to[0], to[1], to[2], 0});
  *host_from = *host_to;
  if (given != WEFT_GIVEN_NOW) return;
  *host_from = weft_origin_leave_in_double(solver->origin, (vec4){from[0], from[1], from[2], 0});
}

void weft_solver_settle_pins(weft_solver *solver) {
  const weft_given given = solver->pins_given;
  if (given == WEFT_GIVEN_NOT) return;
  solver->pins_given = WEFT_GIVEN_NOT;
  weft_solver_read_buffer(solver, WEFT_BUFFER_PINS, 0, solver->pinned_count, solver->pin_paths);
  for (uint32_t k = 0; k < solver->pinned_count; ++k) {
    const weft_pin_path *path = &solver->pin_paths[k];
    take_path(solver, given, &path->from.x, &path->to.x, &solver->pin_from[k], &solver->pin_to[k]);
  }
}

void weft_solver_settle_body(weft_solver *solver, uint32_t body) {
  weft_body_state *state = &solver->body_state[body];
  const weft_given given = state->given;
  if (given == WEFT_GIVEN_NOT) return;
  state->given = WEFT_GIVEN_NOT;
  const uint32_t count = solver->bodies[body].mesh->vertex_count;
  weft_body_path *paths = solver->body_paths + state->first;
  weft_body_way *ways = solver->body_ways + state->first;
  weft_solver_read_buffer(solver, WEFT_BUFFER_BODY_PATHS, state->first, count, paths);
  for (uint32_t i = 0; i < count; ++i) {
    take_path(solver, given, &paths[i].from.x, &paths[i].to.x, &ways[i].from, &ways[i].to);
  }
}

weft_result weft_solver_ask_pins(weft_solver *solver, weft_error *err) {
  if (solver->pins_given == WEFT_GIVEN_NOT) return WEFT_OK;
  WEFT_ENTER(solver->backend);
  weft_solver_settle_pins(solver);
  return WEFT_OK;
}

weft_result weft_solver_ask_body(weft_solver *solver, uint32_t body, weft_error *err) {
  if (solver->body_state[body].given == WEFT_GIVEN_NOT) return WEFT_OK;
  WEFT_ENTER(solver->backend);
  weft_solver_settle_body(solver, body);
  return WEFT_OK;
}

void weft_solver_settle_given(weft_solver *solver) {
  weft_solver_settle_pins(solver);
  for (uint32_t b = 0; b < solver->params.body_count; ++b) weft_solver_settle_body(solver, b);
}
