/* bench_page_hold.c: of the page of `weft bench`: what holds strain at which price. */
#include <math.h>
#include <string.h>

#include "bench_page.h"

enum { NAME = 80, MOST_LINES = 24, MOST_POINTS = 64 };

typedef struct lines {
  weft_svg_series series[MOST_LINES];
  char names[MOST_LINES][NAME];
  double x[MOST_LINES][MOST_POINTS], y[MOST_LINES][MOST_POINTS], keys[MOST_LINES][MOST_POINTS];
  size_t count;
} lines;

static weft_svg_series *line_named(lines *l, const char *name) {
  for (size_t k = 0; k < l->count; ++k) {
    if (strcmp(l->names[k], name) == 0) return &l->series[k];
  }
  if (l->count == MOST_LINES) return NULL;
  size_t at = l->count++;
  snprintf(l->names[at], NAME, "%.70s", name);
  l->series[at] = (weft_svg_series){.name = l->names[at],
                                    .x = l->x[at],
                                    .y = l->y[at],
                                    .colour = (int)at,
                                    .dashed = at >= 8,
                                    .marked = true};
  return &l->series[at];
}

/* In ascending order of `key`. */
static void add_point(lines *l, const char *name, double key, double x, double y) {
  weft_svg_series *s = line_named(l, name);
  if (!s || s->count == MOST_POINTS || !isfinite(x) || !isfinite(y)) return;
  size_t line = (size_t)(s - l->series), at = s->count++;
  for (; at > 0 && l->keys[line][at - 1] > key; --at) {
    l->keys[line][at] = l->keys[line][at - 1];
    l->x[line][at] = l->x[line][at - 1];
    l->y[line][at] = l->y[line][at - 1];
  }
  l->keys[line][at] = key;
  l->x[line][at] = x;
  l->y[line][at] = y;
}

static const json_t *best_of(const json_t *hold) {
  const json_t *ways = json_object_get(hold, "ways");
  for (size_t k = 0; k < json_array_size(ways); ++k) {
    const json_t *way = json_array_get(ways, k);
    if (json_is_true(json_object_get(way, "cheapest"))) return way;
  }
  return NULL;
}

/* ---- the cheapest over sizes ---- */

static void put_best(const weft_bench_page *p, const json_t *hold) {
  const json_t *best = best_of(hold);
  fputs("<tr><td>", p->file);
  weft_page_put(p, weft_page_string(hold, "scene"));
  fprintf(p->file, " %.0f, ", weft_page_number(hold, "size"));
  weft_page_put(p, weft_page_string(hold, "backend"));
  fputs("</td>", p->file);
  weft_page_cell(p, "%.0f", weft_page_number(hold, "particles"));
  weft_page_cell(p, "%.3f", best ? weft_page_number(best, "ms_per_frame_median") : NAN);
  weft_page_cell(p, "%.3f", best ? weft_page_number(best, "ms_per_frame_p95") : NAN);
  weft_page_cell(p, "%.3f %%", best ? 100 * weft_page_number(best, "strain") : NAN);
  fputs("<td>", p->file);
  weft_page_put(p, best ? weft_page_string(best, "setting") : "nothing that was tried holds it");
  fputs("</td></tr>\n", p->file);
}

static void put_over_sizes(const weft_bench_page *p, const json_t *holds) {
  lines *l = weft_alloc(1, sizeof *l);
  for (size_t k = 0; k < json_array_size(holds); ++k) {
    const json_t *hold = json_array_get(holds, k), *best = best_of(hold);
    char name[NAME];
    snprintf(name, sizeof name, "%.30s, %.30s", weft_page_string(hold, "scene"),
             weft_page_string(hold, "backend"));
    if (!best) continue;
    double particles = weft_page_number(hold, "particles");
    add_point(l, name, particles, particles, weft_page_number(best, "ms_per_frame_median"));
  }
  if (l->count) {
    weft_svg_write(p->file, &(weft_svg_plot){.title = "the cheapest setting that holds strain",
                                             .x_label = "particles",
                                             .y_label = "ms a frame",
                                             .x_log = true,
                                             .y_log = true,
                                             .series = l->series,
                                             .series_count = l->count});
  }
  weft_free(l);
}

/* ---- all that was tried ---- */

/* A way without its substeps: "gs patches x 2, levels, 1 tether". */
static void name_way(const json_t *way, char *name) {
  const char *schedule = weft_page_string(way, "schedule");
  double iterations = weft_page_number(way, "iterations");
  double tethers = weft_page_number(way, "tethers");
  bool levels = weft_page_number(way, "levels") > 0, said = strcmp(schedule, "auto") != 0;
  bool whole = weft_page_number(way, "line_sweeps") > 0;
  char sweeps[20] = "", held[30] = "";
  if (iterations > 1) snprintf(sweeps, sizeof sweeps, " x %.0f", iterations);
  if (tethers > 0) snprintf(held, sizeof held, ", %.0f tether%s", tethers, tethers > 1 ? "s" : "");
  snprintf(name, NAME, "%.10s%s%.10s%s%s%s%s%s", weft_page_string(way, "mode"), said ? " " : "",
           said ? schedule : "", sweeps, levels ? ", levels" : "", held, whole ? ", lines" : "",
           !levels && !whole && !(tethers > 0) ? ", plain" : "");
}

static void put_tried(const weft_bench_page *p, const json_t *hold) {
  lines *l = weft_alloc(1, sizeof *l);
  const json_t *ways = json_object_get(hold, "ways");
  double low = INFINITY, high = 0;
  for (size_t k = 0; k < json_array_size(ways); ++k) {
    const json_t *way = json_array_get(ways, k), *runs = json_object_get(way, "runs");
    char name[NAME];
    name_way(way, name);
    for (size_t r = 0; r < json_array_size(runs); ++r) {
      const json_t *run = json_array_get(runs, r);
      double ms = weft_page_number(run, "ms_per_frame");
      if (ms > 0) low = fmin(low, ms);
      high = fmax(high, ms);
      add_point(l, name, weft_page_number(run, "substeps"), ms,
                100 * weft_page_number(run, "strain"));
    }
  }
  double x[2] = {low, high}, target = 100 * weft_page_number(hold, "target");
  double y[2] = {target, target};
  if (l->count > 0 && l->count < MOST_LINES) {
    l->series[l->count++] =
        (weft_svg_series){.name = "target", .x = x, .y = y, .count = 2, .colour = -1};
  }
  char title[160];
  snprintf(title, sizeof title, "%.40s %.0f: strain against processor time, all runs",
           weft_page_string(hold, "scene"), weft_page_number(hold, "size"));
  weft_svg_write(p->file, &(weft_svg_plot){.title = title,
                                           .x_label = "ms a frame of one thread",
                                           .y_label = "strain p99 along threads, %",
                                           .x_log = true,
                                           .y_log = true,
                                           .series = l->series,
                                           .series_count = l->count});
  weft_free(l);
}

static void put_ways(const weft_bench_page *p, const json_t *hold) {
  const json_t *ways = json_object_get(hold, "ways");
  fputs("<details><summary>", p->file);
  weft_page_put(p, weft_page_string(hold, "scene"));
  fprintf(p->file, " %.0f, ", weft_page_number(hold, "size"));
  weft_page_put(p, weft_page_string(hold, "backend"));
  fprintf(
      p->file,
      ": %zu ways, %.0f runs in %.1f s</summary>\n<div class=\"scroll\"><table>\n<tr><th>way</th>"
      "<th>strain</th><th>ms/frame</th><th>runs</th><th>why not</th></tr>\n",
      json_array_size(ways), weft_page_number(hold, "runs"), weft_page_number(hold, "search_s"));
  for (size_t k = 0; k < json_array_size(ways); ++k) {
    const json_t *way = json_array_get(ways, k);
    fputs("<tr><td>", p->file);
    weft_page_put(p, weft_page_string(way, "setting"));
    fputs("</td>", p->file);
    weft_page_cell(p, "%.3f %%", 100 * weft_page_number(way, "strain"));
    weft_page_cell(p, "%.3f", weft_page_number(way, "ms_per_frame_median"));
    weft_page_cell(p, "%.0f", (double)json_array_size(json_object_get(way, "runs")));
    fputs("<td>", p->file);
    weft_page_put(p, json_is_true(json_object_get(way, "cheapest"))
                         ? "the cheapest"
                         : weft_page_string(way, "why_not"));
    if (json_is_true(json_object_get(way, "by_max_strain"))) {
      fputs(" (as --max-strain chooses)", p->file);
    }
    fputs("</td></tr>\n", p->file);
  }
  fputs("</table></div></details>\n", p->file);
}

static bool same_runs(const json_t *a, const json_t *b) {
  return json_equal(json_object_get(a, "scene"), json_object_get(b, "scene")) &&
         json_equal(json_object_get(a, "size"), json_object_get(b, "size")) &&
         json_equal(json_object_get(a, "searched_on"), json_object_get(b, "searched_on"));
}

void weft_page_holds(const weft_bench_page *p) {
  const json_t *holds = json_object_get(p->all, "hold_strain"), *first = json_array_get(holds, 0);
  if (!first) return;
  fprintf(p->file,
          "<h2>What it takes to hold strain under %.4g %%</h2>\n<p>p99 of strain along threads, in "
          "runs of %.0f frames from the rest pose, looked at every %.0f frames from frame %.0f on. "
          "Ways to hold it were run with more and fewer substeps until the fewest that hold were "
          "found; those that hold were then timed in turn on each backend.</p>\n"
          "<div class=\"scroll\"><table>\n<tr><th>cloth</th><th>particles</th><th>ms/frame</th>"
          "<th>p95</th><th>strain p99</th><th>cheapest setting</th></tr>\n",
          100 * weft_page_number(first, "target"), weft_page_number(first, "frames"),
          weft_page_number(first, "look_every"), weft_page_number(first, "look_from_frame"));
  for (size_t k = 0; k < json_array_size(holds); ++k) put_best(p, json_array_get(holds, k));
  fputs("</table></div>\n", p->file);
  put_over_sizes(p, holds);
  for (size_t k = 0; k < json_array_size(holds); ++k) {
    const json_t *hold = json_array_get(holds, k);
    bool seen = false;
    for (size_t j = 0; j < k; ++j) seen = seen || same_runs(json_array_get(holds, j), hold);
    if (!seen) put_tried(p, hold);
  }
  for (size_t k = 0; k < json_array_size(holds); ++k) put_ways(p, json_array_get(holds, k));
}
