/* bench_hold_print.c: what --hold-strain found and what lost, as a table, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "bench_hold.h"
#include "report.h"

/* ---- a setting in words ---- */

void weft_hold_describe(const weft_params *p, char *text, size_t size) {
  uint32_t iterations = p->iterations ? p->iterations : 1;
  char levels[24] = "no levels", schedule[32] = "", lines[24] = "";
  if (p->levels >= WEFT_ALL_LEVELS) {
    snprintf(levels, sizeof levels, "all levels");
  } else if (p->levels > 0) {
    snprintf(levels, sizeof levels, "%u levels", p->levels);
  }
  if (p->schedule != WEFT_SCHEDULE_AUTO) {
    snprintf(schedule, sizeof schedule, " %s", weft_schedule_name(p->schedule));
  }
  if (p->line_sweeps) snprintf(lines, sizeof lines, ", lines x %u", p->line_sweeps);
  snprintf(text, size, "%u x %u, %s%s, %s, %u tether%s%s", p->substeps, iterations,
           weft_mode_name(p->mode), schedule, levels, p->tethers, p->tethers == 1 ? "" : "s",
           lines);
}

/* ---- table ---- */

static void print_conditions(FILE *file, const weft_hold *h) {
  fprintf(
      file,
      "\nheld under %.4g %%: p99 of strain along threads in runs of %u frames from the rest pose, "
      "looked at every %u frames from frame %u\n",
      100 * h->target, h->frames, h->look_every,
      h->look_from + (h->frames - h->look_from) % h->look_every);
}

/* Of ways of which none holds; NULL when none was run. */
static const weft_hold_try *nearest(const weft_hold *h) {
  const weft_hold_try *near = NULL;
  for (uint32_t k = 0; k < h->count; ++k) {
    const weft_hold_try *way = &h->tries[k];
    if (way->probe_count > 0 && (!near || way->least < near->least)) near = way;
  }
  return near;
}

static void print_none(FILE *file, const weft_hold *h) {
  const weft_hold_try *way = nearest(h);
  fputs("  nothing that was tried holds it", file);
  if (way && isfinite(way->least)) {
    char setting[120];
    weft_params params = way->params;
    params.substeps = way->least_substeps;
    weft_hold_describe(&params, setting, sizeof setting);
    fprintf(file, "; the least was %.3g %%: %s", 100 * way->least, setting);
  }
  fputc('\n', file);
}

static void print_best(FILE *file, const weft_hold *h) {
  fprintf(file, "%-8s %5u %-7s %9u", h->scene, h->size, h->backend, h->particles);
  if (h->best < 0) {
    print_none(file, h);
    return;
  }
  const weft_hold_try *way = &h->tries[h->best];
  char setting[120];
  weft_hold_describe(&way->params, setting, sizeof setting);
  fprintf(file, " %9.3f %9.3f %6.1f%% %7.3f%%  %s\n", way->ms.median, way->ms.p95,
          100 * weft_bench_spread(&way->ms), 100 * way->strain, setting);
}

static void print_way(FILE *file, const weft_hold_try *way, bool best) {
  char setting[120];
  weft_hold_describe(&way->params, setting, sizeof setting);
  if (way->samples) {
    fprintf(file, "  %9.3f", way->ms.median);
  } else {
    fprintf(file, "  %9s", "-");
  }
  if (way->held) {
    fprintf(file, " %7.3f%%", 100 * way->strain);
  } else {
    fprintf(file, " %8s", "-");
  }
  fprintf(file, "  %-58s %s%s\n", setting, best ? "<- cheapest" : way->lost,
          way->by_rule ? " (as --max-strain chooses)" : "");
}

static void print_ways(FILE *file, const weft_hold *h) {
  fprintf(file, "\n%s %u %s: %u ways, strain looked at in %u runs on %s (%.1f s)\n", h->scene,
          h->size, h->backend, h->count, h->runs, h->searched_on, h->search_s);
  fprintf(file, "  %9s %8s  %-58s %s\n", "ms/frame", "strain", "setting", "why not");
  for (uint32_t k = 0; k < h->count; ++k) print_way(file, &h->tries[k], (int)k == h->best);
}

static void print_growth(FILE *file, const weft_bench_table *t, const weft_hold *first) {
  double x[WEFT_BENCH_MOST_NAMES], y[WEFT_BENCH_MOST_NAMES];
  size_t count = 0;
  for (size_t k = 0; k < t->hold_count && count < WEFT_BENCH_MOST_NAMES; ++k) {
    const weft_hold *h = &t->holds[k];
    if (h->best < 0 || strcmp(h->scene, first->scene) != 0) continue;
    if (strcmp(h->backend, first->backend) != 0) continue;
    x[count] = h->particles;
    y[count++] = h->tries[h->best].ms.median;
  }
  weft_bench_fit fit = weft_bench_fit_power(x, y, count);
  if (!isfinite(fit.exponent)) return;
  fprintf(file, "%s on %s: ms per frame at this strain grow as particles^%.2f over %zu sizes\n",
          first->scene, first->backend, fit.exponent, count);
}

void weft_hold_print(FILE *file, const weft_bench_table *t) {
  if (t->hold_count == 0) return;
  print_conditions(file, &t->holds[0]);
  fprintf(file, "%-8s %5s %-7s %9s %9s %9s %7s %8s  %s\n", "scene", "size", "backend", "particles",
          "ms/frame", "p95", "spread", "strain", "cheapest that holds it");
  for (size_t k = 0; k < t->hold_count; ++k) print_best(file, &t->holds[k]);
  for (size_t k = 0; k < t->hold_count; ++k) {
    bool seen = false;
    for (size_t j = 0; j < k; ++j) {
      seen = seen || (strcmp(t->holds[j].scene, t->holds[k].scene) == 0 &&
                      strcmp(t->holds[j].backend, t->holds[k].backend) == 0);
    }
    if (!seen) print_growth(file, t, &t->holds[k]);
  }
  for (size_t k = 0; k < t->hold_count; ++k) print_ways(file, &t->holds[k]);
}

/* ---- CSV ---- */

static void print_csv_way(FILE *file, const weft_hold *h, const weft_hold_try *way, bool best) {
  const weft_params *p = &way->params;
  fprintf(file, "%s,%u,%u,%s,%.6g,%u,%s,%s,%u,%u,%u,%u,%u,%.6g,%s,%s", h->scene, h->size,
          h->particles, h->backend, h->target, h->frames, weft_mode_name(p->mode),
          weft_schedule_name(p->schedule), p->substeps, p->iterations ? p->iterations : 1,
          p->tethers, p->levels, p->line_sweeps, (double)p->level_slack,
          way->by_rule ? "yes" : "no", way->held ? "yes" : "no");
  if (way->held) fprintf(file, ",%.6g,%.6g", way->strain, way->search_ms);
  if (!way->held) fputs(",,", file);
  fprintf(file, ",%u", way->samples);
  if (way->samples) {
    fprintf(file, ",%.6g,%.6g,%.6g", way->ms.median, way->ms.p95, weft_bench_spread(&way->ms));
  } else {
    fputs(",,,", file);
  }
  fprintf(file, ",%s,\"%s\"\n", best ? "yes" : "no", way->lost);
}

void weft_hold_print_csv(FILE *file, const weft_bench_table *t) {
  fputs(
      "scene,size,particles,backend,target,frames,mode,schedule,substeps,iterations,tethers,levels,"
      "line_sweeps,level_slack,by_max_strain,held,strain,search_ms_per_frame,samples,ms_per_frame_"
      "median,"
      "ms_per_frame_p95,spread,cheapest,why_not\n",
      file);
  for (size_t k = 0; k < t->hold_count; ++k) {
    const weft_hold *h = &t->holds[k];
    for (uint32_t w = 0; w < h->count; ++w) {
      print_csv_way(file, h, &h->tries[w], (int)w == h->best);
    }
  }
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

static json_t *probes_json(const weft_hold_try *way) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < way->probe_count; ++k) {
    const weft_hold_probe *probe = &way->probes[k];
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
  set_count(o, "tethers", p->tethers);
  set_count(o, "levels", p->levels);
  set_count(o, "line_sweeps", p->line_sweeps);
  set_real(o, "level_slack", (double)p->level_slack);
  set_real(o, "tether_slack", (double)p->tether_slack);
}

static json_t *way_json(const weft_hold_try *way, bool best) {
  json_t *o = json_object();
  set_setting(o, &way->params);
  json_object_set_new(o, "by_max_strain", json_boolean(way->by_rule));
  json_object_set_new(o, "held", json_boolean(way->held));
  set_real(o, "strain", way->held ? way->strain : NAN);
  set_real(o, "search_ms_per_frame", way->held ? way->search_ms : NAN);
  set_count(o, "samples", way->samples);
  double none = way->samples ? 0 : NAN;
  set_real(o, "ms_per_frame_median", way->ms.median + none);
  set_real(o, "ms_per_frame_p95", way->ms.p95 + none);
  set_real(o, "ms_per_frame_lower_quartile", way->ms.lower + none);
  set_real(o, "ms_per_frame_upper_quartile", way->ms.upper + none);
  json_object_set_new(o, "cheapest", json_boolean(best));
  set_text(o, "why_not", way->lost);
  json_object_set_new(o, "runs", probes_json(way));
  return o;
}

static json_t *hold_json(const weft_hold *h) {
  json_t *o = json_object(), *ways = json_array();
  set_text(o, "scene", h->scene);
  set_count(o, "size", h->size);
  set_count(o, "particles", h->particles);
  set_text(o, "backend", h->backend);
  set_real(o, "target", h->target);
  set_count(o, "frames", h->frames);
  set_count(o, "look_from_frame", h->look_from);
  set_count(o, "look_every", h->look_every);
  set_text(o, "searched_on", h->searched_on);
  set_count(o, "runs", h->runs);
  set_real(o, "search_s", h->search_s);
  json_object_set_new(o, "held", json_boolean(h->best >= 0));
  for (uint32_t k = 0; k < h->count; ++k) {
    json_array_append_new(ways, way_json(&h->tries[k], (int)k == h->best));
  }
  json_object_set_new(o, "ways", ways);
  return o;
}

json_t *weft_hold_json(const weft_bench_table *t) {
  json_t *list = json_array();
  for (size_t k = 0; k < t->hold_count; ++k) json_array_append_new(list, hold_json(&t->holds[k]));
  return list;
}
