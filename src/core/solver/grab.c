/* grab.c: a damped spring that pulls a particle, and on cloth a patch around it, to a moving
 * point.
 *
 * A single particle of fine cloth weighs next to nothing: a force F must move it by F dt^2/m out
 * of the cloth in every substep before constraints act. So a grab holds a part of the connected
 * piece, not a particle. Force is distributed by mass: stiffness, damping and limit are the same
 * accelerations for all elements, and the forces add up to no more than the limit. */
#include <math.h>
#include <string.h>

#include "exact.h"
#include "solver.h"

_Static_assert(WEFT_MAX_GRABBED == WEFT_GRAB_ELEMENTS,
               "a grab fills the elements that shaders have");

static const double default_stiffness = 2500;  /* 1/s^2 */
static const double default_acceleration = 40; /* m/s^2 */
static const uint32_t parts_of_a_piece = 128;
static const float farthest = 1e6f; /* m */

/* ---- pieces: connected by constraints, but not through pins ---- */

static uint32_t find_root(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

static void join_group(const weft_model *model, const weft_constraint_group *g, uint32_t *parents) {
  for (uint32_t i = 0; i < g->count; ++i) {
    uint32_t first = WEFT_NO_PARTICLE;
    for (uint32_t r = 0; r < g->arity; ++r) {
      uint32_t p = g->particles[(size_t)i * g->arity + r];
      if (model->inverse_masses[p] == 0) continue;
      uint32_t root = find_root(parents, p);
      if (first != WEFT_NO_PARTICLE) parents[root] = first;
      first = first == WEFT_NO_PARTICLE ? root : first;
    }
  }
}

static const uint32_t *pieces_of(weft_solver *solver) {
  if (solver->pieces) return solver->pieces;
  const weft_model *model = solver->model;
  solver->pieces = weft_alloc(model->particle_count, sizeof *solver->pieces);
  for (uint32_t i = 0; i < model->particle_count; ++i) solver->pieces[i] = i;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    join_group(model, &model->groups[g], solver->pieces);
  }
  for (uint32_t i = 0; i < model->particle_count; ++i) find_root(solver->pieces, i);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    solver->pieces[i] = find_root(solver->pieces, i);
  }
  return solver->pieces;
}

typedef struct piece {
  uint32_t particles;
  double mass;
} piece;

static piece measure_piece(weft_solver *solver, uint32_t particle) {
  const uint32_t *pieces = pieces_of(solver);
  const float *w = solver->model->inverse_masses;
  piece p = {0};
  for (uint32_t i = 0; i < solver->model->particle_count; ++i) {
    if (w[i] == 0 || pieces[i] != pieces[particle]) continue;
    p.particles++;
    p.mass += 1 / (double)w[i];
  }
  return p;
}

/* ---- what is held ---- */

static bool holds(const weft_grab_state *grab, uint32_t particle) {
  for (uint32_t k = 0; k < grab->count; ++k) {
    if (grab->particles[k] == particle) return true;
  }
  return false;
}

/* Around the first particle, ring by ring over the triangles, in ascending order of triangles. */
static void spread(const weft_model *model, uint32_t wanted, weft_grab_state *grab) {
  for (uint32_t k = 0; k < grab->count && grab->count < wanted; ++k) {
    uint32_t i = grab->particles[k];
    for (uint32_t c = model->corner_offsets[i]; c < model->corner_offsets[i + 1]; ++c) {
      const uint32_t *corners = model->triangles + model->corner_items[c] / 3 * (size_t)3;
      for (uint32_t r = 0; r < 3 && grab->count < wanted; ++r) {
        if (model->inverse_masses[corners[r]] == 0 || holds(grab, corners[r])) continue;
        grab->particles[grab->count++] = corners[r];
      }
    }
  }
}

static uint32_t patch_size(const weft_solver *solver, uint32_t particles) {
  if (solver->model->triangle_count == 0) return 1;
  if (solver->params.grab_patch) return solver->params.grab_patch;
  uint32_t part = (particles - 1) / parts_of_a_piece + 1;
  return part < WEFT_GRAB_ELEMENTS ? part : WEFT_GRAB_ELEMENTS;
}

static float storable(double value) {
  float single = (float)fmin(value, 1e9);
  return exact_snap(single);
}

weft_grab_force weft_grab_force_of(weft_solver *solver) {
  const weft_params *p = &solver->params;
  const weft_grab_state *grab = &solver->grab;
  double mass = measure_piece(solver, grab->particles[0]).mass;
  weft_grab_force f = {0};
  for (uint32_t k = 0; k < grab->count; ++k) {
    f.held += 1 / (double)solver->model->inverse_masses[grab->particles[k]];
  }
  f.stiffness = p->grab_stiffness > 0 ? (double)p->grab_stiffness : default_stiffness * mass;
  f.damping = p->grab_damping > 0 ? (double)p->grab_damping : sqrt(f.stiffness * f.held);
  f.limit = p->grab_limit > 0 ? (double)p->grab_limit : default_acceleration * mass;
  return f;
}

/* Implicit in the particle alone: the force at the end of the step, from x + dt v and the v
 * there. */
void weft_grab_strength(weft_solver *solver) {
  weft_grab_state *grab = &solver->grab;
  weft_grab_force f = weft_grab_force_of(solver);
  double dt = (double)solver->params.frame_dt / solver->params.substeps;
  double softer = 1 + dt * (f.damping + dt * f.stiffness) / f.held;
  grab->stiffness = storable(dt * f.stiffness / f.held / softer);
  grab->damping = storable(dt * f.damping / f.held / softer);
  grab->impulse_limit =
      storable(f.limit * (1 - 1e-6) * dt / f.held); /* rounding must not exceed the limit */
}

static weft_vec3 position_of(weft_solver *solver, uint32_t particle) {
  vec4 element;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, particle, 1, &element);
  return weft_v3(element.x, element.y, element.z);
}

static weft_result check_target(weft_vec3 t, weft_error *err) {
  if (!isfinite(t.x) || !isfinite(t.y) || !isfinite(t.z)) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "the target of a grab is not finite");
  }
  if (fabsf(t.x) <= farthest && fabsf(t.y) <= farthest && fabsf(t.z) <= farthest) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "the target of a grab is (%g, %g, %g), each component may reach %g m",
                   (double)t.x, (double)t.y, (double)t.z, (double)farthest);
}

static weft_result check_grab(const weft_solver *solver, uint32_t particle, weft_error *err) {
  const weft_model *model = solver->model;
  if (!solver->params.grab) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a solver made without params.grab grabs nothing");
  }
  if (particle >= model->particle_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "particle %u does not exist, the model has %u particles", particle,
                     model->particle_count);
  }
  if (model->inverse_masses[particle] > 0) return WEFT_OK;
  if (weft_rides(model, particle)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "particle %u is attached and cannot be pulled: pull what it is attached to",
                     weft_model_number(model, particle));
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "particle %u is pinned and cannot be pulled: move the pin, or free it",
                   weft_model_number(model, particle));
}

weft_result weft_solver_grab(weft_solver *solver, uint32_t particle, weft_vec3 target,
                             weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_result result = check_grab(solver, particle, err);
  if (result == WEFT_OK) result = check_target(target, err);
  if (result == WEFT_OK) result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  weft_grab_state *grab = &solver->grab;
  *grab = (weft_grab_state){.count = 1, .from = exact_snap3(target), .to = exact_snap3(target)};
  grab->particles[0] = particle;
  spread(solver->model, patch_size(solver, measure_piece(solver, particle).particles), grab);
  weft_vec3 first = position_of(solver, particle);
  for (uint32_t k = 1; k < grab->count; ++k) {
    grab->offsets[k] = weft_v3_sub(position_of(solver, grab->particles[k]), first);
  }
  weft_grab_strength(solver);
  result = solver->backend->check(solver->instance, "reading where a grabbed piece is", err);
  if (result != WEFT_OK) weft_solver_release(solver);
  return result;
}

weft_result weft_solver_move_grab(weft_solver *solver, weft_vec3 target, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  if (solver->grab.count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "nothing is grabbed that could be moved");
  }
  weft_result result = check_target(target, err);
  if (result == WEFT_OK) solver->grab.to = exact_snap3(target);
  return result;
}

void weft_solver_release(weft_solver *solver) {
  if (solver) solver->grab = (weft_grab_state){0};
}

uint32_t weft_solver_grabbed(const weft_solver *solver) {
  return solver && solver->grab.count ? solver->grab.particles[0] : WEFT_NO_PARTICLE;
}

/* The pull of a point in the middle of what is held. */
static vec4 enter(const weft_solver *solver, weft_vec3 point, weft_vec3 offset) {
  weft_vec3d p = weft_v3d_from(weft_v3_add(point, offset));
  return exact_vec4(weft_origin_enter(solver->origin, p), 0);
}

weft_grab weft_grab_element(const weft_solver *solver, uint32_t k) {
  const weft_grab_state *grab = &solver->grab;
  return (weft_grab){enter(solver, grab->from, grab->offsets[k]),
                     enter(solver, grab->to, grab->offsets[k]),
                     grab->stiffness,
                     grab->damping,
                     grab->impulse_limit,
                     grab->particles[k]};
}

void weft_grab_upload(weft_solver *solver) {
  const weft_grab_state *grab = &solver->grab;
  if (grab->count == 0) return;
  weft_grab elements[WEFT_GRAB_ELEMENTS];
  memset(elements, 0, sizeof elements);
  for (uint32_t k = 0; k < WEFT_GRAB_ELEMENTS; ++k) {
    elements[k].particle = WEFT_GRAB_NONE;
    if (k < grab->count) elements[k] = weft_grab_element(solver, k);
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_GRAB, 0, WEFT_GRAB_ELEMENTS, elements);
}
