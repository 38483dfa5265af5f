/* hold_json.c: what --hold-strain found and what lost, as JSON. */
#include <math.h>
#include <stdio.h>

#include "hold.h"
#include "json.h"

/* ---- a setting in words ---- */

void weft_hold_describe(const weft_params *p, char *text, size_t size) {
  uint32_t iterations = p->iterations ? p->iterations : 1;
  char levels[24] = "no levels", schedule[32] = "", lines[24] = "";
  if (p->multilevel >= WEFT_ALL_LEVELS) {
    snprintf(levels, sizeof levels, "all levels");
  } else if (p->multilevel > 0) {
    snprintf(levels, sizeof levels, "%u level%s", p->multilevel, weft_plural(p->multilevel));
  }
  if (p->schedule != WEFT_SCHEDULE_AUTO) {
    snprintf(schedule, sizeof schedule, " %s", weft_schedule_name(p->schedule));
  }
  if (p->line_sweeps) snprintf(lines, sizeof lines, ", lines x %u", p->line_sweeps);
  snprintf(text, size, "%u x %u, %s%s, %s, %u attachment%s%s", p->substeps, iterations,
           weft_mode_name(p->mode), schedule, levels, p->lra, weft_plural(p->lra), lines);
}

/* ---- JSON ---- */

static void set_real(json_t *o, const char *key, double value) {
  json_object_set_new(o, key, weft_json_real(value));
}
static void set_count(json_t *o, const char *key, uint32_t value) {
  json_object_set_new(o, key, json_integer(value));
}
static void set_text(json_t *o, const char *key, const char *text) {
  json_object_set_new(o, key, json_string(text));
}

static json_t *probes_json(const weft_hold_try *candidate) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < candidate->probe_count; ++k) {
    const weft_hold_probe *probe = &candidate->probes[k];
    json_t *o = json_object();
    set_count(o, "substeps", probe->substeps);
    set_real(o, "strain", probe->strain);
    set_real(o, "ms_per_frame", probe->ms);
    json_object_set_new(o, "held", json_boolean(probe->held));
    json_array_append_new(list, o);
  }
  return list;
}

static void set_setting(json_t *o, const weft_params *p) {
  char setting[120];
  weft_hold_describe(p, setting, sizeof setting);
  set_text(o, "setting", setting);
  set_text(o, "mode", weft_mode_name(p->mode));
  set_text(o, "schedule", weft_schedule_name(p->schedule));
  set_count(o, "substeps", p->substeps);
  set_count(o, "iterations", p->iterations ? p->iterations : 1);
  set_count(o, "lra", p->lra);
  set_count(o, "multilevel", p->multilevel);
  set_count(o, "line_sweeps", p->line_sweeps);
  set_real(o, "multilevel_slack", (double)p->multilevel_slack);
  set_real(o, "lra_slack", (double)p->lra_slack);
}

static json_t *candidate_json(const weft_hold_try *candidate, bool best) {
  json_t *o = json_object();
  set_setting(o, &candidate->params);
  json_object_set_new(o, "by_max_strain", json_boolean(candidate->by_rule));
  json_object_set_new(o, "held", json_boolean(candidate->held));
  set_real(o, "strain", candidate->held ? candidate->strain : NAN);
  set_real(o, "search_ms_per_frame", candidate->held ? candidate->search_ms : NAN);
  set_count(o, "samples", candidate->samples);
  double none = candidate->samples ? 0 : NAN;
  set_real(o, "ms_per_frame_median", candidate->ms.median + none);
  set_real(o, "ms_per_frame_p95", candidate->ms.p95 + none);
  set_real(o, "ms_per_frame_lower_quartile", candidate->ms.lower + none);
  set_real(o, "ms_per_frame_upper_quartile", candidate->ms.upper + none);
  json_object_set_new(o, "cheapest", json_boolean(best));
  set_text(o, "why_not", candidate->lost);
  json_object_set_new(o, "runs", probes_json(candidate));
  return o;
}

static json_t *hold_json(const weft_hold *h) {
  json_t *o = json_object(), *candidates = json_array();
  set_text(o, "scene", h->scene);
  set_count(o, "size", h->size);
  set_count(o, "particles", h->particles);
  set_text(o, "backend", h->backend);
  set_real(o, "target", h->target);
  set_count(o, "frames", h->frames);
  set_count(o, "sample_from_frame", h->sample_from);
  set_count(o, "sample_every", h->sample_every);
  set_text(o, "searched_on", h->searched_on);
  set_count(o, "runs", h->runs);
  set_real(o, "search_s", h->search_s);
  json_object_set_new(o, "held", json_boolean(h->best >= 0));
  for (uint32_t k = 0; k < h->count; ++k) {
    json_array_append_new(candidates, candidate_json(&h->tries[k], (int)k == h->best));
  }
  json_object_set_new(o, "ways", candidates);
  return o;
}

json_t *weft_hold_json(const weft_bench_table *t) {
  json_t *list = json_array();
  for (size_t k = 0; k < t->hold_count; ++k) json_array_append_new(list, hold_json(&t->holds[k]));
  return list;
}
