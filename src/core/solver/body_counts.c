/* body_counts.c: how far bodies are from their targets, and which particles are inside them. */
#include "bodies.h"
#include "solver.h"

/* Target of a vertex after the last frame, relative to the origin. */
static void read_told(const weft_solver *solver, uint32_t body, weft_vec3 *told) {
  const weft_body_way *way = solver->body_ways + solver->body_state[body].first;
  for (uint32_t i = 0; i < solver->bodies[body].mesh->vertex_count; ++i) {
    told[i] = weft_origin_enter(solver->origin, way[i].from);
  }
}

/* Largest distance from target, m; of a body that was given a motion. */
static weft_result read_offs(weft_solver *solver, uint32_t body, const weft_vec3 *told,
                             double *offs, weft_error *err) {
  uint32_t count = solver->bodies[body].mesh->vertex_count;
  uint64_t first = (uint64_t)solver->model->particle_count + solver->body_state[body].first;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  for (uint32_t i = 0; i < count; ++i) {
    const vec4 x = solver->staging[i];
    offs[i] = weft_v3_distance(weft_v3(x.x, x.y, x.z), told[i]);
  }
  return solver->backend->check(solver->instance, "reading a body", err);
}

/* Others are at their start. */
static weft_result count_held(weft_solver *solver, uint32_t body, const weft_vec3 *told,
                              weft_metrics *m, weft_error *err) {
  uint32_t count = solver->bodies[body].mesh->vertex_count;
  double *offs = weft_alloc(count, sizeof *offs);
  weft_result result = read_offs(solver, body, told, offs, err);
  for (uint32_t i = 0; i < count && result == WEFT_OK; ++i) {
    m->body_held += offs[i] > 0;
    m->body_held_most = fmax(m->body_held_most, offs[i]);
  }
  weft_free(offs);
  return result;
}

static const weft_shells *shells_of(weft_solver *solver, uint32_t body) {
  WEFT_OWN_MEMORY(&solver->owned);
  weft_shells **shells = &solver->body_shells[body];
  if (!*shells) *shells = weft_shells_make(solver->bodies[body].mesh);
  return *shells;
}

static weft_result look_at_body(weft_solver *solver, uint32_t body, const weft_vec3 *points,
                                uint8_t *inside, weft_metrics *m, weft_error *err) {
  const weft_mesh *mesh = solver->bodies[body].mesh;
  weft_vec3 *told = weft_alloc(mesh->vertex_count, sizeof *told);
  read_told(solver, body, told);
  weft_shells_mark_inside(shells_of(solver, body), told, points, solver->model->particle_count,
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
  for (uint32_t i = 0; i < n && result == WEFT_OK; ++i) {
    metrics->body_inside += inside[i] && !weft_rides(solver->model, i);
  }
  weft_free(inside);
  return result;
}

double weft_solver_self_thickness(weft_solver *solver) {
  weft_self_vertex last = {0}; /* of the cloth */
  if (weft_solver_buffer_count(solver, WEFT_BUFFER_SELF_VERTICES) > 0) {
    weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_VERTICES, solver->model->particle_count - 1, 1,
                            &last);
  }
  return (double)last.thickness;
}

/* m; the cloth's thickness if it has none of its own. */
static double thickness_of(weft_solver *solver, uint32_t body) {
  const double own = (double)solver->bodies[body].thickness;
  return own > 0 ? own : weft_solver_self_thickness(solver);
}

weft_result weft_solver_body_lag(weft_solver *solver, uint32_t body, double thicknesses,
                                 weft_body_lag *lag, weft_error *err) {
  *lag = (weft_body_lag){0};
  if (!solver->body_state[body].moved) return WEFT_OK;
  const uint32_t count = solver->bodies[body].mesh->vertex_count;
  const double limit = thicknesses * thickness_of(solver, body);
  weft_vec3 *told = weft_alloc(count, sizeof *told);
  double *offs = weft_alloc(count, sizeof *offs);
  read_told(solver, body, told);
  weft_result result = read_offs(solver, body, told, offs, err);
  for (uint32_t i = 0; i < count && result == WEFT_OK; ++i) {
    lag->vertices += offs[i] > limit;
    lag->most = fmax(lag->most, offs[i]);
  }
  weft_free(told);
  weft_free(offs);
  return result;
}
