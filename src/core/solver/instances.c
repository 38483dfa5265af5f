/* instances.c: the cloth of single instances of a joined model is read, written, or put back to the
 * start, beside others that go on with their own bits. */
#include <math.h>
#include <string.h>
#include <weft/change.h>

#include "exact.h"
#include "solver.h"

static uint32_t particles_of_one(const weft_solver *solver) {
  return solver->model->particle_count / weft_model_part_count(solver->model);
}

static weft_result check_instance(const weft_solver *solver, uint32_t instance, weft_error *err) {
  const uint32_t count = weft_model_part_count(solver->model);
  if (instance < count) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "instance %u does not exist, the model has %u",
                   instance, count);
}

/* ---- reading ---- */

static weft_result read_vectors(weft_solver *solver, weft_buffer_id id, const char *what,
                                weft_vec3d origin, uint32_t first, weft_vec3 *out,
                                weft_error *err) {
  const uint32_t count = particles_of_one(solver);
  if (!out) return WEFT_OK;
  weft_solver_read_buffer(solver, id, first, count, solver->staging);
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = weft_origin_leave(origin, solver->staging[i]);
    if (isfinite(out[i].x) && isfinite(out[i].y) && isfinite(out[i].z)) continue;
    return weft_solver_fail_not_finite(solver, what, 3 * ((size_t)first + i), err);
  }
  return WEFT_OK;
}

weft_result weft_solver_read_instance(weft_solver *solver, uint32_t instance, weft_vec3 *positions,
                                      weft_vec3 *velocities, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = check_instance(solver, instance, err);
  if (result == WEFT_OK) result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  const uint32_t first = instance * particles_of_one(solver);
  result = read_vectors(solver, WEFT_BUFFER_X, "position", solver->origin, first, positions, err);
  if (result == WEFT_OK) {
    result =
        read_vectors(solver, WEFT_BUFFER_V, "velocity", weft_v3d(0, 0, 0), first, velocities, err);
  }
  if (result != WEFT_OK) return result;
  return solver->backend->check(solver->instance, "reading an instance", err);
}

/* ---- writing ---- */

static void write_vectors(weft_solver *solver, weft_buffer_id id, weft_buffer_id low,
                          weft_vec3d origin, uint32_t first, const weft_vec3 *in, const float *w) {
  const uint32_t count = particles_of_one(solver);
  for (uint32_t i = 0; i < count; ++i) {
    const weft_vec3 entered = weft_origin_enter(origin, weft_v3d_from(in[i]));
    solver->staging[i] = exact_vec4(entered, w ? w[first + i] : 0);
  }
  weft_solver_write_buffer(solver, id, first, count, solver->staging);
  if (solver->buffer_counts[low] == 0) return;
  memset(solver->staging, 0, count * sizeof *solver->staging);
  weft_solver_write_buffer(solver, low, first, count, solver->staging);
}

static void write_positions(weft_solver *solver, uint32_t first, const weft_vec3 *positions) {
  const uint32_t count = particles_of_one(solver);
  write_vectors(solver, WEFT_BUFFER_X, WEFT_BUFFER_X_LOW, solver->origin, first, positions,
                solver->model->inverse_masses);
  for (uint32_t k = 0; k < solver->pinned_count; ++k) {
    const uint32_t i = solver->pin_particles[k] - first; /* wraps for those before it */
    if (i < count) solver->pin_from[k] = solver->pin_to[k] = weft_v3d_from(positions[i]);
  }
  for (uint32_t k = 0; k < solver->soft.count; ++k) {
    weft_soft *soft = &solver->soft.items[k];
    const uint32_t i = soft->particle - first;
    if (i < count) soft->from = soft->to = weft_v3d_from(positions[i]);
  }
}

static void write_velocities(weft_solver *solver, uint32_t first, const weft_vec3 *velocities) {
  write_vectors(solver, WEFT_BUFFER_V, WEFT_BUFFER_V_LOW, weft_v3d(0, 0, 0), first, velocities,
                NULL);
}

/* ---- forgetting ---- */

/* Of a pair one of the cloth at least; bodies inside shapes are behind all cloth. */
static bool is_of(const weft_solver *solver, const bool *marked, uvec4 pair) {
  const uint32_t each = particles_of_one(solver), all = solver->model->particle_count;
  const uint32_t particles[4] = {pair.x, pair.y, pair.z, pair.w};
  for (int k = 0; k < 4; ++k) {
    if (particles[k] < all) return marked[particles[k] / each];
  }
  return false;
}

static void forget_pairs(weft_solver *solver, const bool *marked) {
  uint32_t count = 0, kept = 0;
  if (solver->buffer_counts[WEFT_BUFFER_SELF_CACHE_COUNT] == 0) return;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &count);
  weft_self_cached *pairs = weft_alloc(count, sizeof *pairs);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, count, pairs);
  for (uint32_t k = 0; k < count; ++k) {
    if (!is_of(solver, marked, weft_self_particles(pairs[k].pair))) pairs[kept++] = pairs[k];
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, kept, pairs);
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &kept);
  weft_free(pairs);
  for (uint32_t p = 0; p < weft_model_part_count(solver->model); ++p) {
    if (marked[p]) weft_solver_forget_rejected(solver, p);
  }
}

static void forget_multipliers(weft_solver *solver, const bool *marked) {
  const uint64_t count = solver->buffer_counts[WEFT_BUFFER_DISTANCE];
  if (!solver->params.keep_multipliers || count == 0) return;
  weft_pair_element *links = weft_alloc((size_t)count, sizeof *links);
  weft_solver_read_buffer(solver, WEFT_BUFFER_DISTANCE, 0, count, links);
  float *lambda = weft_solver_read_multipliers(solver);
  for (uint64_t k = 0; k < count; ++k) {
    if (marked[links[k].a / particles_of_one(solver)]) lambda[k] = 0;
  }
  weft_solver_write_multipliers(solver, lambda);
  weft_free(lambda);
  weft_free(links);
}

/* Whatever followed from positions that are others now. Contact between particles, and a grab, are
 * not for several instances. */
static void forget(weft_solver *solver, const bool *marked) {
  const bool alone = weft_model_part_count(solver->model) == 1;
  if (alone && marked[0]) weft_solver_forget_contacts(solver);
  forget_pairs(solver, marked);
  weft_solver_fit_shapes(solver, marked);
  weft_solver_forget_still(solver);
}

weft_result weft_solver_write_instance(weft_solver *solver, uint32_t instance,
                                       const weft_vec3 *positions, const weft_vec3 *velocities,
                                       weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_result result = check_instance(solver, instance, err);
  if (result != WEFT_OK) return result;
  const uint32_t count = particles_of_one(solver), first = instance * count;
  const weft_vectors x = {.single = positions}, v = {.single = velocities};
  result = weft_check_given("position", "m", &x, NULL, count, err);
  if (result == WEFT_OK) result = weft_check_given("velocity", "m/s", &v, NULL, count, err);
  if (result != WEFT_OK) return result;
  if (positions) {
    bool *marked = weft_alloc(weft_model_part_count(solver->model), sizeof *marked);
    marked[instance] = true;
    weft_solver_settle_given(solver);
    write_positions(solver, first, positions);
    forget(solver, marked);
    weft_free(marked);
  }
  if (velocities) write_velocities(solver, first, velocities);
  return solver->backend->check(solver->instance, "writing an instance", err);
}

weft_result weft_solver_reset_instances(weft_solver *solver, const bool *marked, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(marked);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  const uint32_t count = particles_of_one(solver), parts = weft_model_part_count(solver->model);
  const weft_vec3 *start = WEFT_START(solver->model, &solver->params);
  weft_vec3 *rest = weft_alloc(count, sizeof *rest);
  weft_solver_settle_given(solver);
  for (uint32_t p = 0; p < parts; ++p) {
    if (!marked[p]) continue;
    write_positions(solver, p * count, start + (size_t)p * count);
    write_velocities(solver, p * count, rest);
    if (parts == 1) weft_solver_release(solver);
  }
  weft_free(rest);
  forget(solver, marked);
  forget_multipliers(solver, marked);
  return solver->backend->check(solver->instance, "resetting instances", err);
}
