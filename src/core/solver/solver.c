/* solver.c: the life of a solver, and the frame as a list of passes. */
#include "solver.h"

#include <math.h>
#include <string.h>

#include "exact.h"
#include "refill.h"

/* ---- substeps ---- */

static vec4 pack(weft_vec3 v, float w) { return (vec4){v.x, v.y, v.z, w}; }

static double end_of_substep(const weft_solver *solver, uint32_t s) {
  double dt = (double)solver->params.frame_dt / solver->params.substeps;
  return weft_solver_time(solver) + dt * (s + 1);
}

weft_substep weft_solver_substep(const weft_solver *solver, uint32_t s) {
  const weft_params *p = &solver->params;
  /* The last fraction is exactly 1: pins end exactly on their targets. */
  float way = s + 1 == p->substeps ? 1.0f : (float)((double)(s + 1) / p->substeps);
  return (weft_substep){
      .wind = weft_wind_at(p, end_of_substep(solver, s)), .way = way, .air_dt = weft_air_dt(p, s)};
}

weft_collider_step weft_solver_collider_step(const weft_solver *solver, uint32_t c, uint32_t s) {
  const weft_params *p = &solver->params;
  double dt = (double)p->frame_dt / p->substeps;
  return (weft_collider_step){.before = weft_solver_time(solver) + dt * s,
                              .now = end_of_substep(solver, s),
                              .from = &solver->colliders_from[c],
                              .part_before = (double)s / p->substeps,
                              .part_now = (double)(s + 1) / p->substeps,
                              .origin = solver->origin,
                              .home = &solver->colliders_home[c]};
}

/* The wind may differ from that of the last frame. */
static void time_air(weft_solver *solver) {
  for (size_t k = 0; k < solver->passes.count; ++k) {
    weft_pass *pass = &solver->passes.items[k];
    if (weft_pass_is_air(pass->kind)) weft_air_time(pass, &solver->params);
  }
}

static void fill_substeps(weft_solver *solver) {
  const weft_params *p = &solver->params;
  time_air(solver);
  for (uint32_t s = 0; s < p->substeps; ++s) {
    solver->substeps[s] = weft_solver_substep(solver, s);
    for (uint32_t c = 0; c < p->collider_count; ++c) {
      const weft_collider_step step = weft_solver_collider_step(solver, c, s);
      solver->poses[(size_t)s * p->collider_count + c] =
          weft_collider_pose_between(&p->colliders[c], &step, p->thickness);
    }
  }
}

/* ---- creation ---- */

static void copy_colliders(weft_solver *solver) {
  weft_params *p = &solver->params;
  solver->colliders = weft_alloc(p->collider_count, sizeof *solver->colliders);
  for (uint32_t c = 0; c < p->collider_count; ++c) {
    solver->colliders[c] = p->colliders[c];
    uint32_t n = p->colliders[c].key_count;
    weft_collider_key *keys = n ? weft_alloc(n, sizeof *keys) : NULL;
    if (n) memcpy(keys, p->colliders[c].keys, n * sizeof *keys);
    solver->colliders[c].keys = keys;
  }
  p->colliders = solver->colliders;
  solver->colliders_from = weft_alloc(p->collider_count, sizeof *solver->colliders_from);
  solver->colliders_home = weft_alloc(p->collider_count, sizeof *solver->colliders_home);
  for (uint32_t c = 0; c < p->collider_count; ++c) {
    solver->colliders_from[c] = solver->colliders_home[c] = solver->colliders[c];
  }
}

static void start_pins(weft_solver *solver) {
  const weft_model *model = solver->model;
  uint32_t n = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (!weft_is_pin(model, i)) continue;
    solver->pin_particles[n] = i;
    weft_vec3 there = WEFT_START(model, &solver->params)[i];
    solver->pin_from[n] = solver->pin_to[n] = weft_v3d_from(there);
    ++n;
  }
  solver->pins_moving = false;
}

weft_result weft_check_given(const char *what, const char *unit, const weft_vectors *v,
                             const uint32_t *particles, uint32_t count, weft_error *err) {
  static const double most = 1e6;
  for (uint32_t i = 0; i < count && weft_vectors_given(v); ++i) {
    const uint32_t particle = particles ? particles[i] : i;
    const weft_vec3d p = weft_vectors_at(v, i);
    if (fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most) continue;
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
      return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s of particle %u is not finite", what,
                       particle);
    }
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "%s of particle %u is (%g, %g, %g), each component may reach %g %s", what,
                     particle, p.x, p.y, p.z, most, unit);
  }
  return WEFT_OK;
}

static void copy_start(weft_solver *solver) {
  if (!solver->params.start) return;
  uint32_t count = solver->model->particle_count;
  solver->start = weft_alloc(count, sizeof *solver->start);
  memcpy(solver->start, solver->params.start, count * sizeof *solver->start);
  weft_model_place_riders(solver->model, solver->start);
  solver->params.start = solver->start;
}

/* Features that a joined model cannot have, because they couple instances. */
static weft_result check_joined(const weft_model *model, const weft_params *p, weft_error *err) {
  if (model->part_count == 0) return WEFT_OK;
  const char *what = p->global_damping > 0           ? "global damping"
                     : weft_contact_active(model, p) ? "contact between particles"
                     : p->grab                       ? "grab"
                     : p->mode != WEFT_MODE_GS       ? "a mode other than gs"
                     : weft_patches_active(p)        ? "schedule patches"
                     : p->start                      ? "a start other than the rest pose"
                     : p->soft_pins > 0              ? "a soft pin"
                                                     : NULL;
  if (!what) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s is not for joined models (several instances)",
                   what);
}

static weft_result check_tangled(const weft_model *model, const weft_params *p, weft_error *err) {
  if (p->tangled != WEFT_TANGLED_REFUSE || !weft_self_active(model, p)) return WEFT_OK;
  const weft_bodies bodies = weft_bodies_of(p);
  return weft_model_refuse_tangled(model, &bodies, p->start, err);
}

static weft_result plan_single(weft_solver *solver, const weft_contents *contents,
                               weft_error *err) {
  const weft_backend *backend = solver->backend;
  if (!backend->plan_single) return WEFT_OK;
  return backend->plan_single(solver->instance, solver->params.schedule, solver->passes.items,
                              solver->passes.count, contents, &solver->single, err);
}

/* The backend's instance, and the passes of a substep. */
static weft_result make_instance(weft_solver *solver, uint32_t guard, weft_error *err) {
  const weft_backend *backend = solver->backend;
  weft_contents contents;
  double start = weft_clock_seconds();
  const weft_params all = weft_solver_with_shapes(solver);
  weft_result result = (backend->contents ? backend->contents : weft_solver_contents)(
      solver->model, &all, &contents, err);
  if (result != WEFT_OK) return result;
  double filled = weft_clock_seconds();
  contents.given = true;
  void *instance = NULL;
  result = backend->create(backend, &contents, guard, &instance, err);
  if (result == WEFT_OK) {
    solver->instance = instance;
    solver->self_tangled = weft_self_tangled(&contents);
    if (!backend->change)
      solver->uniforms = *(weft_uniforms *)contents.buffers[WEFT_BUFFER_UNIFORMS].data;
    for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
      solver->buffer_counts[id] = contents.buffers[id].count;
    }
    weft_solver_pass_list(solver->model, &solver->params, &contents, &solver->passes);
    weft_refill_note(solver, &contents);
    result = plan_single(solver, &contents, err);
  }
  weft_contents_free(&contents);
  weft_log(WEFT_LOG_DEBUG, "solver of %u particles on %s: contents %.3f s, buffers %.3f s",
           solver->model->particle_count, backend->name, filled - start,
           weft_clock_seconds() - filled);
  return result;
}

/* Host buffers in which a frame is prepared. */
static void allocate_frame(weft_solver *solver) {
  const uint32_t soft = solver->params.soft_pins;
  solver->soft_elements = weft_alloc(soft, sizeof *solver->soft_elements);
  solver->soft = (weft_softs){weft_alloc(soft, sizeof *solver->soft.items), 0, soft};
  weft_solver_weigh(solver);
  uint32_t pins = solver->pinned_count = solver->pins_room = solver->model->pinned_count;
  size_t substeps = solver->params.substeps;
  solver->pin_from = weft_alloc(pins, sizeof *solver->pin_from);
  solver->pin_to = weft_alloc(pins, sizeof *solver->pin_to);
  solver->pin_particles = weft_alloc(pins, sizeof *solver->pin_particles);
  solver->pin_paths = weft_alloc(pins, sizeof *solver->pin_paths);
  uint32_t all = solver->model->particle_count + solver->body_particles + solver->shapes.particles;
  solver->staging = weft_alloc(all, sizeof *solver->staging);
  solver->substeps_room = solver->params.substeps;
  solver->substeps = weft_alloc(substeps, sizeof *solver->substeps);
  solver->poses = weft_alloc((substeps + 1) * solver->params.collider_count, sizeof *solver->poses);
}

weft_result weft_solver_create_guarded(const weft_model *model, const weft_params *params,
                                       const weft_backend *backend, uint32_t guard,
                                       weft_solver **out, weft_error *err) {
  WEFT_CHECK(guard % 256 == 0, "guards must keep the alignment of buffer ranges");
  WEFT_OWN_MEMORY(NULL); /* until the solver owns it */
  *out = NULL;
  weft_params resolved = params ? *params : (weft_params){0};
  resolved.plain = true;
  weft_result result = weft_params_resolve(&resolved, &resolved, err);
  if (result == WEFT_OK) result = check_joined(model, &resolved, err);
  if (result == WEFT_OK) result = weft_bodies_check(model, &resolved, err);
  if (result == WEFT_OK && resolved.start) {
    const weft_vectors start = {.single = resolved.start};
    result = weft_check_given("the start position", "m", &start, NULL, model->particle_count, err);
  }
  if (result == WEFT_OK) result = check_tangled(model, &resolved, err);
  if (result != WEFT_OK) return result;
  if (resolved.lra > 0 && model->pinned_count == 0) {
    weft_log(WEFT_LOG_WARNING,
             "nothing is pinned, so there is nothing for attachments to hold on to");
  }
  weft_solver *solver = weft_alloc(1, sizeof *solver);
  solver->model = model;
  solver->backend = backend;
  solver->guard = guard;
  solver->params = resolved;
  solver->params.complete = true; /* 0 is 0 from now on */
  solver->params.no_gravity = solver->params.no_self_pushes = false;
  copy_colliders(solver);
  copy_start(solver);
  solver->origin = weft_origin_at_start(model, &solver->params);
  weft_solver_copy_bodies(solver);
  weft_solver_warn_of_shapes(solver);
  weft_solver_make_shapes(solver);
  weft_solver_size_shapes(solver);
  const weft_params all = weft_solver_with_shapes(solver);
  solver->params.self_room = weft_self_room_at_first(model, &all);
  result = make_instance(solver, guard, err);
  if (result != WEFT_OK) {
    weft_solver_destroy(solver);
    return result;
  }
  allocate_frame(solver);
  weft_bound_passes(model->particle_count, &solver->bound_passes);
  start_pins(solver);
  weft_owned_begin(&solver->owned);
  *out = solver;
  return WEFT_OK;
}

weft_result weft_solver_create(const weft_model *model, const weft_params *params,
                               const weft_backend *backend, weft_solver **solver, weft_error *err) {
  WEFT_NEED(solver);
  *solver = NULL;
  WEFT_NEED(model);
  WEFT_NEED(backend);
  WEFT_ENTER(backend);
  WEFT_GUARD(err);
  weft_params chosen = params ? *params : (weft_params){0};
  weft_result result = weft_params_choose(model, &chosen, err);
  if (result != WEFT_OK) return result;
  return weft_solver_create_guarded(model, &chosen, backend, 0, solver, err);
}

/* Where its context is gone, so are its objects. */
static void destroy_instance(weft_solver *solver) {
  const weft_backend *entered = NULL;
  if (!solver->instance || weft_enter(solver->backend, &entered, NULL) != WEFT_OK) return;
  solver->backend->destroy(solver->instance);
  weft_leave(&entered);
}

void weft_budget_free(weft_solver *solver) {
  struct weft_budget *b = solver->budget;
  solver->budget = NULL;
  for (uint32_t k = 0; b && k < WEFT_BUDGET_LEVELS; ++k) weft_solver_destroy(b->by[k]);
  weft_free(b);
}

void weft_solver_destroy(weft_solver *solver) {
  if (!solver) return;
  if (solver->owned.lost) {
    weft_owned_release(&solver->owned);
    return;
  }
  weft_budget_free(solver);
  destroy_instance(solver);
  weft_refill_free(solver);
  for (uint32_t c = 0; c < solver->params.collider_count; ++c) {
    weft_free((void *)(uintptr_t)solver->colliders[c].keys);
  }
  weft_free(solver->colliders);
  weft_free(solver->colliders_from);
  weft_free(solver->colliders_home);
  weft_free(solver->passes.items);
  weft_free(solver->bound_passes.items);
  weft_free(solver->pin_from);
  weft_free(solver->pin_to);
  weft_free(solver->pin_particles);
  weft_free(solver->pin_paths);
  weft_free(solver->staging);
  weft_free(solver->substeps);
  weft_free(solver->poses);
  weft_free(solver->pieces);
  weft_soft_free(&solver->soft);
  weft_free(solver->soft_elements);
  weft_free(solver->start);
  weft_solver_free_bodies(solver);
  weft_solver_free_shapes(solver);
  weft_model_destroy(solver->own_model);
  weft_owned_end(&solver->owned);
  weft_free(solver);
}

/* ---- the frame ---- */

void weft_solver_begin_frame(weft_solver *solver) {
  const weft_params *p = &solver->params;
  weft_origin_follow(solver);
  fill_substeps(solver);
  weft_solver_write_buffer(solver, WEFT_BUFFER_SUBSTEPS, 0, p->substeps, solver->substeps);
  uint64_t poses = (uint64_t)p->substeps * p->collider_count;
  if (poses) weft_solver_write_buffer(solver, WEFT_BUFFER_COLLIDERS, 0, poses, solver->poses);
  weft_soft_upload(solver);
  weft_grab_upload(solver);
  weft_solver_begin_bodies(solver);
  weft_solver_begin_shapes(solver);
  if (solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS]) solver->backend->save(solver->instance);
  /* With self-collision pins go on. */
  if (solver->pins_moving && solver->pins_given == WEFT_GIVEN_OVER) weft_solver_settle_pins(solver);
  if (solver->pins_moving && solver->pins_given == WEFT_GIVEN_NOT) weft_solver_upload_pins(solver);
}

void weft_solver_upload_pins(weft_solver *solver) {
  for (uint32_t k = 0; k < solver->pinned_count; ++k) {
    solver->pin_paths[k].from = pack(weft_origin_enter(solver->origin, solver->pin_from[k]), 0);
    solver->pin_paths[k].to = pack(weft_origin_enter(solver->origin, solver->pin_to[k]), 0);
    solver->pin_paths[k].particle = solver->pin_particles[k];
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_PINS, 0, solver->pinned_count, solver->pin_paths);
}

bool weft_solver_pass_active(const weft_solver *solver, const weft_pass *pass) {
  if (pass->kind == WEFT_PASS_GRAB) return solver->grab.count > 0;
  if (pass->kind == WEFT_PASS_SOFT_PINS) return solver->soft.count > 0;
  if (pass->kind == WEFT_PASS_MOVE_SHAPES) return solver->shapes.awake;
  if (pass->kind == WEFT_PASS_MOVE_BODIES) return solver->body_state[pass->batch].awake > 0;
  return pass->kind != WEFT_PASS_MOVE_PINS || solver->pins_moving;
}

static void run_single(weft_solver *solver, size_t passes, uint32_t substep, uint32_t count) {
  const weft_single_run run = {passes, substep, count, !solver->pins_moving,
                               solver->grab.count == 0};
  solver->backend->run_single(solver->instance, &run);
}

void weft_solver_run_passes(weft_solver *solver, size_t passes, uint32_t substep) {
  if (solver->single) {
    run_single(solver, passes, substep, 1);
    return;
  }
  for (size_t k = 0; k < passes; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (weft_solver_pass_active(solver, pass)) {
      solver->backend->run(solver->instance, pass, substep);
    }
  }
}

void weft_solver_run_substeps(weft_solver *solver, uint32_t first, uint32_t count) {
  if (solver->single) {
    run_single(solver, solver->passes.count, first, count);
    return;
  }
  for (uint32_t s = 0; s < count; ++s) {
    weft_solver_run_passes(solver, solver->passes.count, first + s);
  }
}

void weft_solver_run_substep(weft_solver *solver, uint32_t substep) {
  weft_solver_run_substeps(solver, substep, 1);
}

void weft_solver_end_frame(weft_solver *solver) {
  memcpy(solver->pin_from, solver->pin_to, solver->pinned_count * sizeof *solver->pin_from);
  if (solver->pins_given == WEFT_GIVEN_NOW) solver->pins_given = WEFT_GIVEN_OVER;
  /* Cloth may have held bodies back. */
  if (!weft_self_active(solver->model, &solver->params)) solver->pins_moving = false;
  weft_solver_settle_colliders(solver);
  weft_solver_end_bodies(solver);
  weft_solver_end_shapes(solver);
  solver->grab.from = solver->grab.to;
  weft_soft_end(solver);
  solver->frame++;
  weft_solver_see_still(solver);
}

uint64_t weft_solver_frame(const weft_solver *solver) { return solver ? solver->frame : 0; }

/* ---- state ---- */

/* Elements that are staged at once, so that no second copy of a large cloth is needed. */
enum { PIECE = 65536 };

static uint32_t piece_at(const weft_solver *solver, uint32_t first) {
  uint32_t left = solver->model->particle_count - first;
  return left < PIECE ? left : PIECE;
}

static void read_vectors(weft_solver *solver, weft_buffer_id id, weft_vec3d origin,
                         weft_vec3 *out) {
  for (uint32_t first = 0; first < solver->model->particle_count; first += PIECE) {
    uint32_t count = piece_at(solver, first);
    weft_solver_read_buffer(solver, id, first, count, solver->staging);
    for (uint32_t i = 0; i < count; ++i) {
      out[first + i] = weft_origin_leave(origin, solver->staging[i]);
    }
  }
}

static void write_vectors(weft_solver *solver, weft_buffer_id id, weft_vec3d origin,
                          const weft_vectors *in, const float *w) {
  for (uint32_t first = 0; first < solver->model->particle_count; first += PIECE) {
    uint32_t count = piece_at(solver, first);
    for (uint32_t i = 0; i < count; ++i) {
      weft_vec3 x = weft_origin_enter(origin, weft_vectors_at(in, first + i));
      solver->staging[i] = pack(x, w ? w[first + i] : 0);
    }
    weft_solver_write_buffer(solver, id, first, count, solver->staging);
  }
}

void weft_solver_clear_elements(weft_solver *solver, weft_buffer_id id) {
  uint64_t n = solver->buffer_counts[id];
  if (n == 0) return;
  memset(solver->staging, 0, (size_t)n * sizeof *solver->staging);
  weft_solver_write_buffer(solver, id, 0, n, solver->staging);
}

weft_result weft_solver_fail_not_finite(const weft_solver *solver, const char *what, size_t k,
                                        weft_error *err) {
  return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                   "the %s of particle %zu is infinite or NaN after frame %llu: more substeps, "
                   "softer fabric or damping may help",
                   what, k / 3, (unsigned long long)solver->frame);
}

static weft_result check_sound(const weft_solver *solver, const char *what, const weft_vec3 *v,
                               weft_error *err) {
  const float *numbers = &v->x;
  const size_t count = 3 * (size_t)solver->model->particle_count;
  for (size_t k = 0; k < count; ++k) {
    if (!isfinite(numbers[k])) return weft_solver_fail_not_finite(solver, what, k, err);
  }
  return WEFT_OK;
}

/* Reads without a check for finite values. */
static weft_result read_state(weft_solver *solver, weft_vec3 *positions, weft_vec3 *velocities,
                              weft_error *err) {
  weft_result result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  const weft_vec3d nowhere = {0, 0, 0};
  if (positions) read_vectors(solver, WEFT_BUFFER_X, solver->origin, positions);
  if (velocities) read_vectors(solver, WEFT_BUFFER_V, nowhere, velocities);
  return solver->backend->check(solver->instance, "reading the state", err);
}

weft_result weft_solver_read(weft_solver *solver, weft_vec3 *positions, weft_vec3 *velocities,
                             weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = read_state(solver, positions, velocities, err);
  if (positions && result == WEFT_OK) result = check_sound(solver, "position", positions, err);
  if (velocities && result == WEFT_OK) result = check_sound(solver, "velocity", velocities, err);
  return result;
}

void weft_solver_forget_contacts(weft_solver *solver) {
  uint64_t n = solver->buffer_counts[WEFT_BUFFER_CONTACTS_KEPT];
  weft_neighbour *kept = weft_alloc((size_t)n * WEFT_CONTACT_SLOTS, sizeof *kept);
  weft_contact_forget(kept, n);
  weft_solver_write_buffer(solver, WEFT_BUFFER_CONTACTS_KEPT, 0, n, kept);
  weft_free(kept);
  weft_solver_clear_elements(solver, WEFT_BUFFER_SELF_CACHE_COUNT);
  const uint32_t parts = weft_model_part_count(solver->model);
  for (uint32_t p = 0; p < parts; ++p) weft_solver_forget_rejected(solver, p);
}

void weft_solver_forget_rejected(weft_solver *solver, uint32_t part) {
  static const uint32_t none[WEFT_SELF_COUNTS - WEFT_SELF_AT_REJECTED] = {0};
  if (solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS] == 0) return;
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_COUNTS,
                           (uint64_t)part * WEFT_SELF_COUNTS + WEFT_SELF_AT_REJECTED,
                           sizeof none / sizeof *none, none);
}

weft_result weft_solver_view(weft_solver *solver, weft_view *view, weft_error *err) {
  WEFT_NEED(view);
  *view = (weft_view){0};
  WEFT_NEED(solver);
  const weft_backend *backend = solver->backend;
  if (!backend->elements) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "the backend %s has no floats on the host: weft_solver_gl_state for gl, "
                     "weft_solver_read_f64 for f64",
                     backend->name);
  }
  WEFT_GUARD_CHANGE(&solver->owned, err);
  *view = (weft_view){.positions = backend->elements(solver->instance, WEFT_BUFFER_X),
                      .velocities = backend->elements(solver->instance, WEFT_BUFFER_V),
                      .stride = sizeof(vec4),
                      .count = solver->model->particle_count,
                      .origin = {solver->origin.x, solver->origin.y, solver->origin.z}};
  return WEFT_OK;
}

static weft_vec3d origin_for(const weft_vectors *positions, uint32_t count) {
  weft_vec3d low = weft_vectors_at(positions, 0), high = low;
  for (uint32_t i = 1; i < count; ++i) weft_v3d_grow(&low, &high, weft_vectors_at(positions, i));
  return weft_origin_way(low, high);
}

static void write_positions(weft_solver *solver, const weft_vectors *positions) {
  const weft_model *model = solver->model;
  weft_origin_set(solver, origin_for(positions, model->particle_count));
  write_vectors(solver, WEFT_BUFFER_X, solver->origin, positions, model->inverse_masses);
  weft_solver_clear_elements(solver, WEFT_BUFFER_X_LOW);
  for (uint32_t k = 0; k < solver->pinned_count; ++k) {
    solver->pin_from[k] = solver->pin_to[k] = weft_vectors_at(positions, solver->pin_particles[k]);
  }
  solver->pins_moving = false;
  weft_soft_write(solver, positions);
  solver->pins_given = WEFT_GIVEN_NOT;
  weft_solver_forget_contacts(solver);
  weft_solver_fit_shapes(solver, NULL);
  weft_solver_forget_still(solver);
}

static weft_result write_state(weft_solver *solver, weft_vectors positions, weft_vectors velocities,
                               weft_error *err) {
  const uint32_t count = solver->model->particle_count;
  weft_result result = weft_check_given("position", "m", &positions, NULL, count, err);
  if (result == WEFT_OK)
    result = weft_check_given("velocity", "m/s", &velocities, NULL, count, err);
  if (result != WEFT_OK) return result;
  if (weft_vectors_given(&positions)) write_positions(solver, &positions);
  if (weft_vectors_given(&velocities)) {
    write_vectors(solver, WEFT_BUFFER_V, weft_v3d(0, 0, 0), &velocities, NULL);
    weft_solver_clear_elements(solver, WEFT_BUFFER_V_LOW);
  }
  return solver->backend->check(solver->instance, "writing the state", err);
}

weft_result weft_solver_write(weft_solver *solver, const weft_vec3 *positions,
                              const weft_vec3 *velocities, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  return write_state(solver, (weft_vectors){.single = positions},
                     (weft_vectors){.single = velocities}, err);
}

weft_result weft_solver_write_f64(weft_solver *solver, const double *positions,
                                  const double *velocities, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  return write_state(solver, (weft_vectors){.wide = positions}, (weft_vectors){.wide = velocities},
                     err);
}

weft_result weft_solver_reset(weft_solver *solver, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_vec3 *rest = weft_alloc(solver->model->particle_count, sizeof *rest);
  const weft_vec3 *start = WEFT_START(solver->model, &solver->params);
  weft_result result = weft_solver_write(solver, start, rest, err);
  weft_free(rest);
  weft_solver_reset_bodies(solver);
  weft_solver_release(solver);
  for (uint32_t c = 0; c < solver->params.collider_count; ++c) {
    solver->colliders[c] = solver->colliders_home[c];
  }
  weft_solver_settle_colliders(solver);
  solver->frame = solver->frames_checked = 0;
  solver->began = 0;
  weft_solver_fit_shapes(solver, NULL); /* to where colliders are now */
  return result;
}

uint32_t weft_solver_pin_index(const weft_solver *solver, uint32_t particle) {
  uint32_t low = 0, high = solver->pinned_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (solver->pin_particles[middle] < particle) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  bool found = low < solver->pinned_count && solver->pin_particles[low] == particle;
  return found ? low : UINT32_MAX;
}

static weft_result move_pins(weft_solver *solver, const uint32_t *particles, weft_vectors targets,
                             uint32_t count, weft_error *err) {
  weft_result result = weft_check_given("pin target", "m", &targets, particles, count, err);
  if (result != WEFT_OK) return result;
  for (uint32_t k = 0; k < count; ++k) {
    const bool hard = weft_solver_pin_index(solver, particles[k]) != UINT32_MAX;
    if (!hard && !weft_soft_find(solver, particles[k])) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "particle %u is not pinned", particles[k]);
    }
  }
  result = weft_solver_ask_pins(solver, err);
  if (result != WEFT_OK) return result;
  for (uint32_t k = 0; k < count; ++k) {
    const weft_vec3d to = weft_vectors_at(&targets, k);
    weft_soft *soft = weft_soft_find(solver, particles[k]);
    if (soft) {
      soft->to = to;
      continue;
    }
    solver->pin_to[weft_solver_pin_index(solver, particles[k])] = to;
    solver->pins_moving = true;
  }
  return WEFT_OK;
}

weft_result weft_solver_move_pins(weft_solver *solver, const uint32_t *particles,
                                  const weft_vec3 *targets, uint32_t count, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  WEFT_NEED_ITEMS(particles, count);
  WEFT_NEED_ITEMS(targets, count);
  return move_pins(solver, particles, (weft_vectors){.single = targets}, count, err);
}

weft_result weft_solver_move_pins_f64(weft_solver *solver, const uint32_t *particles,
                                      const double *targets, uint32_t count, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  WEFT_NEED_ITEMS(particles, count);
  WEFT_NEED_ITEMS(targets, count);
  return move_pins(solver, particles, (weft_vectors){.wide = targets}, count, err);
}

weft_result weft_solver_hash(weft_solver *solver, uint64_t *hash, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(hash);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  uint32_t n = solver->model->particle_count;
  weft_vec3 *state = weft_alloc(2 * (size_t)n, sizeof *state);
  weft_result result = read_state(solver, state, state + n, err);
  if (result == WEFT_OK) {
    *hash = weft_hash_bytes(WEFT_HASH_SEED, state, 2 * (size_t)n * sizeof *state);
  }
  weft_free(state);
  return result;
}

static uint32_t count_missed(weft_solver *solver) {
  uint64_t n = solver->buffer_counts[WEFT_BUFFER_CONTACT_FOUND];
  if (n == 0) return 0;
  uint32_t *found = weft_alloc((size_t)n, sizeof *found);
  weft_solver_read_buffer(solver, WEFT_BUFFER_CONTACT_FOUND, 0, n, found);
  uint32_t missed = 0;
  for (uint64_t i = 0; i < n; ++i) missed += found[i] > WEFT_CONTACT_SLOTS;
  weft_free(found);
  if (missed) {
    weft_log(WEFT_LOG_WARNING,
             "%u particles have more neighbours than contact can take: %s, or a smaller radius",
             missed, "more substeps");
  }
  return missed;
}

static void add_self_counts(const uint32_t *counts, weft_metrics *m) {
  m->self_candidates += counts[WEFT_SELF_AT_CANDIDATE_SUM];
  m->self_pairs += counts[WEFT_SELF_AT_PAIR_SUM];
  m->self_limited += counts[WEFT_SELF_AT_LIMITED];
  m->self_uncertain += counts[WEFT_SELF_AT_UNCERTAIN];
  m->self_detections += counts[WEFT_SELF_AT_DETECTIONS];
  m->self_pauses += counts[WEFT_SELF_AT_REJECTED_STEPS];
  m->self_overflows += counts[WEFT_SELF_AT_OVERFLOWS];
  m->self_driven += counts[WEFT_SELF_AT_OVERRIDDEN];
}

/* Counters of self-collision in the last frame, of each instance of a joined model. */
static void count_self(weft_solver *solver, weft_metrics *m) {
  m->self_steps = weft_self_steps(&solver->params);
  if (solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS] == 0) return;
  uint32_t parts = weft_model_part_count(solver->model);
  uint64_t elements = (uint64_t)parts * WEFT_SELF_COUNTS;
  uint32_t *all = weft_alloc((size_t)elements, sizeof *all);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, elements, all);
  for (uint32_t p = 0; p < parts; ++p) add_self_counts(&all[(size_t)p * WEFT_SELF_COUNTS], m);
  weft_free(all);
  m->self_tangled = solver->self_tangled;
  if (m->self_overflows) weft_tell_room(solver, m->self_overflows);
}

weft_result weft_solver_metrics(weft_solver *solver, weft_metrics *metrics, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(metrics);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  const weft_vec3d nowhere = {0, 0, 0};
  uint32_t n = solver->model->particle_count;
  weft_result result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  weft_solver_settle_given(solver);
  weft_vec3 *state = weft_alloc(2 * (size_t)n, sizeof *state);
  read_vectors(solver, WEFT_BUFFER_X, nowhere, state); /* in their own precision */
  read_vectors(solver, WEFT_BUFFER_V, nowhere, state + n);
  weft_measure(solver->model, &solver->params, solver->origin, state, state + n, metrics);
  metrics->substeps = solver->params.substeps;
  metrics->late_frames = solver->budget ? solver->budget->late : 0;
  metrics->contacts_missed = count_missed(solver);
  count_self(solver, metrics);
  result = solver->backend->check(solver->instance, "reading the state", err);
  if (result == WEFT_OK) result = weft_solver_measure_bodies(solver, state, metrics, err);
  weft_free(state);
  return result;
}

const weft_model *weft_solver_model(const weft_solver *solver) {
  return solver ? solver->model : NULL;
}
weft_schedule weft_solver_schedule(const weft_solver *solver) {
  if (!solver) return WEFT_SCHEDULE_AUTO;
  if (solver->single) return WEFT_SCHEDULE_SINGLE;
  return weft_patches_active(&solver->params) ? WEFT_SCHEDULE_PATCHES : WEFT_SCHEDULE_COLOURS;
}
const weft_params *weft_solver_params(const weft_solver *solver) {
  return solver ? &solver->params : NULL;
}
const char *weft_backend_name(const weft_backend *backend) {
  return backend ? backend->name : NULL;
}
