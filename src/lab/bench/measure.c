/* measure.c: one row: a scene on one backend. A sheet at rest or in free fall is no cloth to
 * time: some frames come first, and every sample restores the state after them, so that all time
 * the same frames; nothing else is done while the clock runs. */
#include <stdio.h>
#include <string.h>

#include "bench_internal.h"
#include "machine.h"
#include "solver_gl.h"

/* ---- figures ---- */

double weft_bench_roofline_part(const weft_bench_row *row) {
  return row->ms.median > 0 ? row->roofline_ms / row->ms.median : 0;
}

double weft_bench_host_bytes_per_particle(const weft_bench_row *row) {
  if (!row->host_before || row->host_peak < row->host_before || !row->particles) return 0;
  return (double)(row->host_peak - row->host_before) / row->particles;
}

double weft_bench_bytes_per_particle(const weft_bench_row *row) {
  return row->particles ? (double)row->buffer_bytes / row->particles : 0;
}

/* ---- the solver's memory ---- */

static uint64_t add_buffers(const weft_solver *solver, const uint32_t *strides) {
  uint64_t bytes = 0;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    bytes += weft_solver_buffer_count(solver, (weft_buffer_id)id) * strides[id];
  }
  return bytes;
}

static weft_result count_buffers(const weft_solver *solver, weft_bench_row *row, weft_error *err) {
  uint32_t strides[WEFT_BUFFER_COUNT];
  weft_result result = weft_solver_strides(solver, strides, err);
  if (result == WEFT_OK) row->buffer_bytes = add_buffers(solver, strides);
  return result;
}

static weft_result measure_machine(const weft_bench_plan *plan, weft_bench_row *row,
                                   weft_error *err) {
  return weft_bench_measure_machine(plan, row->backend, row->buffer_bytes, &row->machine, err);
}

/* ---- the row ---- */

/* A timed run cannot look at its states on the way: it is watched the second time. */
static weft_result stop(weft_scene_instance *scene, weft_solver *solver, const weft_bench_row *row,
                        weft_error *err) {
  weft_watch watch;
  weft_error why = {0};
  weft_result result = weft_solver_reset(solver, &why);
  if (result == WEFT_OK) result = weft_watch_open(scene, solver, &watch, &why);
  if (result != WEFT_OK) return weft_fail(err, result, "%s", why.message);
  uint32_t frames = row->warmup + row->frames;
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    result = weft_watch_step(&watch, f + 1 == frames, &why);
  }
  weft_watch_close(&watch);
  if (result == WEFT_OK) snprintf(why.message, sizeof why.message, "not when it ran again");
  return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s at size %u became infinite or NaN on %s: %s",
                   scene->name, row->size, row->backend, why.message);
}

static void describe(const weft_scene_instance *scene, const weft_solver *solver,
                     const weft_bench_plan *plan, weft_bench_row *row) {
  const weft_params *params = weft_solver_params(solver);
  row->held = scene->held;
  row->chosen = scene->params;
  row->chosen.colliders = NULL;
  row->chosen.collider_count = 0;
  row->particles = weft_model_particle_count(scene->model);
  row->constraints = weft_model_constraint_count(scene->model);
  row->colours = weft_model_colour_count(scene->model);
  row->backend = weft_backend_name(weft_solver_backend(solver));
  row->mode = weft_mode_name(params->mode);
  row->schedule = weft_schedule_name(scene->params.schedule);
  row->substeps = params->substeps;
  row->iterations = params->iterations;
  row->warmup = plan->warm_up_frames;
  row->frames = plan->frames;
  row->samples = plan->samples;
}

/* So many frames of the row are run; those with passes timed take longer. */
static void show(const weft_bench_plan *plan, uint32_t frames) {
  uint32_t timed = plan->passes ? 6 : 0;
  uint32_t all =
      (plan->warm_up_runs + 1 + plan->samples + timed) * plan->frames + plan->warm_up_frames;
  weft_bench_progress_show(plan, (double)frames / all);
}

/* ---- what comes before the timed frames ---- */

static weft_result look(weft_solver *solver, weft_bench_row *row, weft_error *err) {
  weft_result result = weft_solver_metrics(solver, &row->metrics, err);
  if (result != WEFT_OK) return result;
  const weft_metrics *m = &row->metrics;
  weft_strain_add(&row->seen, m->strain_threads_p99, weft_solver_frame(solver));
  if (!(m->strain_p99 <= row->max_p99)) row->max_p99 = m->strain_p99;
  return WEFT_OK;
}

/* From the rest pose to where timed runs begin; looks on the way are what strain is judged by. */
static weft_result run_warmup(const weft_bench_plan *plan, weft_scene_instance *scene,
                              weft_solver *solver, weft_kept_state *state, weft_bench_row *row,
                              weft_error *err) {
  enum { SAMPLED = 12 };
  uint32_t every = plan->warm_up_frames > SAMPLED ? plan->warm_up_frames / SAMPLED : 1;
  weft_result result = weft_solver_reset(solver, err);
  for (uint32_t f = 1; f <= plan->warm_up_frames && result == WEFT_OK; ++f) {
    show(plan, plan->warm_up_runs * plan->frames + f);
    result = weft_scene_step(scene, solver, err);
    if (result == WEFT_OK) result = weft_bench_go_on(plan, err);
    if (result == WEFT_OK && f % every == 0) result = look(solver, row, err);
    if (result == WEFT_OK && row->metrics.nonfinite) return stop(scene, solver, row, err);
  }
  weft_kept_state_alloc(solver, state);
  return result == WEFT_OK ? weft_solver_keep(solver, state, err) : result;
}

/* ---- the clock ---- */

static weft_result warm_up(const weft_bench_plan *plan, weft_scene_instance *scene,
                           weft_solver *solver, weft_error *err) {
  weft_bench_spent ignored;
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < plan->warm_up_runs && result == WEFT_OK; ++k) {
    result = weft_bench_run_frames(plan, scene, solver, NULL, &ignored, err);
  }
  return result;
}

/* What the driver was called for so far; nothing on other backends. */
static weft_gl_counts counts_of(const weft_bench_plan *plan, const weft_bench_row *row) {
  bool on_gl = plan->gl && strcmp(row->backend, "gl") == 0;
  return on_gl ? weft_solver_gl_counts(plan->gl) : (weft_gl_counts){0};
}

/* A frame of the samples; calls with those that bring the state back before each. */
static void count_issued(const weft_bench_plan *plan, const weft_gl_counts *before,
                         weft_bench_row *row) {
  const weft_gl_counts after = counts_of(plan, row);
  double frames = (double)plan->samples * plan->frames;
  row->dispatches = (double)(after.dispatches - before->dispatches) / frames;
  row->gl_calls = (double)(after.calls - before->calls) / frames;
}

static weft_result time_samples(const weft_bench_plan *plan, weft_scene_instance *scene,
                                weft_solver *solver, const weft_kept_state *from,
                                weft_bench_row *row, weft_error *err) {
  double seconds[WEFT_BENCH_MAX_SAMPLES], processor[WEFT_BENCH_MAX_SAMPLES];
  weft_bench_spent spent;
  /* Once more: the warm-up ran other frames, and the copy before this left the caches to itself. */
  weft_result result = weft_bench_run_frames(plan, scene, solver, from, &spent, err);
  const weft_gl_counts before = counts_of(plan, row);
  for (uint32_t k = 0; k < plan->samples && result == WEFT_OK; ++k) {
    show(plan, (plan->warm_up_runs + 1 + k) * plan->frames + plan->warm_up_frames);
    result = weft_bench_run_frames(plan, scene, solver, from, &spent, err);
    seconds[k] = spent.seconds;
    processor[k] = spent.processor;
  }
  if (result != WEFT_OK) return result;
  count_issued(plan, &before, row);
  row->ms = weft_bench_times_of(seconds, plan->samples);
  row->processor_ms = weft_bench_times_of(processor, plan->samples).median;
  double projections = (double)row->constraints * row->substeps * row->iterations;
  row->rate = 1e3 * projections / row->ms.median;
  return WEFT_OK;
}

/* Where the time goes, and how much of it must. */
static weft_result look_into(const weft_bench_plan *plan, weft_scene_instance *scene,
                             weft_solver *solver, const weft_kept_state *from, weft_bench_row *row,
                             weft_error *err) {
  uint32_t strides[WEFT_BUFFER_COUNT];
  weft_result result = weft_solver_strides(solver, strides, err);
  if (result == WEFT_OK) result = weft_bench_time_passes(plan, scene, solver, from, row, err);
  if (result == WEFT_OK) result = measure_machine(plan, row, err);
  if (result == WEFT_OK) weft_bench_count_roofline(solver, strides, row);
  return result;
}

static weft_result measure(const weft_bench_plan *plan, weft_scene_instance *scene,
                           weft_solver *solver, weft_bench_row *row, weft_error *err) {
  describe(scene, solver, plan, row);
  weft_result result = warm_up(plan, scene, solver, err);
  uint64_t peak = weft_peak_memory(); /* before the state is kept, which is the bench's own */
  row->host_peak = peak > row->preprocess_peak ? peak : row->preprocess_peak;
  weft_kept_state state = {0};
  const weft_kept_state *from = plan->warm_up_frames ? &state : NULL;
  if (result == WEFT_OK) result = count_buffers(solver, row, err);
  if (result == WEFT_OK && from) result = run_warmup(plan, scene, solver, &state, row, err);
  if (result == WEFT_OK && plan->passes) result = measure_machine(plan, row, err);
  if (result == WEFT_OK) result = time_samples(plan, scene, solver, from, row, err);
  if (result == WEFT_OK) result = look(solver, row, err);
  if (result == WEFT_OK) result = weft_solver_hash(solver, &row->hash, err);
  if (result == WEFT_OK && row->metrics.nonfinite) result = stop(scene, solver, row, err);
  if (result == WEFT_OK && plan->passes) result = look_into(plan, scene, solver, from, row, err);
  weft_kept_state_free(&state);
  return result;
}

weft_result weft_bench_measure(const weft_bench_plan *plan, weft_scene_instance *scene,
                               const weft_backend *backend, weft_bench_row *row, weft_error *err) {
  weft_reset_peak_memory();
  double start = weft_clock_seconds();
  weft_solver *solver;
  weft_result result = weft_solver_create(scene->model, &scene->params, backend, &solver, err);
  if (result != WEFT_OK) return result;
  weft_solver_finish(solver);
  row->solver_ms = 1e3 * (weft_clock_seconds() - start);
  result = weft_bench_go_on(plan, err);
  if (result == WEFT_OK) result = measure(plan, scene, solver, row, err);
  weft_solver_destroy(solver);
  return result;
}
