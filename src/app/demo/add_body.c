/* add_body.c: a body that comes to a scene while it runs. */
#include "intersections_seen.h"
#include "session.h"

static vec4 *all_positions(const weft_solver *solver, size_t *count) {
  const weft_model *model = weft_solver_model(solver);
  *count = (size_t)weft_model_particle_count(model) +
           weft_bodies_of(weft_solver_params(solver)).particles;
  return weft_alloc(*count, sizeof(vec4));
}

/* Pairs of a triangle of the cloth and one of a body that cross each other; frees the positions. */
static weft_result count_pairs(const weft_solver *solver, vec4 *x, uint64_t *pairs,
                               weft_error *err) {
  weft_intersections_seen seen = {0};
  weft_result result = weft_intersections_look(&seen, weft_solver_model(solver),
                                               weft_solver_params(solver), x, 0, err);
  weft_free(x);
  *pairs += seen.with_bodies.triangle_pairs;
  return result;
}

weft_result weft_demo_session_tangled(const weft_demo_session *session, uint64_t *pairs,
                                      weft_error *err) {
  const weft_solver *solver = session->solver;
  const weft_model *model = weft_solver_model(solver);
  const weft_vec3 *rest = weft_model_rest_positions(model);
  const weft_bodies bodies = weft_bodies_of(weft_solver_params(solver));
  size_t count, at = weft_model_particle_count(model);
  *pairs = 0;
  vec4 *x = all_positions(solver, &count);
  for (size_t i = 0; i < at; ++i) x[i] = (vec4){rest[i].x, rest[i].y, rest[i].z, 0};
  for (uint32_t b = 0; b < bodies.count; ++b) {
    const weft_mesh *mesh = bodies.items[b].mesh;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i, ++at) {
      x[at] = (vec4){mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z, 0};
    }
  }
  return count_pairs(solver, x, pairs, err);
}

static weft_result count_now(weft_solver *solver, uint64_t *pairs, weft_error *err) {
  size_t count;
  vec4 *x = all_positions(solver, &count);
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, count, x);
  return count_pairs(solver, x, pairs, err);
}

typedef struct crossings {
  uint64_t at_start, now; /* now: in both halves of the window */
} crossings;

static weft_result count_crossings(const weft_demo_session *session, crossings *found,
                                   weft_error *err) {
  *found = (crossings){0};
  weft_result result = weft_demo_session_tangled(session, &found->at_start, err);
  if (result == WEFT_OK) result = count_now(session->solver, &found->now, err);
  if (result != WEFT_OK || !session->beside.solver) return result;
  return count_now(session->beside.solver, &found->now, err);
}

weft_result weft_demo_session_add_body(weft_demo_session *session, const weft_demo_choice *choice,
                                       weft_params *params, weft_demo_joined *joined,
                                       weft_error *err) {
  crossings before, after;
  weft_result result = count_crossings(session, &before, err);
  if (result == WEFT_OK) result = weft_demo_session_recut(session, choice, params, err);
  if (result == WEFT_OK) result = count_crossings(session, &after, err);
  if (result != WEFT_OK) return result;
  uint32_t added = session->scene.params.body_count - 1;
  joined->tangled = after.at_start > before.at_start ? after.at_start - before.at_start : 0;
  joined->moves = weft_scene_body_moves(&session->scene.body_sources[added]);
  joined->anew = joined->moves || joined->tangled > 0 || after.now > before.now;
  return joined->anew ? weft_demo_session_reset(session, err) : WEFT_OK;
}
