/* body_counts.c: how far bodies are from where they were told to be, and who is inside of them. */
#include "bodies.h"
#include "solver.h"

/* Where the last frame was to take it. */
static void read_told(const weft_solver *solver, uint32_t body, weft_vec3 *told) {
  const weft_body_path *path = solver->body_paths + solver->body_state[body].first;
  for (uint32_t i = 0; i < solver->bodies[body].mesh->vertex_count; ++i) {
    told[i] = weft_v3(path[i].from.x, path[i].from.y, path[i].from.z);
  }
}

/* Of a body that was told to move; others are where they began. */
static weft_result count_held(weft_solver *solver, uint32_t body, const weft_vec3 *told,
                              weft_metrics *m, weft_error *err) {
  uint32_t count = solver->bodies[body].mesh->vertex_count;
  weft_vec3 *x = weft_alloc(count, sizeof *x);
  weft_result result = weft_solver_read_body(solver, body, x, err);
  for (uint32_t i = 0; i < count && result == WEFT_OK; ++i) {
    double off = weft_v3_distance(x[i], told[i]);
    m->body_held += off > 0;
    m->body_held_most = fmax(m->body_held_most, off);
  }
  weft_free(x);
  return result;
}

static weft_result look_at_body(weft_solver *solver, uint32_t body, const weft_vec3 *points,
                                uint8_t *inside, weft_metrics *m, weft_error *err) {
  const weft_mesh *mesh = solver->bodies[body].mesh;
  weft_vec3 *told = weft_alloc(mesh->vertex_count, sizeof *told);
  read_told(solver, body, told);
  if (!solver->body_shells[body]) solver->body_shells[body] = weft_shells_make(mesh);
  weft_shells_mark_inside(solver->body_shells[body], told, points, solver->model->particle_count,
                          inside);
  bool moved = solver->body_state[body].moved;
  weft_result result = moved ? count_held(solver, body, told, m, err) : WEFT_OK;
  weft_free(told);
  return result;
}

weft_result weft_solver_measure_bodies(weft_solver *solver, const weft_vec3 *positions,
                                       weft_metrics *metrics, weft_error *err) {
  metrics->body_inside = metrics->body_held = 0;
  metrics->body_held_most = 0;
  uint32_t n = solver->model->particle_count;
  uint8_t *inside = weft_alloc(n, 1);
  weft_result result = WEFT_OK;
  for (uint32_t b = 0; b < solver->params.body_count && result == WEFT_OK; ++b) {
    result = look_at_body(solver, b, positions, inside, metrics, err);
  }
  for (uint32_t i = 0; i < n && result == WEFT_OK; ++i) metrics->body_inside += inside[i];
  weft_free(inside);
  return result;
}
