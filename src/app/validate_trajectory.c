/* validate_trajectory.c: both backends side by side, compared after every substep, or pass by pass
 * in one substep of a warmed-up state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find_nonfinite.h"
#include "report.h"
#include "validate.h"
#include "watch.h"

typedef struct trajectory {
  weft_difference x, v;
  uint64_t substeps_compared;
  uint32_t frame, substep; /* where the first difference was */
  weft_place place;
  bool differs;
  weft_app_strain strain;
  weft_nonfinite spoiled; /* found: both became infinite or NaN, alike */
} trajectory;

/* On a driver without exact arithmetic equality is not claimed. The state of the reference goes
 * into both after each substep, and one substep may differ by this many ulps of the scene's size.
 */
enum { BOUND_ULPS = 256 };

static bool within_bounds(const weft_pair *pair, const trajectory *t) {
  float most = 1;
  for (uint32_t i = 0; i < pair->particles; ++i) {
    const vec4 *x = &pair->x_ref[i];
    most = fmaxf(most, fmaxf(fabsf(x->x), fmaxf(fabsf(x->y), fabsf(x->z))));
  }
  return t->x.largest <= BOUND_ULPS * ldexp((double)most, -23);
}

static void read_states(weft_pair *pair) {
  uint32_t n = pair->particles;
  weft_solver_read_buffer(pair->ref, WEFT_BUFFER_X, 0, n, pair->x_ref);
  weft_solver_read_buffer(pair->ref, WEFT_BUFFER_V, 0, n, pair->v_ref);
  weft_solver_read_buffer(pair->gl, WEFT_BUFFER_X, 0, n, pair->x_gl);
  weft_solver_read_buffer(pair->gl, WEFT_BUFFER_V, 0, n, pair->v_gl);
}

static void swap(vec4 **a, vec4 **b) {
  vec4 *c = *a;
  *a = *b;
  *b = c;
}

/* One substep on both. The device is given its work first. */
static bool step_and_compare(weft_pair *pair, uint32_t substep, trajectory *t) {
  weft_solver_run_substep(pair->gl, substep);
  weft_solver_run_substep(pair->ref, substep);
  read_states(pair);
  uint64_t before = t->x.differing + t->v.differing;
  weft_compare_rows(pair->x_ref, pair->x_gl, 0, pair->particles, 4, &t->x);
  weft_compare_rows(pair->v_ref, pair->v_gl, 0, pair->particles, 4, &t->v);
  t->substeps_compared++;
  return t->x.differing + t->v.differing == before;
}

/* What the reference has goes into the device. */
static void resynchronise(weft_pair *pair) {
  weft_solver_write_buffer(pair->gl, WEFT_BUFFER_X, 0, pair->particles, pair->x_before);
  weft_solver_write_buffer(pair->gl, WEFT_BUFFER_V, 0, pair->particles, pair->v_before);
  weft_solver_write_buffer(pair->gl, WEFT_BUFFER_CONTACTS_KEPT, 0, pair->kept_rows,
                           pair->kept_before);
}

/* Where the substep just compared first went apart; both get their states after it back. */
static void find_place(weft_pair *pair, uint32_t substep, trajectory *t) {
  weft_pair_locate(pair, substep, &t->place);
  if (!t->place.found) weft_pair_locate_race(pair, substep, &t->place);
  uint32_t n = pair->particles;
  weft_solver_write_buffer(pair->ref, WEFT_BUFFER_X, 0, n, pair->x_ref);
  weft_solver_write_buffer(pair->ref, WEFT_BUFFER_V, 0, n, pair->v_ref);
  weft_solver_write_buffer(pair->gl, WEFT_BUFFER_X, 0, n, pair->x_gl);
  weft_solver_write_buffer(pair->gl, WEFT_BUFFER_V, 0, n, pair->v_gl);
}

/* Equal states that are infinite or NaN prove nothing. */
static bool became_nonfinite(weft_pair *pair, uint32_t substep, trajectory *t) {
  const weft_kept_state state = {.x = pair->x_ref, .v = pair->v_ref};
  if (weft_kept_state_nonfinite(&state, pair->particles) == UINT32_MAX) return false;
  const weft_kept_state before = {
      .x = pair->x_before, .v = pair->v_before, .contacts = pair->kept_before};
  weft_solver_find_nonfinite_pass(pair->ref, substep, &before, &t->spoiled);
  weft_solver_write_buffer(pair->ref, WEFT_BUFFER_X, 0, pair->particles, pair->x_before);
  weft_solver_write_buffer(pair->ref, WEFT_BUFFER_V, 0, pair->particles, pair->v_before);
  return t->spoiled.found;
}

static weft_result run_frame(const weft_validation *v, weft_pair *pair, uint32_t frame,
                             trajectory *t, weft_error *err) {
  weft_result result = weft_pair_begin_frame(pair, err);
  if (result != WEFT_OK) return result;
  for (uint32_t s = 0; s < pair->ref->params.substeps && !t->differs; ++s) {
    bool equal = step_and_compare(pair, s, t);
    bool close = !equal && !v->probe.exact && within_bounds(pair, t);
    if (!equal && !close) {
      t->differs = true;
      t->frame = frame;
      t->substep = s;
      find_place(pair, s, t);
    }
    if (!t->differs && became_nonfinite(pair, s, t)) break;
    swap(&pair->x_before, &pair->x_ref);
    swap(&pair->v_before, &pair->v_ref);
    weft_pair_read_kept(pair);
    if (close) resynchronise(pair);
  }
  weft_pair_end_frame(pair);
  bool looked_at = (frame + 1) % WEFT_APP_LOOK_EVERY == 0 || frame + 1 == v->options->frames;
  if (looked_at) weft_app_strain_look(&t->strain, &pair->scene, pair->x_before, frame + 1ull);
  return WEFT_OK;
}

/* ---- reports ---- */

static uint64_t constraint_count(const weft_model *model) {
  uint64_t count = 0;
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) {
    count += weft_model_group(model, g).constraint_count;
  }
  return count;
}

static const char *const mode_names[] = {"gs", "jacobi", "hybrid"};

static json_t *metrics_json(const weft_metrics *m, uint64_t hash) {
  return json_pack("{s:f, s:f, s:f, s:f, s:i, s:o}", "residual_rms", m->residual_rms, "strain_mean",
                   m->strain_mean, "strain_p99", m->strain_p99, "strain_max", m->strain_max,
                   "nonfinite", (int)m->nonfinite, "hash", weft_hex_json(hash, 16));
}

static void print_metrics(const char *name, const weft_metrics *m, uint64_t hash) {
  printf("  %-11s residual %.3e m rms, strain mean %.4f%% p99 %.4f%% max %.4f%%, hash %016llx\n",
         name, m->residual_rms, 100 * m->strain_mean, 100 * m->strain_p99, 100 * m->strain_max,
         (unsigned long long)hash);
}

static weft_result report_states(weft_pair *pair, json_t *json, weft_error *err) {
  weft_solver *solvers[] = {pair->ref, pair->gl};
  for (int k = 0; k < 2; ++k) {
    const char *name = weft_backend_name(solvers[k]->backend);
    weft_metrics metrics;
    uint64_t hash = 0;
    weft_result result = weft_solver_metrics(solvers[k], &metrics, err);
    if (result == WEFT_OK) result = weft_solver_hash(solvers[k], &hash, err);
    if (result != WEFT_OK) return result;
    print_metrics(name, &metrics, hash);
    json_object_set_new(json, name, metrics_json(&metrics, hash));
  }
  return WEFT_OK;
}

static weft_result report_spoiled(const weft_pair *pair, const trajectory *t, json_t *json,
                                  weft_error *err) {
  char where[256];
  weft_nonfinite_describe(pair->ref, &t->spoiled, where, sizeof where);
  json_object_set_new(json, "stopped", weft_nonfinite_json(pair->ref, &t->spoiled));
  return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                   "stopped %s on both backends: equal, but it proves nothing", where);
}

static void print_difference(const trajectory *t) {
  uint64_t differing = t->x.differing + t->v.differing;
  printf("  differing   %s of %s components of positions and velocities\n",
         weft_app_grouped(differing), weft_app_grouped(t->x.compared + t->v.compared));
  printf("  largest     %.3g m (%llu ulps) in positions, %.3g m/s (%llu ulps) in velocities\n",
         t->x.largest, (unsigned long long)t->x.largest_ulps, t->v.largest,
         (unsigned long long)t->v.largest_ulps);
}

static void report_scene(const weft_pair *pair, const char *level, json_t *json) {
  const weft_params *p = &pair->ref->params;
  uint64_t constraints = constraint_count(pair->scene.model);
  const char *schedule = weft_schedule_name(weft_solver_schedule(pair->gl));
  printf("%s: %s, mode %s, schedule %s\n", level, pair->scene.name, mode_names[p->mode], schedule);
  printf("  compared    %s particles, %s constraints, %u substeps a frame, %u iteration%s\n",
         weft_app_grouped(pair->particles), weft_app_grouped(constraints), p->substeps,
         p->iterations, p->iterations == 1 ? "" : "s");
  uint32_t parts = weft_model_part_count(pair->scene.model);
  if (parts > 1) printf("  instances   %u, together\n", parts);
  weft_app_strain_print_choice(stdout, &pair->scene);
  json_object_set_new(json, "instances", json_integer(parts));
  json_object_set_new(json, "scene", json_string(pair->scene.name));
  json_object_set_new(json, "mode", json_string(mode_names[p->mode]));
  json_object_set_new(json, "schedule", json_string(schedule));
  json_object_set_new(json, "particles", json_integer(pair->particles));
  json_object_set_new(json, "constraints", json_integer((json_int_t)constraints));
  json_object_set_new(json, "substeps_per_frame", json_integer(p->substeps));
  json_object_set_new(json, "iterations", json_integer(p->iterations));
}

static void report_place(const weft_validation *v, const trajectory *t, json_t *json) {
  printf("  first       frame %u, substep %u\n", t->frame, t->substep);
  json_t *first = t->place.found ? weft_place_json(&t->place) : json_object();
  json_object_set_new(first, "frame", json_integer(t->frame));
  json_object_set_new(first, "substep", json_integer(t->substep));
  json_object_set_new(json, "first_difference", first);
  if (t->place.found) {
    weft_place_print(&t->place, weft_backend_name(v->backend));
  } else {
    printf(
        "  pass        not found: the difference did not come back when the substep ran again\n");
  }
}

weft_result weft_validate_trajectory(weft_validation *v, weft_error *err) {
  weft_pair pair;
  weft_result result = weft_pair_open(v, &pair, err);
  if (result != WEFT_OK) return result;
  trajectory t = {0};
  json_t *json = json_object();
  json_object_set_new(v->report, "trajectory", json);
  report_scene(&pair, "trajectory", json);
  for (uint32_t f = 0;
       f < v->options->frames && !t.differs && !t.spoiled.found && result == WEFT_OK; ++f) {
    result = run_frame(v, &pair, f, &t, err);
    weft_progress("validating", f + 1, v->options->frames);
  }
  weft_progress_end();
  if (t.spoiled.found) result = report_spoiled(&pair, &t, json, err);
  if (result == WEFT_OK) {
    printf("  frames      %u, %s substeps compared\n", v->options->frames,
           weft_app_grouped(t.substeps_compared));
    print_difference(&t);
    json_object_set_new(json, "frames", json_integer(v->options->frames));
    json_object_set_new(json, "substeps_compared", json_integer((json_int_t)t.substeps_compared));
    json_object_set_new(json, "positions", weft_difference_json(&t.x));
    json_object_set_new(json, "velocities", weft_difference_json(&t.v));
    json_object_set_new(json, "equal", json_boolean(!t.differs));
    if (t.differs) report_place(v, &t, json);
    result = report_states(&pair, json, err);
    weft_app_strain_print_reached(stdout, &pair.scene, &t.strain);
    json_object_set_new(json, "max_strain", weft_app_strain_json(&pair.scene, &t.strain));
  }
  if (t.differs) v->different = true;
  if (result == WEFT_OK) {
    bool exact = t.x.differing + t.v.differing == 0;
    printf("  %s\n", t.differs ? "DIFFERENT"
                     : exact   ? "EQUAL in every bit"
                               : "within bounds; this driver is not exact");
  }
  weft_pair_close(&pair);
  return result;
}

/* ---- one substep, pass by pass ---- */

/* The reference's warmed-up state and time go into both. */
static weft_result warm_up(const weft_validation *v, weft_pair *pair, weft_error *err) {
  for (uint32_t f = 0; f < v->options->frames; ++f) {
    weft_result result = weft_scene_step(&pair->scene, pair->ref, err);
    if (result != WEFT_OK) return result;
    weft_progress("warming up", f + 1, v->options->frames);
  }
  weft_progress_end();
  weft_solver_read_buffer(pair->ref, WEFT_BUFFER_X, 0, pair->particles, pair->x_before);
  weft_solver_read_buffer(pair->ref, WEFT_BUFFER_V, 0, pair->particles, pair->v_before);
  weft_pair_read_kept(pair);
  const weft_kept_state state = {.x = pair->x_before, .v = pair->v_before};
  if (weft_kept_state_nonfinite(&state, pair->particles) != UINT32_MAX) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                     "the state became infinite or NaN in the first %u frames: weft simulate names "
                     "the pass",
                     v->options->frames);
  }
  size_t bytes = pair->ref->pinned_count * sizeof *pair->ref->pin_from;
  if (bytes) {
    memcpy(pair->gl->pin_from, pair->ref->pin_from, bytes);
    memcpy(pair->gl->pin_to, pair->ref->pin_to, bytes);
  }
  pair->gl->frame = pair->ref->frame;
  return WEFT_OK;
}

weft_result weft_validate_substep(weft_validation *v, weft_error *err) {
  weft_pair pair;
  weft_result result = weft_pair_open(v, &pair, err);
  if (result != WEFT_OK) return result;
  json_t *json = json_object();
  json_object_set_new(v->report, "substep", json);
  report_scene(&pair, "substep", json);
  result = warm_up(v, &pair, err);
  if (result == WEFT_OK) result = weft_pair_begin_frame(&pair, err);
  if (result == WEFT_OK) {
    trajectory t = {.frame = v->options->frames};
    weft_pair_locate(&pair, 0, &t.place);
    printf("  passes      %u of one substep after %u frames\n", t.place.passes_compared,
           v->options->frames);
    json_object_set_new(json, "passes_compared", json_integer(t.place.passes_compared));
    json_object_set_new(json, "equal", json_boolean(!t.place.found));
    if (t.place.found) report_place(v, &t, json);
    if (t.place.found) v->different = true;
    printf("  %s\n", t.place.found ? "DIFFERENT" : "EQUAL in every bit");
    weft_pair_end_frame(&pair);
  }
  weft_pair_close(&pair);
  return result;
}
