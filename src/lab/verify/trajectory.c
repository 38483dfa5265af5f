/* trajectory.c: both backends side by side, compared after every substep, or pass by pass in one
 * substep of a warmed-up state. */
#include <math.h>
#include <stdio.h>

#include "verify_internal.h"

/* On a driver without exact arithmetic equality is not claimed. The state of the reference goes
 * into both after each substep, and one substep may differ by this many ulps of the scene's size.
 */
enum { BOUND_ULPS = 256 };

static bool within_bounds(const weft_pair *pair, const weft_trajectory_findings *f) {
  float max = 1;
  for (uint32_t i = 0; i < pair->particles; ++i) {
    const vec4 *x = &pair->at_ref.x[i];
    max = fmaxf(max, fmaxf(fabsf(x->x), fmaxf(fabsf(x->y), fabsf(x->z))));
  }
  return f->positions.max <= BOUND_ULPS * ldexp((double)max, -23);
}

static void swap(weft_kept_state *a, weft_kept_state *b) {
  weft_kept_state c = *a;
  *a = *b;
  *b = c;
}

static void compare(const weft_pair *pair, weft_buffer_id id, weft_difference *difference) {
  uint64_t rows = weft_solver_buffer_count(pair->ref, id);
  weft_compare_elements(pair->at_ref.elements[id], pair->at_other.elements[id], 0, rows, 4,
                        difference);
}

/* One substep on both. The device is given its work first. */
static bool step_and_compare(weft_pair *pair, uint32_t substep, weft_trajectory_findings *f) {
  weft_solver_run_substep(pair->other, substep);
  weft_solver_run_substep(pair->ref, substep);
  weft_solver_keep_elements(pair->ref, &pair->at_ref);
  weft_solver_keep_elements(pair->other, &pair->at_other);
  uint64_t before = f->positions.differing + f->velocities.differing;
  compare(pair, WEFT_BUFFER_X, &f->positions);
  compare(pair, WEFT_BUFFER_X_LOW, &f->positions);
  compare(pair, WEFT_BUFFER_V, &f->velocities);
  compare(pair, WEFT_BUFFER_V_LOW, &f->velocities);
  f->substeps_compared++;
  return f->positions.differing + f->velocities.differing == before;
}

/* What the reference has goes into the device. */
static void resynchronise(weft_pair *pair) {
  weft_solver_restore_elements(pair->other, &pair->before);
}

/* Where the substep just compared first went apart; both get their states after it back. */
static void find_divergence(weft_pair *pair, uint32_t substep, weft_trajectory_findings *f) {
  weft_pair_locate(pair, substep, &f->divergence);
  if (!f->divergence.found) weft_pair_locate_race(pair, substep, &f->divergence);
  weft_solver_restore_elements(pair->ref, &pair->at_ref);
  weft_solver_restore_elements(pair->other, &pair->at_other);
}

/* Equal states that are infinite or NaN prove nothing. */
static bool became_nonfinite(weft_pair *pair, uint32_t substep, weft_trajectory_findings *f) {
  if (weft_kept_state_nonfinite(&pair->at_ref, pair->particles) == UINT32_MAX) return false;
  weft_nonfinite found;
  weft_solver_find_nonfinite_pass(pair->ref, substep, &pair->before, &found);
  weft_solver_restore_elements(pair->ref, &pair->before);
  weft_stop_describe(pair->ref, &found, &f->stop);
  return found.found;
}

static void run_substeps(const weft_verify_request *request, weft_pair *pair, uint32_t frame,
                         weft_trajectory_findings *f) {
  const uint32_t substeps = weft_solver_params(pair->ref)->substeps; /* keys may change them */
  for (uint32_t s = 0; s < substeps && !f->differs; ++s) {
    bool equal = step_and_compare(pair, s, f);
    bool close = !equal && !request->exact && within_bounds(pair, f);
    if (!equal && !close) {
      f->differs = true;
      f->frame = frame;
      f->substep = s;
      find_divergence(pair, s, f);
    }
    if (!f->differs && became_nonfinite(pair, s, f)) break;
    swap(&pair->before, &pair->at_ref);
    if (close) resynchronise(pair);
  }
}

/* Whether lists of self-collision were too short, so that the frame runs again. */
static weft_result check_lists(weft_pair *pair, bool *again, weft_trajectory_findings *f,
                               weft_error *err) {
  bool other = false;
  *again = false;
  if (f->differs || f->stop.found) return WEFT_OK;
  weft_result result = weft_solver_again(pair->ref, again, err);
  if (result == WEFT_OK) result = weft_solver_again(pair->other, &other, err);
  if (result != WEFT_OK || !(*again || other)) return result;
  /* Where results may differ a little, one may have more room than the other. */
  weft_solver *back = *again ? pair->ref : pair->other;
  weft_solver_keep_elements(back, &pair->before);
  weft_solver_restore_elements(pair->ref, &pair->before);
  weft_solver_restore_elements(pair->other, &pair->before);
  f->substeps_compared -= weft_solver_params(pair->ref)->substeps;
  *again = true;
  return WEFT_OK;
}

static weft_result run_frame(const weft_verify_request *request, weft_pair *pair, uint32_t frame,
                             weft_trajectory_findings *f, weft_error *err) {
  weft_result result = weft_pair_begin_frame(pair, err);
  for (bool again = true; again && result == WEFT_OK;) {
    run_substeps(request, pair, frame, f);
    result = check_lists(pair, &again, f, err);
  }
  if (result != WEFT_OK) return result;
  weft_pair_end_frame(pair);
  bool looked_at = (frame + 1) % WEFT_WATCH_EVERY == 0 || frame + 1 == request->frames;
  if (looked_at) weft_strain_sample(&f->strain, &pair->scene, pair->before.x, frame + 1ull);
  return WEFT_OK;
}

/* ---- what ran, and how it ended ---- */

static void describe(const weft_pair *pair, weft_trajectory_findings *f) {
  const weft_model *model = pair->scene.model;
  snprintf(f->scene, sizeof f->scene, "%s", pair->scene.name);
  f->params = *weft_solver_params(pair->ref);
  f->params.colliders = NULL;
  f->params.collider_count = 0;
  f->schedule = weft_solver_schedule(pair->other);
  f->particles = pair->particles;
  f->parts = weft_model_part_count(model);
  f->constraints = weft_model_constraint_count(model);
  f->held = pair->scene.held;
}

static weft_result read_ends(weft_pair *pair, weft_trajectory_findings *f, weft_error *err) {
  weft_solver *solvers[] = {pair->ref, pair->other};
  weft_result result = WEFT_OK;
  for (int k = 0; k < 2 && result == WEFT_OK; ++k) {
    f->ends[k].backend = weft_backend_name(weft_solver_backend(solvers[k]));
    result = weft_solver_metrics(solvers[k], &f->ends[k].metrics, err);
    if (result == WEFT_OK) result = weft_solver_hash(solvers[k], &f->ends[k].hash, err);
  }
  if (result == WEFT_OK && weft_model_triangle_count(pair->scene.model) > 0) {
    result = weft_intersections_look(&f->intersections, pair->scene.model, &pair->scene.params,
                                     pair->before.x, weft_solver_frame(pair->ref), err);
  }
  f->ended = result == WEFT_OK;
  return result;
}

static weft_result run_frames(const weft_verify_request *request, weft_pair *pair,
                              weft_trajectory_findings *f, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < request->frames && !f->differs && !f->stop.found; ++k) {
    result = run_frame(request, pair, k, f, err);
    if (result != WEFT_OK) break;
    weft_progress("validating", k + 1, request->frames);
  }
  weft_progress_end();
  if (!f->stop.found) return result;
  return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                   "stopped %s on both backends: equal, but it proves nothing", f->stop.text);
}

weft_result weft_verify_trajectory(const weft_verify_request *request,
                                   weft_trajectory_findings *findings, weft_error *err) {
  *findings = (weft_trajectory_findings){0};
  weft_pair pair;
  weft_result result = weft_pair_open(request, &pair, err);
  if (result != WEFT_OK) return result;
  describe(&pair, findings);
  result = run_frames(request, &pair, findings, err);
  if (result == WEFT_OK) result = read_ends(&pair, findings, err);
  weft_pair_close(&pair);
  return result;
}

/* ---- one substep, pass by pass ---- */

/* The reference's warmed-up state and time go into both. */
static weft_result warm_up(const weft_verify_request *request, weft_pair *pair, weft_error *err) {
  for (uint32_t f = 0; f < request->frames; ++f) {
    weft_result result = weft_scene_step(&pair->scene, pair->ref, err);
    if (result != WEFT_OK) return result;
    weft_progress("warming up", f + 1, request->frames);
  }
  weft_progress_end();
  weft_solver_keep_elements(pair->ref, &pair->before);
  if (weft_kept_state_nonfinite(&pair->before, pair->particles) != UINT32_MAX) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                     "the state became infinite or NaN in the first %u frames: weft simulate names "
                     "the pass",
                     request->frames);
  }
  weft_result result = weft_solver_follow(pair->other, pair->ref, err);
  if (result == WEFT_OK) weft_solver_restore_elements(pair->other, &pair->before);
  return result;
}

weft_result weft_verify_substep(const weft_verify_request *request,
                                weft_trajectory_findings *findings, weft_error *err) {
  *findings = (weft_trajectory_findings){.frame = request->frames};
  weft_pair pair;
  weft_result result = weft_pair_open(request, &pair, err);
  if (result != WEFT_OK) return result;
  describe(&pair, findings);
  result = warm_up(request, &pair, err);
  if (result == WEFT_OK) result = weft_pair_begin_frame(&pair, err);
  if (result == WEFT_OK) {
    findings->passes_compared = weft_pair_locate(&pair, 0, &findings->divergence);
    findings->differs = findings->divergence.found;
    weft_pair_end_frame(&pair);
  }
  weft_pair_close(&pair);
  return result;
}
