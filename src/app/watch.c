/* watch.c: looking at the state now and then. */
#include "watch.h"

weft_result weft_app_watch_open(weft_scene_instance *scene, weft_solver *solver,
                                weft_app_watch *watch, weft_error *err) {
  *watch = (weft_app_watch){.scene = scene, .solver = solver};
  weft_kept_state_alloc(solver, &watch->good);
  weft_kept_state_alloc(solver, &watch->latest);
  return weft_solver_keep(solver, &watch->good, err);
}

void weft_app_watch_close(weft_app_watch *watch) {
  weft_kept_state_free(&watch->good);
  weft_kept_state_free(&watch->latest);
}

static weft_result animate(void *user, weft_solver *solver, weft_error *err) {
  weft_scene_instance *scene = user;
  return scene->animate ? scene->animate(scene, solver, err) : WEFT_OK;
}

/* Between watch->good and watch->latest something went wrong. */
static weft_result stop(weft_app_watch *watch, weft_error *err) {
  uint64_t first = watch->good.frame, last = watch->latest.frame;
  weft_result result = weft_solver_find_nonfinite(watch->solver, &watch->good, last - first,
                                                  animate, watch->scene, &watch->place, err);
  weft_solver_restore(watch->solver, &watch->good);
  if (result != WEFT_OK) return result;
  if (!watch->place.found) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                     "the state became infinite or NaN in frames %llu to %llu, and did not when "
                     "they ran again: the driver does not compute the same twice",
                     (unsigned long long)first + 1, (unsigned long long)last);
  }
  char where[256];
  weft_nonfinite_describe(watch->solver, &watch->place, where, sizeof where);
  return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                   "stopped %s; more substeps, softer fabric or damping may help", where);
}

weft_result weft_app_watch_frame(weft_app_watch *watch, bool now, weft_error *err) {
  if (!now && weft_solver_frame(watch->solver) % WEFT_APP_LOOK_EVERY != 0) return WEFT_OK;
  weft_result result = weft_solver_keep(watch->solver, &watch->latest, err);
  if (result != WEFT_OK) return result;
  uint32_t particles = weft_model_particle_count(weft_solver_model(watch->solver));
  if (weft_kept_state_nonfinite(&watch->latest, particles) != UINT32_MAX) return stop(watch, err);
  weft_kept_state swap = watch->good;
  watch->good = watch->latest;
  watch->latest = swap;
  weft_app_strain_look(&watch->strain, watch->scene, watch->good.x, watch->good.frame);
  return WEFT_OK;
}

weft_result weft_app_watch_step(weft_app_watch *watch, bool now, weft_error *err) {
  weft_result result = weft_scene_step(watch->scene, watch->solver, err);
  return result == WEFT_OK ? weft_app_watch_frame(watch, now, err) : result;
}

json_t *weft_nonfinite_json(const weft_solver *solver, const weft_nonfinite *place) {
  char pass[64];
  weft_pass_describe(place->pass, pass, sizeof pass);
  json_t *o = json_object();
  json_object_set_new(o, "frame", json_integer((json_int_t)place->frame + 1));
  json_object_set_new(o, "substep", json_integer(place->substep + 1));
  json_object_set_new(o, "pass", json_string(pass));
  if (place->group != UINT32_MAX) {
    json_object_set_new(
        o, "group", json_string(weft_model_group(weft_solver_model(solver), place->group).name));
    json_object_set_new(o, "batch", json_integer(place->pass->batch));
  }
  if (place->particle != UINT32_MAX) {
    json_object_set_new(
        o, "particle", json_integer(weft_model_number(weft_solver_model(solver), place->particle)));
  }
  return o;
}
