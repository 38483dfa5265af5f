/* copy_state.c: a solver continues where another is, as far as both have the same. */
#include "base.h"
#include "solver.h"

/* The first bodies, as far as they have as many vertices in both, and the first colliders. */
static weft_heritage shared_by(const weft_solver *to, const weft_solver *from) {
  weft_heritage of = weft_heritage_of_none();
  for (uint32_t b = 0; b < to->params.body_count && b < from->params.body_count; ++b) {
    if (to->bodies[b].mesh->vertex_count != from->bodies[b].mesh->vertex_count) break;
    of.bodies[b] = b;
  }
  for (uint32_t c = 0; c < to->params.collider_count && c < from->params.collider_count; ++c) {
    of.colliders[c] = c;
  }
  return of;
}

weft_result weft_solver_copy_state_from(weft_solver *to, weft_solver *from, weft_error *err) {
  WEFT_NEED(to);
  WEFT_NEED(from);
  if (to == from) return WEFT_OK;
  if (to->model->particle_count != from->model->particle_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a solver of %u particles cannot continue one of %u particles",
                     to->model->particle_count, from->model->particle_count);
  }
  WEFT_ENTER(to->backend);
  WEFT_ENTER_AS(also, from->backend);
  weft_result result = weft_solver_settle(from, err);
  if (result != WEFT_OK) return result;
  WEFT_GUARD_CHANGE(&to->owned, err);
  const bool single = !to->params.compensated && to->model->part_count == 0;
  result = single ? weft_soft_make_room(to, from->soft.count, err) : WEFT_OK;
  if (result != WEFT_OK) return result;
  const weft_heritage of = shared_by(to, from);
  return weft_solver_inherit(to, from, &of, err);
}
