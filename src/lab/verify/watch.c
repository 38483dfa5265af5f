/* watch.c: looking at the state now and then. */
#include "watch.h"

#include <stdio.h>

/* ---- strain ---- */

void weft_strain_add(weft_strain_seen *seen, double p99, uint64_t frame) {
  seen->samples++;
  seen->last = p99;
  seen->last_frame = frame;
  if (seen->samples > 1 && !(p99 > seen->max)) return;
  seen->max = p99;
  seen->max_frame = frame;
}

void weft_strain_sample(weft_strain_seen *seen, const weft_scene_instance *scene, const vec4 *x,
                        uint64_t frame) {
  if (!(scene->held.target > 0)) return;
  uint32_t count = weft_model_particle_count(scene->model);
  weft_vec3 *positions = weft_alloc(count, sizeof *positions);
  for (uint32_t i = 0; i < count; ++i) positions[i] = weft_v3(x[i].x, x[i].y, x[i].z);
  weft_metrics metrics = {0};
  weft_measure_strain(scene->model, positions, &metrics);
  weft_free(positions);
  weft_strain_add(seen, metrics.strain_threads_p99, frame);
}

bool weft_strain_held(const weft_strain_choice *choice, const weft_strain_seen *seen) {
  return seen->samples > 0 && seen->max <= choice->target;
}

/* ---- bodies ---- */

weft_result weft_lag_sample(weft_lag_seen *seen, weft_solver *solver, weft_error *err) {
  bool any = false;
  for (uint32_t b = 0; b < weft_solver_params(solver)->body_count; ++b) {
    weft_body_lag lag;
    weft_result result = weft_solver_body_lag(solver, b, WEFT_LAG_THICKNESSES, &lag, err);
    if (result != WEFT_OK) return result;
    any = any || lag.vertices > 0;
    if (lag.vertices == 0 || lag.most <= seen->most) continue;
    seen->body = b;
    seen->vertices = lag.vertices;
    seen->most = lag.most;
    seen->frame = weft_solver_frame(solver);
  }
  seen->looks += any;
  return WEFT_OK;
}

/* ---- what is not finite ---- */

void weft_stop_describe(const weft_solver *solver, const weft_nonfinite *found, weft_stop *stop) {
  const weft_model *model = weft_solver_model(solver);
  *stop = (weft_stop){.found = found->found,
                      .frame = found->frame + 1,
                      .substep = found->substep + 1,
                      .particle = UINT32_MAX};
  if (!found->found) return;
  weft_pass_describe(found->pass, stop->pass, sizeof stop->pass);
  if (found->group != UINT32_MAX) {
    const char *name = weft_model_group(model, found->group).name;
    snprintf(stop->group, sizeof stop->group, "%s", name);
    stop->batch = found->pass->batch;
  }
  if (found->particle != UINT32_MAX) stop->particle = weft_model_number(model, found->particle);
  weft_nonfinite_describe(solver, found, stop->text, sizeof stop->text);
}

weft_result weft_watch_open(weft_scene_instance *scene, weft_solver *solver, weft_watch *watch,
                            weft_error *err) {
  *watch = (weft_watch){.scene = scene, .solver = solver};
  weft_kept_state_alloc(solver, &watch->good);
  weft_kept_state_alloc(solver, &watch->latest);
  return weft_solver_keep(solver, &watch->good, err);
}

void weft_watch_close(weft_watch *watch) {
  weft_kept_state_free(&watch->good);
  weft_kept_state_free(&watch->latest);
}

static weft_result animate(void *user, weft_solver *solver, weft_error *err) {
  weft_scene_instance *scene = user;
  return weft_scene_lead(scene, solver, err);
}

/* Between watch->good and watch->latest something went wrong. */
static weft_result stop(weft_watch *watch, weft_error *err) {
  uint64_t first = watch->good.frame, last = watch->latest.frame;
  weft_nonfinite found;
  weft_result result = weft_scene_take_keys(watch->scene, watch->solver, first, err);
  if (result == WEFT_OK) {
    result = weft_solver_find_nonfinite(watch->solver, &watch->good, last - first, animate,
                                        watch->scene, &found, err);
  }
  if (result == WEFT_OK) {
    result = weft_scene_take_keys(watch->scene, watch->solver, first, err);
  }
  weft_solver_restore(watch->solver, &watch->good);
  if (result != WEFT_OK) return result;
  weft_stop_describe(watch->solver, &found, &watch->stop);
  if (!found.found) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                     "the state became infinite or NaN in frames %llu to %llu, and did not when "
                     "they ran again: the driver does not compute the same twice",
                     (unsigned long long)first + 1, (unsigned long long)last);
  }
  return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                   "stopped %s; more substeps, softer fabric or damping may help",
                   watch->stop.text);
}

weft_result weft_watch_frame(weft_watch *watch, bool now, weft_error *err) {
  weft_result result = weft_still_sample(&watch->still, watch->solver, now, err);
  if (result != WEFT_OK) return result;
  if (!now && weft_solver_frame(watch->solver) % WEFT_WATCH_EVERY != 0) return WEFT_OK;
  result = weft_solver_keep(watch->solver, &watch->latest, err);
  if (result != WEFT_OK) return result;
  uint32_t particles = weft_model_particle_count(weft_solver_model(watch->solver));
  if (weft_kept_state_nonfinite(&watch->latest, particles) != UINT32_MAX) return stop(watch, err);
  weft_kept_state swap = watch->good;
  watch->good = watch->latest;
  watch->latest = swap;
  weft_strain_sample(&watch->strain, watch->scene, watch->good.x, watch->good.frame);
  return weft_lag_sample(&watch->lag, watch->solver, err);
}

weft_result weft_watch_step(weft_watch *watch, bool now, weft_error *err) {
  weft_result result = weft_scene_step(watch->scene, watch->solver, err);
  return result == WEFT_OK ? weft_watch_frame(watch, now, err) : result;
}
