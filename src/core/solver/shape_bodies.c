/* shape_bodies.c: bodies inside shapes: their creation, positions and frames. */
#include "shape_bodies.h"

#include <math.h>
#include <string.h>

#include "exact.h"
#include "shape.h"
#include "solver.h"

/* ---- creation ---- */

/* Longest edge of all triangles at rest, m. */
static double longest_edge(const weft_model *model) {
  double most = 0;
  for (size_t c = 0; c < 3 * (size_t)model->triangle_count; ++c) {
    size_t next = c % 3 == 2 ? c - 2 : c + 1;
    most = fmax(most, weft_v3_distance(model->rest_positions[model->triangles[c]],
                                       model->rest_positions[model->triangles[next]]));
  }
  return most;
}

/* A mesh with the same triangles and unset vertices. */
static weft_mesh mesh_of(const weft_shape_mesh *own, uint32_t vertices) {
  weft_mesh mesh = {.vertex_count = vertices, .triangle_count = own->triangle_count};
  mesh.positions = weft_alloc(vertices, sizeof *mesh.positions);
  size_t corners = 3 * (size_t)own->triangle_count;
  mesh.triangles = weft_alloc(corners, sizeof *mesh.triangles);
  if (corners) memcpy(mesh.triangles, own->triangles, corners * sizeof *mesh.triangles);
  return mesh;
}

/* m: the smallest extent of a shape. */
static double width_of(const weft_collider *c) {
  const weft_vec3 h = c->half_size;
  switch (weft_shape_infos[c->shape].size) {
    case WEFT_SHAPE_RADIUS:
      return 2 * (double)c->radius;
    case WEFT_SHAPE_HALF:
      return 2 * (double)fminf(h.x, fminf(h.y, h.z));
    case WEFT_SHAPE_ENDLESS:
      break;
  }
  return INFINITY;
}

void weft_solver_warn_of_shapes(const weft_solver *solver) {
  const weft_params *p = &solver->params;
  if (solver->model->triangle_count == 0 || weft_self_active(solver->model, p)) return;
  uint32_t least = 0;
  for (uint32_t c = 1; c < p->collider_count; ++c) {
    if (width_of(&p->colliders[c]) < width_of(&p->colliders[least])) least = c;
  }
  const double edge = longest_edge(solver->model);
  if (p->collider_count == 0 || !(width_of(&p->colliders[least]) < edge)) return;
  weft_log(
      WEFT_LOG_WARNING,
      "the longest edge of the cloth is %.3g mm, and collider %u, a %s, is %.3g mm wide: without "
      "self-collision it can pass between vertices",
      1e3 * edge, least, weft_shape_infos[p->colliders[least].shape].name,
      1e3 * width_of(&p->colliders[least]));
}

static weft_shape_use use_of(const weft_solver *solver, uint32_t part) {
  const weft_model *model = weft_model_part(solver->model, part);
  return (weft_shape_use){(double)solver->params.thickness, longest_edge(model),
                          weft_self_least(model, &solver->params, solver->shapes.origin)};
}

/* A mesh padded to so many vertices: the additional ones belong to no triangle and are at rest. */
static void add_shape(weft_solver *solver, uint32_t collider, const weft_shape_use *use,
                      weft_shape_mesh own, uint32_t room) {
  weft_shape_bodies *s = &solver->shapes;
  const weft_collider *c = &solver->colliders[collider];
  const uint32_t k = s->count;
  vec4 *points = weft_alloc(room, sizeof *points);
  if (own.point_count) memcpy(points, own.points, own.point_count * sizeof *points);
  weft_free(own.points);
  own.points = points;
  s->own[k] = own;
  s->colliders[k] = collider;
  s->meshes[k] = mesh_of(&own, room);
  s->bodies[solver->params.body_count + k] =
      (weft_body){.mesh = &s->meshes[k],
                  .friction_static = fminf(c->friction_static, 1e3f),
                  .friction_dynamic = fminf(c->friction_dynamic, 1e3f),
                  .thickness = own.point_count ? (float)weft_shape_push(use) : 0};
  s->particles += room;
  s->first[++s->count] = s->particles;
}

/* Instances may need meshes of different resolution for a collider, or none, but a pass has the
 * same elements in each. So all get the largest vertex count. */
static void add_shapes(weft_solver *solver, uint32_t parts) {
  const uint32_t colliders = solver->params.collider_count;
  uint32_t rooms[WEFT_MAX_COLLIDERS] = {0};
  weft_shape_use *uses = weft_alloc(parts, sizeof *uses);
  weft_shape_mesh *made = weft_alloc((size_t)parts * colliders, sizeof *made), *next = made;
  for (uint32_t p = 0; p < parts; ++p) {
    uses[p] = use_of(solver, p);
    for (uint32_t c = 0; c < colliders; ++c, ++next) {
      weft_shape_mesh_make(&solver->colliders[c], &uses[p], next);
      if (rooms[c] < next->point_count) rooms[c] = next->point_count;
    }
  }
  for (uint32_t k = 0; k < parts * colliders; ++k) {
    const uint32_t c = k % colliders;
    if (rooms[c]) add_shape(solver, c, &uses[k / colliders], made[k], rooms[c]);
  }
  weft_free(made);
  weft_free(uses);
}

void weft_solver_make_shapes(weft_solver *solver) {
  weft_shape_bodies *s = &solver->shapes;
  const weft_params *p = &solver->params;
  const uint32_t parts = weft_model_part_count(solver->model);
  const bool active = weft_self_active(solver->model, p);
  const size_t most = active ? (size_t)parts * p->collider_count : 0;
  s->origin = solver->origin;
  s->first = weft_alloc(most + 1, sizeof *s->first);
  s->bodies = weft_alloc(p->body_count + most, sizeof *s->bodies);
  if (p->body_count) memcpy(s->bodies, solver->bodies, p->body_count * sizeof *s->bodies);
  if (most == 0) return;
  s->colliders = weft_alloc(most, sizeof *s->colliders);
  s->own = weft_alloc(most, sizeof *s->own);
  s->meshes = weft_alloc(most, sizeof *s->meshes);
  s->states = weft_alloc(most, sizeof *s->states);
  add_shapes(solver, parts);
  s->each = s->count / parts;
  s->paths = weft_alloc(s->particles, sizeof *s->paths);
}

void weft_solver_free_shapes(weft_solver *solver) {
  weft_shape_bodies *s = &solver->shapes;
  for (uint32_t k = 0; k < s->count; ++k) {
    weft_shape_mesh_free(&s->own[k]);
    weft_mesh_free(&s->meshes[k]);
  }
  weft_free(s->colliders);
  weft_free(s->first);
  weft_free(s->own);
  weft_free(s->meshes);
  weft_free(s->bodies);
  weft_free(s->states);
  weft_free(s->paths);
}

/* ---- positions ---- */

/* Vertices at the start of the next frame, relative to the origin. */
static weft_collider_pose pose_before(const weft_solver *solver, uint32_t collider) {
  const double time = weft_solver_time(solver);
  const weft_collider_step step = {.before = time,
                                   .now = time,
                                   .from = &solver->colliders_from[collider],
                                   .origin = solver->origin,
                                   .home = &solver->colliders_home[collider]};
  return weft_collider_pose_between(&solver->colliders[collider], &step, solver->params.thickness);
}

static float part_between(float from, float to, float part) { return from + part * (to - from); }

static vec4 grown(vec4 core, vec4 whole, float size) {
  return (vec4){part_between(core.x, whole.x, size), part_between(core.y, whole.y, size),
                part_between(core.z, whole.z, size), part_between(core.w, whole.w, size)};
}

static weft_vec3 placed(const weft_collider_pose *pose, vec4 point) {
  weft_vec3d x = weft_v3d_from(exact_xyz(pose->a));
  weft_vec3d axis = weft_v3d_sub(weft_v3d_from(exact_xyz(pose->b)), x);
  x = weft_v3d_add_scaled(x, (double)point.w, axis);
  x = weft_v3d_add_scaled(x, (double)point.x, weft_v3d_from(exact_xyz(pose->axis_x)));
  x = weft_v3d_add_scaled(x, (double)point.y, weft_v3d_from(exact_xyz(pose->axis_y)));
  x = weft_v3d_add_scaled(x, (double)point.z, weft_v3d_from(exact_xyz(pose->axis_z)));
  return exact_snap3(weft_v3d_round(x));
}

static uint32_t count_of(const weft_shape_bodies *s, uint32_t shape) {
  return s->first[shape + 1] - s->first[shape];
}

/* stays: the bodies of this instance are at rest. */
static void set_paths(weft_shape_bodies *s, uint32_t shape, float from, float to, bool stays) {
  const weft_shape_state *state = &s->states[shape];
  stays = stays || state->awake == 1; /* the last frame */
  weft_shape_path *path = s->paths + s->first[shape];
  for (uint32_t i = 0; i < count_of(s, shape); ++i) {
    path[i].from = grown(state->fit.core, s->own[shape].points[i], from);
    path[i].to = grown(state->fit.core, s->own[shape].points[i], to);
    path[i].collider = s->colliders[shape];
    path[i].stays = stays || i >= s->own[shape].point_count;
  }
}

/* A body that was truncated catches up within a second. */
static void wake(weft_solver *solver, uint32_t shape) {
  const double frames = 1 / (double)solver->params.frame_dt;
  solver->shapes.states[shape].awake = 2 + (uint32_t)fmin(1e6, frames);
}

void weft_solver_call_shapes(weft_solver *solver) {
  for (uint32_t k = 0; k < solver->shapes.count; ++k) {
    weft_shape_state *state = &solver->shapes.states[k];
    if (state->awake < 2) state->awake = 2;
  }
}

/* The scale of a body that contains no cloth of its instance, and its mesh at that scale.
 * Positions are relative to the origin. */
static void size_shape(weft_solver *solver, uint32_t shape, const weft_vec3 *positions) {
  weft_shape_bodies *s = &solver->shapes;
  const uint32_t part = shape / s->each;
  const weft_model *model = weft_model_part(solver->model, part);
  const weft_collider_pose pose = pose_before(solver, s->colliders[shape]);
  const double gap = (double)s->bodies[solver->params.body_count + shape].thickness / 2;
  positions += (size_t)part * model->particle_count;
  s->states[shape] =
      (weft_shape_state){.fit = weft_shape_fit_to(&s->own[shape], &pose, gap, model, positions)};
  set_paths(s, shape, s->states[shape].fit.size, s->states[shape].fit.size, false);
  for (uint32_t i = 0; i < count_of(s, shape); ++i) {
    s->meshes[shape].positions[i] = placed(&pose, s->paths[s->first[shape] + i].from);
  }
}

static uint64_t first_particle(const weft_solver *solver, uint32_t shape) {
  return (uint64_t)solver->model->particle_count + solver->body_particles +
         solver->shapes.first[shape];
}

void weft_solver_size_shapes(weft_solver *solver) {
  if (solver->shapes.count == 0) return;
  const weft_vec3 *start = WEFT_START(solver->model, &solver->params);
  const uint32_t n = solver->model->particle_count;
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  for (uint32_t i = 0; i < n; ++i)
    x[i] = weft_origin_enter(solver->origin, weft_v3d_from(start[i]));
  for (uint32_t k = 0; k < solver->shapes.count; ++k) size_shape(solver, k, x);
  weft_free(x);
}

static void place_shape(weft_solver *solver, uint32_t shape) {
  const weft_shape_bodies *s = &solver->shapes;
  const uint64_t at = first_particle(solver, shape), count = count_of(s, shape);
  const weft_vec3 *x = s->meshes[shape].positions;
  for (uint64_t i = 0; i < count; ++i) solver->staging[i] = exact_vec4(x[i], 0);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, at, count, solver->staging);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_PREV, at, count, solver->staging);
}

void weft_solver_fit_shapes(weft_solver *solver, const bool *parts) {
  const uint32_t n = solver->model->particle_count;
  if (solver->shapes.count == 0) return;
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, solver->staging);
  for (uint32_t i = 0; i < n; ++i) x[i] = exact_xyz(solver->staging[i]);
  for (uint32_t k = 0; k < solver->shapes.count; ++k) {
    if (parts && !parts[k / solver->shapes.each]) continue;
    size_shape(solver, k, x);
    place_shape(solver, k);
  }
  weft_free(x);
}

static void settle(weft_solver *solver) {
  const uint64_t first = first_particle(solver, 0), count = solver->shapes.particles;
  if (count == 0) return;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, first, count, solver->staging);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_PREV, first, count, solver->staging);
}

/* ---- copying state ---- */

weft_vec3 weft_solver_collider_home(const weft_solver *solver, uint32_t collider) {
  return solver->colliders_home[collider].offset;
}

uint32_t weft_solver_shape_count(const weft_solver *solver) { return solver->shapes.count; }

void weft_solver_keep_shapes(const weft_solver *solver, weft_shape_state *states) {
  const weft_shape_bodies *s = &solver->shapes;
  if (s->count) memcpy(states, s->states, s->count * sizeof *states);
}

void weft_solver_restore_shapes(weft_solver *solver, const weft_shape_state *states) {
  const weft_shape_bodies *s = &solver->shapes;
  if (s->count) memcpy(s->states, states, s->count * sizeof *states);
  settle(solver);
}

/* How many leading shapes of each instance match: same colliders, same resolution. */
static uint32_t shared_shapes(const weft_solver *to, const weft_solver *from) {
  const weft_shape_bodies *a = &to->shapes, *b = &from->shapes;
  uint32_t k = 0;
  if (weft_model_part_count(to->model) != weft_model_part_count(from->model)) return 0;
  while (k < a->each && k < b->each && a->colliders[k] == b->colliders[k] &&
         count_of(a, k) == count_of(b, k)) {
    ++k;
  }
  return k;
}

void weft_solver_follow_shapes(weft_solver *solver, const weft_solver *leader) {
  const uint32_t shared = shared_shapes(solver, leader);
  for (uint32_t p = 0; p < weft_model_part_count(solver->model) && shared; ++p) {
    memcpy(solver->shapes.states + p * solver->shapes.each,
           leader->shapes.states + p * leader->shapes.each, shared * sizeof(weft_shape_state));
  }
}

/* The shape of `from`, in the same instance, that a shape of `to` was; WEFT_NEW: there is none. */
static uint32_t shape_was(const weft_solver *to, const weft_solver *from, const weft_heritage *of,
                          uint32_t shape) {
  const weft_shape_bodies *a = &to->shapes, *b = &from->shapes;
  const uint32_t part = shape / a->each, collider = of->colliders[a->colliders[shape]];
  if (weft_model_part_count(to->model) != weft_model_part_count(from->model)) return WEFT_NEW;
  for (uint32_t k = part * b->each; k < (part + 1) * b->each; ++k) {
    if (b->colliders[k] == collider && count_of(a, shape) == count_of(b, k)) return k;
  }
  return WEFT_NEW;
}

uint32_t weft_solver_shape_particle(const weft_solver *to, const weft_solver *from,
                                    const weft_heritage *of, uint32_t particle) {
  for (uint32_t k = 0; k < to->shapes.count; ++k) {
    const uint32_t was = shape_was(to, from, of, k);
    if (was == WEFT_NEW) continue;
    const uint64_t first = first_particle(from, was);
    if (particle < first || particle - first >= count_of(&to->shapes, k)) continue;
    return (uint32_t)(first_particle(to, k) + (particle - first));
  }
  return WEFT_NEW;
}

void weft_solver_take_shapes(weft_solver *to, weft_solver *from, const weft_heritage *of) {
  const uint32_t n = to->model->particle_count;
  if (to->shapes.count == 0) return;
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  weft_solver_read_buffer(to, WEFT_BUFFER_X, 0, n, to->staging);
  for (uint32_t i = 0; i < n; ++i) x[i] = exact_xyz(to->staging[i]);
  for (uint32_t k = 0; k < to->shapes.count; ++k) {
    const uint32_t was = shape_was(to, from, of, k), count = count_of(&to->shapes, k);
    if (was == WEFT_NEW) {
      size_shape(to, k, x);
      place_shape(to, k);
      continue;
    }
    to->shapes.states[k] = from->shapes.states[was];
    weft_solver_read_buffer(from, WEFT_BUFFER_X, first_particle(from, was), count, to->staging);
    weft_solver_write_buffer(to, WEFT_BUFFER_X, first_particle(to, k), count, to->staging);
    wake(to, k); /* the other body may have another size */
  }
  settle(to);
  weft_free(x);
}

/* ---- the frame ---- */

static bool turns(const weft_collider_pose *pose) {
  const vec4 moves[] = {pose->move_a, pose->move_b, pose->turn_x, pose->turn_y, pose->turn_z};
  for (size_t k = 0; k < sizeof moves / sizeof *moves; ++k) {
    if (moves[k].x != 0 || moves[k].y != 0 || moves[k].z != 0) return true;
  }
  return false;
}

static bool moves(const weft_solver *solver, uint32_t collider) {
  const weft_params *p = &solver->params;
  for (uint32_t s = 0; s < p->substeps; ++s) {
    if (turns(&solver->poses[(size_t)s * p->collider_count + collider])) return true;
  }
  return false;
}

/* m/s: growth, at the speed with which pairs separate that start too near. */
static const double growth = 0.125;

/* The scale at the end of this frame. */
static float next_size(const weft_solver *solver, uint32_t shape) {
  const weft_shape_bodies *s = &solver->shapes;
  const weft_shape_fit *fit = &s->states[shape].fit;
  if (!(fit->size < fit->most)) return fit->size;
  double size = (double)fit->size + growth * (double)solver->params.frame_dt / fit->reach;
  return fminf((float)size, fit->most);
}

static void wake_those_that_move(weft_solver *solver) {
  weft_shape_bodies *s = &solver->shapes;
  bool moved[WEFT_MAX_COLLIDERS];
  s->awake = false;
  for (uint32_t k = 0; k < s->each; ++k) moved[k] = moves(solver, s->colliders[k]);
  for (uint32_t k = 0; k < s->count; ++k) {
    if (next_size(solver, k) != s->states[k].fit.size || moved[k % s->each]) wake(solver, k);
    s->awake = s->awake || s->states[k].awake > 0;
  }
}

/* If all bodies of an instance sleep, it behaves as it would alone, whoever moves in another
 * one. */
static void set_part(weft_solver *solver, uint32_t first) {
  weft_shape_bodies *s = &solver->shapes;
  bool sleeps = true;
  for (uint32_t k = first; k < first + s->each; ++k) sleeps = sleeps && s->states[k].awake == 0;
  for (uint32_t k = first; k < first + s->each; ++k) {
    const float size = next_size(solver, k);
    set_paths(s, k, s->states[k].fit.size, size, sleeps);
    s->states[k].fit.size = size;
  }
}

void weft_solver_begin_shapes(weft_solver *solver) {
  weft_shape_bodies *s = &solver->shapes;
  const weft_params *p = &solver->params;
  weft_collider_pose *before = solver->poses + (size_t)p->substeps * p->collider_count;
  wake_those_that_move(solver);
  if (!s->awake) return;
  for (uint32_t k = 0; k < s->count; k += s->each) set_part(solver, k);
  for (uint32_t k = 0; k < s->each; ++k) {
    before[s->colliders[k]] = pose_before(solver, s->colliders[k]);
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_SHAPE_PATHS, 0, s->particles, s->paths);
  weft_solver_write_buffer(solver, WEFT_BUFFER_COLLIDERS, (uint64_t)p->substeps * p->collider_count,
                           p->collider_count, before);
}

void weft_solver_end_shapes(weft_solver *solver) {
  for (uint32_t k = 0; k < solver->shapes.count; ++k) {
    weft_shape_state *state = &solver->shapes.states[k];
    if (state->awake) state->awake--;
  }
}

/* ---- the triangles of colliders, for other rooms ---- */

static void add_to(weft_mesh *mesh, const weft_vec3 *x, uint32_t count, const uint32_t *corners,
                   size_t triangles) {
  const uint32_t first = mesh->vertex_count;
  mesh->positions = weft_realloc(mesh->positions, first + count, sizeof *x);
  memcpy(mesh->positions + first, x, count * sizeof *x);
  const size_t from = 3 * (size_t)mesh->triangle_count;
  mesh->triangles = weft_realloc(mesh->triangles, from + 3 * triangles, sizeof *corners);
  for (size_t c = 0; c < 3 * triangles; ++c) mesh->triangles[from + c] = corners[c] + first;
  mesh->vertex_count += count;
  mesh->triangle_count += (uint32_t)triangles;
}

/* A plane: a square below the cloth, and wider than it. */
static void add_plane(weft_mesh *mesh, const weft_collider_pose *pose, double rise,
                      const weft_vec3 *positions, uint32_t count) {
  static const uint32_t corners[] = {0, 1, 2, 2, 1, 3};
  weft_vec3 low, high, u, v, x[4], n = exact_xyz(pose->b);
  weft_v3_bounds(positions, count, &low, &high);
  u = weft_v3_cross(n, fabsf(n.x) < 0.5f ? weft_v3(1, 0, 0) : weft_v3(0, 1, 0));
  u = weft_v3_scale(u, 1 / weft_v3_length(u));
  v = weft_v3_cross(n, u);
  const float wide = 2 * weft_v3_length(weft_v3_sub(high, low));
  weft_vec3 centre = weft_v3_scale(weft_v3_add(low, high), 0.5f);
  weft_vec3d at = weft_v3d_from(centre), normal = weft_v3d_from(n);
  double above = weft_v3d_dot(normal, weft_v3d_sub(at, weft_v3d_from(exact_xyz(pose->a))));
  at = weft_v3d_add_scaled(at, rise - above, normal);
  for (int k = 0; k < 4; ++k) {
    x[k] = weft_v3_add(weft_v3d_round(at), weft_v3_scale(u, k & 1 ? wide : -wide));
    x[k] = weft_v3_add(x[k], weft_v3_scale(v, k & 2 ? wide : -wide));
  }
  add_to(mesh, x, 4, corners, 2);
}

weft_mesh weft_solver_posed_shapes(const weft_solver *solver, uint32_t part,
                                   const weft_vec3 *positions) {
  weft_mesh all = {0};
  const weft_shape_use use = use_of(solver, part);
  const uint32_t particles = weft_model_part(solver->model, part)->particle_count;
  for (uint32_t c = 0; c < solver->params.collider_count; ++c) {
    const weft_collider_pose pose = pose_before(solver, c);
    weft_shape_mesh own;
    if (weft_shape_infos[pose.shape].size == WEFT_SHAPE_ENDLESS) {
      add_plane(&all, &pose, weft_shape_rise(&use), positions, particles);
    }
    if (!weft_shape_mesh_make(&solver->colliders[c], &use, &own)) continue;
    weft_vec3 *x = weft_alloc(own.point_count, sizeof *x);
    for (uint32_t i = 0; i < own.point_count; ++i) x[i] = placed(&pose, own.points[i]);
    add_to(&all, x, own.point_count, own.triangles, own.triangle_count);
    weft_free(x);
    weft_shape_mesh_free(&own);
  }
  return all;
}
