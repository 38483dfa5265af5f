/* bodies.c: triangle meshes that cloth collides with: validation, start and paths. Their
 * vertices are particles of inverse mass 0 after those of the cloth. */
#include "bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver.h"

weft_bodies weft_bodies_of(const weft_params *params) {
  weft_bodies all = {.items = params->bodies, .count = params->body_count};
  for (uint32_t b = 0; b < all.count; ++b) {
    all.particles += all.items[b].mesh->vertex_count;
    all.triangles += all.items[b].mesh->triangle_count;
  }
  return all;
}

weft_params weft_solver_with_shapes(const weft_solver *solver) {
  weft_params all = solver->params;
  all.bodies = solver->shapes.bodies;
  all.body_count += solver->shapes.each;
  all.shape_bodies = solver->shapes.each;
  return all;
}

/* ---- refusals ---- */

static weft_result check_points(uint32_t body, const weft_vectors *x, uint32_t count,
                                weft_error *err) {
  for (uint32_t i = 0; i < count; ++i) {
    const weft_vec3d p = weft_vectors_at(x, i);
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
      return weft_fail(err, WEFT_ERROR_NOT_FINITE, "vertex %u of body %u is not finite", i, body);
    }
    double most = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    if (most <= 1e6) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "vertex %u of body %u lies further than 1e6 m from the origin", i, body);
  }
  return WEFT_OK;
}

static weft_result check_corners(uint32_t body, const weft_mesh *mesh, weft_error *err) {
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = &mesh->triangles[3 * t];
    for (int k = 0; k < 3; ++k) {
      if (c[k] < mesh->vertex_count && c[k] != c[(k + 1) % 3]) continue;
      return weft_fail(err, WEFT_ERROR_MESH,
                       "triangle %zu of body %u names a vertex twice or one that does not exist", t,
                       body);
    }
  }
  return WEFT_OK;
}

static weft_result check_numbers(uint32_t body, const weft_body *b, weft_error *err) {
  const struct {
    const char *what;
    float value, most;
  } rows[] = {{"static friction", b->friction_static, 1e3f},
              {"dynamic friction", b->friction_dynamic, 1e3f},
              {"thickness (m)", b->thickness, 1}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    if (rows[k].value >= 0 && rows[k].value <= rows[k].most) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s of body %u is %g, allowed is 0 to %g",
                     rows[k].what, body, (double)rows[k].value, (double)rows[k].most);
  }
  return WEFT_OK;
}

static weft_result check_body(uint32_t body, const weft_body *b, weft_error *err) {
  const weft_mesh *mesh = b->mesh;
  if (!mesh || !mesh->positions || !mesh->triangles || mesh->triangle_count == 0) {
    return weft_fail(err, WEFT_ERROR_MESH, "body %u has no triangles", body);
  }
  const weft_vectors positions = {.single = mesh->positions};
  weft_result result = check_points(body, &positions, mesh->vertex_count, err);
  if (result == WEFT_OK) result = check_corners(body, mesh, err);
  return result == WEFT_OK ? check_numbers(body, b, err) : result;
}

weft_result weft_bodies_check(const weft_model *model, const weft_params *p, weft_error *err) {
  if (p->body_count == 0) return WEFT_OK;
  if (p->body_count > WEFT_MAX_BODIES || !p->bodies) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u bodies, at most %d are allowed", p->body_count,
                     WEFT_MAX_BODIES);
  }
  uint64_t particles = model->particle_count, triangles = model->triangle_count;
  for (uint32_t b = 0; b < p->body_count; ++b) {
    weft_result result = check_body(b, &p->bodies[b], err);
    if (result != WEFT_OK) return result;
    particles += p->bodies[b].mesh->vertex_count;
    triangles += p->bodies[b].mesh->triangle_count;
  }
  const char *what = model->triangle_count == 0 ? "bodies push cloth, and these particles are none"
                     : model->part_count ? "bodies are not for joined models (several instances)"
                     : particles > 1u << 26 || triangles > 1u << 24
                         ? "cloth and bodies together have more than 2^24 triangles"
                         : NULL;
  return what ? weft_fail(err, WEFT_ERROR_ARGUMENT, "%s", what) : WEFT_OK;
}

/* ---- in a solver ---- */

/* At rest in the positions of their meshes. */
static void place_bodies(weft_solver *solver) {
  for (uint32_t b = 0; b < solver->params.body_count; ++b) {
    weft_body_state *state = &solver->body_state[b];
    const weft_mesh *mesh = solver->bodies[b].mesh;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      weft_body_way *way = &solver->body_ways[state->first + i];
      way->from = way->to = weft_v3d_from(mesh->positions[i]);
    }
    state->awake = 0;
    state->moved = false;
    state->given = WEFT_GIVEN_NOT;
  }
}

/* Triangles, and the faces of a file they were cut from, for messages. */
static void copy_triangles(const weft_mesh *from, weft_mesh *to) {
  const size_t count = from->triangle_count;
  to->triangles = weft_alloc(3 * count, sizeof *to->triangles);
  memcpy(to->triangles, from->triangles, 3 * count * sizeof *to->triangles);
  if (!from->map.faces) return;
  to->map.faces = weft_alloc(count, sizeof *to->map.faces);
  memcpy(to->map.faces, from->map.faces, count * sizeof *to->map.faces);
}

void weft_solver_copy_bodies(weft_solver *solver) {
  weft_params *p = &solver->params;
  uint32_t first = 0;
  solver->bodies = weft_alloc(p->body_count, sizeof *solver->bodies);
  solver->body_meshes = weft_alloc(p->body_count, sizeof *solver->body_meshes);
  solver->body_state = weft_alloc(p->body_count, sizeof *solver->body_state);
  solver->body_shells = weft_alloc(p->body_count, sizeof *solver->body_shells);
  for (uint32_t b = 0; b < p->body_count; ++b) {
    const weft_mesh *from = p->bodies[b].mesh;
    weft_mesh *to = &solver->body_meshes[b];
    *to = (weft_mesh){.vertex_count = from->vertex_count, .triangle_count = from->triangle_count};
    to->positions = weft_alloc(from->vertex_count, sizeof *to->positions);
    memcpy(to->positions, from->positions, from->vertex_count * sizeof *to->positions);
    copy_triangles(from, to);
    solver->bodies[b] = p->bodies[b];
    solver->bodies[b].mesh = to;
    solver->bodies[b].name = p->bodies[b].name ? weft_strdup(p->bodies[b].name) : NULL;
    solver->body_state[b].first = first;
    first += to->vertex_count;
  }
  p->bodies = solver->bodies;
  solver->body_particles = first;
  solver->body_ways = weft_alloc(first, sizeof *solver->body_ways);
  solver->body_paths = weft_alloc(first, sizeof *solver->body_paths);
  place_bodies(solver);
}

void weft_solver_reset_bodies(weft_solver *solver) {
  place_bodies(solver);
  uint64_t first = solver->model->particle_count, count = solver->body_particles;
  if (count == 0) return;
  for (uint32_t i = 0; i < count; ++i) {
    solver->staging[i] = exact_vec4(weft_origin_enter(solver->origin, solver->body_ways[i].to), 0);
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_PREV, first, count, solver->staging);
  memset(solver->staging, 0, (size_t)count * sizeof *solver->staging);
  weft_solver_write_buffer(solver, WEFT_BUFFER_V, first, count, solver->staging);
}

void weft_solver_settle_bodies(weft_solver *solver) {
  uint64_t first = solver->model->particle_count, count = solver->body_particles;
  if (count == 0) return;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_PREV, first, count, solver->staging);
}

/* A vertex that reached its target stays there bit for bit; one that was held back stays where
 * it is. */
void weft_solver_shift_bodies(weft_solver *solver, weft_vec3d from) {
  uint64_t first = solver->model->particle_count, count = solver->body_particles;
  if (count == 0) return;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  for (uint32_t i = 0; i < count; ++i) {
    vec4 *x = &solver->staging[i];
    const vec4 told = exact_vec4(weft_origin_enter(from, solver->body_ways[i].from), 0);
    const bool there = told.x == x->x && told.y == x->y && told.z == x->z;
    const weft_vec3d now =
        there ? solver->body_ways[i].from : weft_origin_leave_in_double(from, *x);
    *x = exact_vec4(weft_origin_enter(solver->origin, now), x->w);
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_PREV, first, count, solver->staging);
}

void weft_solver_keep_bodies(const weft_solver *solver, weft_body_way *ways, uint32_t *awake) {
  size_t bytes = solver->body_particles * sizeof *ways;
  if (bytes) memcpy(ways, solver->body_ways, bytes);
  for (uint32_t b = 0; b < solver->params.body_count; ++b) awake[b] = solver->body_state[b].awake;
}

/* How many leading bodies of both have equal vertex counts; *particles: vertices of these. */
static uint32_t shared_bodies(const weft_solver *a, const weft_solver *b, uint32_t *particles) {
  uint32_t k = 0;
  *particles = 0;
  for (; k < a->params.body_count && k < b->params.body_count; ++k) {
    uint32_t count = a->bodies[k].mesh->vertex_count;
    if (count != b->bodies[k].mesh->vertex_count) break;
    *particles += count;
  }
  return k;
}

void weft_solver_follow_bodies(weft_solver *solver, const weft_solver *leader) {
  uint32_t particles, shared = shared_bodies(solver, leader, &particles);
  if (shared == 0) return;
  memcpy(solver->body_ways, leader->body_ways, particles * sizeof *solver->body_ways);
  memcpy(solver->body_state, leader->body_state, shared * sizeof *solver->body_state);
}

static void take_body(weft_solver *to, weft_solver *from, uint32_t body, uint32_t was) {
  const uint32_t here = to->body_state[body].first, there = from->body_state[was].first;
  const uint32_t count = to->bodies[body].mesh->vertex_count;
  to->body_state[body] = from->body_state[was];
  to->body_state[body].first = here;
  memcpy(to->body_ways + here, from->body_ways + there, count * sizeof *to->body_ways);
  weft_solver_read_buffer(from, WEFT_BUFFER_X, (uint64_t)from->model->particle_count + there, count,
                          to->staging);
  weft_solver_write_buffer(to, WEFT_BUFFER_X, (uint64_t)to->model->particle_count + here, count,
                           to->staging);
}

void weft_solver_take_bodies(weft_solver *to, weft_solver *from, const weft_heritage *of) {
  bool any = false;
  for (uint32_t b = 0; b < to->params.body_count; ++b) {
    if (of->bodies[b] == WEFT_NEW) continue;
    take_body(to, from, b, of->bodies[b]);
    any = true;
  }
  if (any) weft_solver_settle_bodies(to);
}

void weft_solver_free_bodies(weft_solver *solver) {
  for (uint32_t b = 0; b < solver->params.body_count && solver->body_meshes; ++b) {
    weft_mesh_free(&solver->body_meshes[b]);
    weft_shells_free(solver->body_shells[b]);
    weft_free((char *)solver->bodies[b].name);
  }
  weft_free(solver->bodies);
  weft_free(solver->body_meshes);
  weft_free(solver->body_state);
  weft_free(solver->body_shells);
  weft_free(solver->body_ways);
  weft_free(solver->body_paths);
}

void weft_solver_upload_body(weft_solver *solver, uint32_t body) {
  const weft_body_state *state = &solver->body_state[body];
  uint32_t count = solver->bodies[body].mesh->vertex_count;
  const weft_body_way *ways = solver->body_ways + state->first;
  weft_body_path *paths = solver->body_paths + state->first;
  float stays = state->awake == 1; /* the last frame: x_prev becomes x */
  for (uint32_t i = 0; i < count; ++i) {
    paths[i].from = weft_origin_enter(solver->origin, ways[i].from);
    paths[i].to = weft_origin_enter(solver->origin, ways[i].to);
    paths[i].stays = stays;
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_BODY_PATHS, state->first, count, paths);
}

void weft_solver_begin_bodies(weft_solver *solver) {
  for (uint32_t b = 0; b < solver->params.body_count; ++b) {
    const weft_body_state *state = &solver->body_state[b];
    if (state->awake == 0) continue;
    if (state->given == WEFT_GIVEN_OVER) weft_solver_settle_body(solver, b);
    if (state->given == WEFT_GIVEN_NOT) weft_solver_upload_body(solver, b);
  }
}

void weft_solver_end_bodies(weft_solver *solver) {
  for (uint32_t b = 0; b < solver->params.body_count; ++b) {
    weft_body_state *state = &solver->body_state[b];
    if (state->awake == 0) continue;
    weft_body_way *ways = solver->body_ways + state->first;
    for (uint32_t i = 0; i < solver->bodies[b].mesh->vertex_count; ++i) ways[i].from = ways[i].to;
    state->awake--;
    if (state->given == WEFT_GIVEN_NOW) state->given = WEFT_GIVEN_OVER;
  }
}

static weft_result check_index(const weft_solver *solver, uint32_t body, weft_error *err) {
  if (body < solver->params.body_count) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "body %u does not exist, the solver has %u", body,
                   solver->params.body_count);
}

/* The diagonal of the box around its mesh. */
static double size_of(const weft_mesh *mesh) {
  weft_vec3 low, high;
  weft_v3_bounds(mesh->positions, mesh->vertex_count, &low, &high);
  return weft_v3_distance(low, high);
}

/* Only a warning: cloth in its way holds the body back. But such a path is seldom intended. */
static void warn_of_jump(weft_solver *solver, uint32_t body, const weft_vectors *positions) {
  enum { FAST = 20, TOO_FAST = 100 }; /* m/s */
  weft_body_state *state = &solver->body_state[body];
  const weft_mesh *mesh = solver->bodies[body].mesh;
  const weft_body_way *ways = solver->body_ways + state->first;
  double longest = 0;
  uint32_t vertex = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    double way = weft_v3d_distance(ways[i].from, weft_vectors_at(positions, i));
    if (way > longest) longest = way, vertex = i;
  }
  double speed = longest / (double)solver->params.frame_dt;
  if (speed <= FAST || state->jumped) return;
  if (speed <= TOO_FAST && longest <= size_of(mesh) / 2) return;
  state->jumped = true;
  char number[32];
  snprintf(number, sizeof number, "body %u", body);
  weft_log(WEFT_LOG_WARNING,
           "%s jumps: its vertex %u is to go %.3g m in frame %llu, which is %.3g m/s; cloth in its "
           "way holds it back",
           solver->bodies[body].name ? solver->bodies[body].name : number, vertex, longest,
           (unsigned long long)solver->frame + 1, speed);
}

/* A body that was held back catches up within so many seconds. */
static const double seconds_awake = 1;

uint32_t weft_solver_frames_awake(const weft_solver *solver) {
  return 2 + (uint32_t)fmin(1e6, seconds_awake / (double)solver->params.frame_dt);
}

static weft_result move_body(weft_solver *solver, uint32_t body, weft_vectors positions,
                             weft_error *err) {
  weft_result result = check_index(solver, body, err);
  if (result != WEFT_OK) return result;
  uint32_t count = solver->bodies[body].mesh->vertex_count;
  result = check_points(body, &positions, count, err);
  if (result != WEFT_OK) return result;
  result = weft_solver_ask_body(solver, body, err);
  if (result != WEFT_OK) return result;
  warn_of_jump(solver, body, &positions);
  weft_body_state *state = &solver->body_state[body];
  weft_body_way *ways = solver->body_ways + state->first;
  for (uint32_t i = 0; i < count; ++i) ways[i].to = weft_vectors_at(&positions, i);
  state->moved = true;
  state->awake = weft_solver_frames_awake(solver);
  return WEFT_OK;
}

weft_result weft_solver_move_body(weft_solver *solver, uint32_t body, const weft_vec3 *positions,
                                  weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  WEFT_NEED(positions);
  return move_body(solver, body, (weft_vectors){.single = positions}, err);
}

weft_result weft_solver_move_body_f64(weft_solver *solver, uint32_t body, const double *positions,
                                      weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  WEFT_NEED(positions);
  return move_body(solver, body, (weft_vectors){.wide = positions}, err);
}

weft_result weft_solver_read_body(weft_solver *solver, uint32_t body, weft_vec3 *positions,
                                  weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(positions);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = check_index(solver, body, err);
  if (result == WEFT_OK) result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  uint32_t count = solver->bodies[body].mesh->vertex_count;
  uint64_t first = (uint64_t)solver->model->particle_count + solver->body_state[body].first;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  for (uint32_t i = 0; i < count; ++i) {
    positions[i] = weft_origin_leave(solver->origin, solver->staging[i]);
  }
  return solver->backend->check(solver->instance, "reading a body", err);
}

static weft_result check_pushes(const weft_solver *solver, weft_error *err) {
  if (weft_solver_buffer_count(solver, WEFT_BUFFER_SELF_CACHE) > 1) return WEFT_OK;
  return weft_fail(
      err, WEFT_ERROR_ARGUMENT,
      "friction of a body: the solver was made without pushes (self_iterations), so there is none");
}

weft_result weft_solver_set_body_friction(weft_solver *solver, uint32_t body, float friction_static,
                                          float friction_dynamic, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_result result = check_index(solver, body, err);
  if (result != WEFT_OK) return result;
  weft_body *of = &solver->bodies[body];
  weft_body wanted = *of;
  wanted.friction_static = friction_static;
  wanted.friction_dynamic = friction_dynamic;
  result = check_numbers(body, &wanted, err);
  if (result == WEFT_OK) result = check_pushes(solver, err);
  if (result != WEFT_OK) return result;
  *of = wanted;
  weft_budget_outdate(solver);
  const uint32_t count = of->mesh->vertex_count;
  weft_self_friction *friction = weft_alloc(count, sizeof *friction);
  for (uint32_t i = 0; i < count; ++i) {
    friction[i] = (weft_self_friction){exact_flush(friction_static), exact_flush(friction_dynamic)};
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_FRICTION, solver->body_state[body].first, count,
                           friction);
  weft_free(friction);
  return solver->backend->check(solver->instance, "the friction of a body", err);
}
