/* rows_json.c: the rows of `weft bench` as JSON, which --compare reads again. */
#include "bench.h"
#include "json.h"
#include "machine.h"

static void set_real(json_t *o, const char *key, double value) {
  json_object_set_new(o, key, weft_json_real(value));
}

static void set_count(json_t *o, const char *key, uint64_t value) {
  json_object_set_new(o, key, json_integer((json_int_t)value));
}

/* A size that the system does not tell is null. */
static void set_bytes(json_t *o, const char *key, uint64_t value) {
  json_object_set_new(o, key, value ? json_integer((json_int_t)value) : json_null());
}

static void set_subject(json_t *o, const weft_bench_row *r) {
  json_object_set_new(o, "scene", json_string(r->scene));
  set_count(o, "size", r->size);
  set_count(o, "particles", r->particles);
  set_count(o, "constraints", r->constraints);
  set_count(o, "colours", r->colours);
  json_object_set_new(o, "backend", json_string(r->backend));
  json_object_set_new(o, "mode", json_string(r->mode));
  json_object_set_new(o, "schedule", json_string(r->schedule));
  set_count(o, "substeps", r->substeps);
  set_count(o, "iterations", r->iterations);
  set_count(o, "warmup", r->warmup);
  set_count(o, "frames", r->frames);
  set_count(o, "samples", r->samples);
  json_object_set_new(o, "settings", json_string(r->settings));
  json_object_set_new(o, "parameters", weft_json_parameters(&r->params));
}

static void set_times(json_t *o, const weft_bench_row *r) {
  set_real(o, "ms_per_frame_median", r->ms.median);
  set_real(o, "ms_per_frame_p95", r->ms.p95);
  set_real(o, "ms_per_frame_min", r->ms.min);
  set_real(o, "ms_per_frame_lower_quartile", r->ms.lower);
  set_real(o, "ms_per_frame_upper_quartile", r->ms.upper);
  set_real(o, "spread", weft_bench_spread(&r->ms));
  set_real(o, "processor_ms_per_frame", r->processor_ms);
  set_real(o, "projections_per_s", r->rate);
}

static void set_costs(json_t *o, const weft_bench_row *r) {
  set_real(o, "scene_ms", r->scene_ms);
  set_real(o, "solver_ms", r->solver_ms);
  set_bytes(o, "host_peak_bytes", r->host_peak);
  set_count(o, "buffer_bytes", r->buffer_bytes);
  set_real(o, "bytes_per_particle", weft_bench_bytes_per_particle(r));
  if (r->dispatches > 0) set_real(o, "dispatches_per_frame", r->dispatches);
  if (r->gl_calls > 0) set_real(o, "gl_calls_per_frame", r->gl_calls);
  set_bytes(o, "host_bytes_per_particle", (uint64_t)weft_bench_host_bytes_per_particle(r));
}

static void set_quality(json_t *o, const weft_bench_row *r) {
  set_real(o, "strain_mean", r->metrics.strain_mean);
  set_real(o, "strain_p99", r->metrics.strain_p99);
  set_real(o, "strain_threads_p99", r->metrics.strain_threads_p99);
  set_real(o, "strain_max", r->metrics.strain_max);
  set_real(o, "strain_p99_max", r->max_p99);
  set_real(o, "strain_threads_p99_max", r->seen.max);
  set_count(o, "strain_samples", r->seen.samples);
  set_real(o, "kinetic_energy_J", r->metrics.kinetic_energy);
  set_real(o, "potential_energy_J", r->metrics.potential_energy);
  set_real(o, "elastic_energy_J", r->metrics.elastic_energy);
  json_object_set_new(o, "max_strain", weft_json_strain(&r->chosen, &r->held, &r->seen));
  json_object_set_new(o, "hash", weft_json_hash(r->hash));
}

static void set_passes(json_t *o, const weft_bench_row *r) {
  json_t *passes = json_array();
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    const weft_bench_pass *pass = &r->passes[kind];
    if (pass->runs == 0) continue;
    json_t *p = json_object();
    json_object_set_new(p, "pass", json_string(weft_timed_name(kind)));
    set_real(p, "per_frame", pass->runs);
    if (r->dispatches > 0) set_real(p, "dispatches_per_frame", pass->dispatches);
    set_real(p, "ms_per_frame", pass->ms);
    set_real(p, "bytes_per_frame", pass->bytes);
    set_real(p, "roofline_ms_per_frame", pass->roofline_ms);
    json_array_append_new(passes, p);
  }
  json_object_set_new(o, "pass_clock", json_string(r->pass_clock));
  set_real(o, "passes_per_frame", weft_bench_passes_runs(r->passes));
  set_real(o, "passes_ms_per_frame", weft_bench_passes_ms(r->passes));
  json_object_set_new(o, "passes", passes);
}

static void set_roofline(json_t *o, const weft_bench_row *r) {
  set_count(o, "copied_bytes", r->machine.copied);
  set_real(o, "copy_bytes_per_s", r->machine.bytes_per_s);
  json_object_set_new(o, "copied_by", json_string(r->machine.copier));
  set_real(o, "dispatch_us", 1e6 * r->machine.dispatch_s);
  json_object_set_new(o, "roofline_of", json_string(r->roofline_of));
  set_real(o, "roofline_bytes_per_frame", r->roofline_bytes);
  set_real(o, "roofline_ms_per_frame", r->roofline_ms);
  set_real(o, "roofline_part", weft_bench_roofline_part(r));
}

/* Of the last frame, and of its substeps on average. */
static void set_self(json_t *row, const weft_bench_row *r) {
  const weft_metrics *m = &r->metrics;
  const weft_bench_pass self = weft_bench_self(r->passes);
  double substeps = r->substeps, steps = m->self_steps;
  if (!r->params.self_collision) return;
  json_t *o = json_object();
  set_real(o, "passes_per_substep", self.runs / substeps);
  if (r->dispatches > 0) set_real(o, "dispatches_per_substep", self.dispatches / substeps);
  set_real(o, "ms_per_substep", self.ms / substeps);
  set_real(o, "bytes_per_substep", self.bytes / substeps);
  set_real(o, "candidates_per_step", m->self_candidates / steps);
  set_real(o, "pairs_per_step", m->self_pairs / steps);
  set_count(o, "limited", m->self_limited);
  set_count(o, "uncertain", m->self_uncertain);
  set_count(o, "driven", m->self_driven);
  set_count(o, "looks", m->self_detections);
  set_count(o, "pauses", m->self_pauses);
  set_count(o, "overflows", m->self_overflows);
  json_object_set_new(row, "self_collision", o);
}

/* Part of what rows are compared by. */
static void set_around(json_t *row, const char *const *around) {
  if (!around || !*around) return;
  json_t *list = json_array();
  for (; *around; ++around) json_array_append_new(list, weft_json_text(*around));
  json_object_set_new(row, "around", list);
}

static json_t *left_json(const weft_bench_table *table) {
  json_t *list = json_array();
  for (size_t k = 0; k < table->left_count; ++k) {
    json_t *o = json_object();
    json_object_set_new(o, "what", json_string(table->left[k].what));
    json_object_set_new(o, "why", json_string(table->left[k].why));
    json_array_append_new(list, o);
  }
  return list;
}

json_t *weft_bench_json(const weft_bench_table *table, const weft_gl *gl) {
  json_t *rows = json_array();
  for (size_t k = 0; k < table->count; ++k) {
    json_t *o = json_object();
    set_subject(o, &table->rows[k]);
    set_around(o, table->around);
    set_times(o, &table->rows[k]);
    set_costs(o, &table->rows[k]);
    set_quality(o, &table->rows[k]);
    set_roofline(o, &table->rows[k]);
    set_passes(o, &table->rows[k]);
    set_self(o, &table->rows[k]);
    json_array_append_new(rows, o);
  }
  json_t *all = json_object();
  json_object_set_new(all, "build", weft_json_build(gl));
  json_object_set_new(all, "times_mean_something", json_boolean(!weft_build_is_slow()));
  set_real(all, "load_before", table->load);
  json_object_set_new(all, "processors", json_integer(table->processors));
  json_object_set_new(all, "scaling", weft_bench_scaling(rows));
  json_object_set_new(all, "rows", rows);
  if (table->cut) json_object_set_new(all, "cut_short", json_true());
  if (table->left_count) json_object_set_new(all, "left_out", left_json(table));
  return all;
}
