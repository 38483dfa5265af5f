/* follow.c: moves the origin with the cloth: see origin.c. */
#include "bodies.h"
#include "exact.h"
#include "solver.h"

/* Frames between two checks of the cloth's box, by the frame's number, so that it is the same on
 * all backends and after a state was restored. */
enum { EVERY = 16 };

/* Cloth, and bodies inside shapes, which come last. */
static void shift_particles(weft_solver *solver, weft_vec3d by) {
  const uint32_t n = solver->model->particle_count;
  const vec4 element = exact_vec4(weft_v3d_round(by), 0);
  const weft_pass cloth = {.kind = WEFT_PASS_SHIFT,
                           .count = n,
                           .variant = solver->params.compensated ? WEFT_VARIANT_PAIRS : 0};
  const weft_pass shapes = {.kind = WEFT_PASS_SHIFT,
                            .first = n + solver->body_particles,
                            .count = solver->shapes.particles};
  weft_solver_write_buffer(solver, WEFT_BUFFER_SHIFT_BY, 0, 1, &element);
  solver->backend->run(solver->instance, &cloth, 0);
  if (shapes.count) solver->backend->run(solver->instance, &shapes, 0);
  solver->backend->finish(solver->instance); /* not part of a substep */
}

void weft_origin_set(weft_solver *solver, weft_vec3d origin) {
  const weft_vec3d from = solver->origin;
  if (origin.x == from.x && origin.y == from.y && origin.z == from.z) return;
  weft_solver_settle_given(solver);
  solver->origin = origin;
  weft_solver_shift_bodies(solver, from);
}

static weft_bounds look_at_cloth(weft_solver *solver) {
  weft_pass_list *passes = &solver->bound_passes;
  for (size_t k = 0; k < passes->count; ++k) {
    solver->backend->run(solver->instance, &passes->items[k], 0);
  }
  weft_bounds box;
  uint64_t root = solver->buffer_counts[WEFT_BUFFER_BOUNDS] - 1;
  weft_solver_read_buffer(solver, WEFT_BUFFER_BOUNDS, root, 1, &box);
  return box;
}

/* Pins, of which the host knows where they are, may be enough to know: then nothing is read from a
 * device, and nothing waits. With self-collision they may have been held back. */
static bool pins_hold(const weft_solver *solver) {
  if (solver->pinned_count == 0 || solver->pins_given != WEFT_GIVEN_NOT) return false;
  if (weft_self_active(solver->model, &solver->params)) return false;
  weft_vec3d low = weft_v3d_from(weft_origin_enter(solver->origin, solver->pin_from[0]));
  weft_vec3d high = low;
  for (uint32_t k = 1; k < solver->pinned_count; ++k) {
    weft_v3d_grow(&low, &high,
                  weft_v3d_from(weft_origin_enter(solver->origin, solver->pin_from[k])));
  }
  return weft_origin_stays(low, high);
}

void weft_origin_follow(weft_solver *solver) {
  if (solver->frame == 0 || solver->frame % EVERY != 0 || pins_hold(solver)) return;
  const weft_bounds box = look_at_cloth(solver);
  const weft_vec3d nowhere = {0, 0, 0};
  const weft_vec3d by = weft_origin_way(weft_origin_leave_in_double(nowhere, box.low),
                                        weft_origin_leave_in_double(nowhere, box.high));
  if (by.x == 0 && by.y == 0 && by.z == 0) return;
  shift_particles(solver, by);
  weft_solver_call_shapes(solver);
  weft_origin_set(solver, weft_v3d_add(solver->origin, by));
}
