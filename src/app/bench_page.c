/* bench_page.c: a file of `weft bench` as one page: a table, and plots as SVG inside it. No
 * scripts, nothing fetched from elsewhere; well-formed XML. Made from the JSON, so that a page can
 * be had of any file that was kept; what an older file does not say is left out. */
#include <math.h>
#include <string.h>

#include "bench_page.h"

typedef weft_bench_page page;

void weft_page_put(const page *p, const char *text) { weft_svg_text(p->file, text); }

/* ---- what rows say ---- */

const char *weft_page_string(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

double weft_page_number(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

typedef enum quantity { NOTHING, PARTICLES, MS, FLOOR_MS, REACHED, COPIED, STRAIN } quantity;

static double value_of(const json_t *row, quantity what) {
  double ms = weft_page_number(row, "ms_per_frame_median");
  switch (what) {
    case PARTICLES:
      return weft_page_number(row, "particles");
    case MS:
      return ms;
    case FLOOR_MS:
      return weft_page_number(row, "floor_ms_per_frame");
    case REACHED:
      return 1e-6 * weft_page_number(row, "floor_bytes_per_frame") / ms;
    case COPIED:
      return 1e-9 * weft_page_number(row, "copy_bytes_per_s");
    case STRAIN:
      return 100 * weft_page_number(row, "strain_p99");
    case NOTHING:
      break;
  }
  return NAN;
}

static bool same_text(const json_t *a, const json_t *b, const char *key) {
  return strcmp(weft_page_string(a, key), weft_page_string(b, key)) == 0;
}

/* Whether an earlier row has the same texts at these keys. */
static bool came_before(const page *p, size_t index, const char *const *keys, size_t count) {
  const json_t *row = json_array_get(p->rows, index);
  for (size_t k = 0; k < index; ++k) {
    const json_t *other = json_array_get(p->rows, k);
    size_t same = 0;
    while (same < count && same_text(row, other, keys[same])) ++same;
    if (same == count) return true;
  }
  return false;
}

/* Texts that rows of one line share; files of before there were schedules have none. */
static const char *const line_keys[] = {"scene", "backend", "mode", "schedule"};
enum { LINE_KEYS = 4 };

static bool on_line(const json_t *row, const json_t *first) {
  size_t same = 0;
  while (same < LINE_KEYS && same_text(row, first, line_keys[same])) ++same;
  return same == LINE_KEYS;
}

/* ---- head and table ---- */

static void put_entry(const page *p, const char *name, const char *text) {
  fprintf(p->file, "<dt>%s</dt><dd>", name);
  weft_page_put(p, *text ? text : "none");
  fputs("</dd>\n", p->file);
}

static void put_load(const page *p) {
  double load = weft_page_number(p->all, "load_before");
  char text[120];
  if (!isfinite(load)) return;
  snprintf(text, sizeof text, "%.2f before the first row, on %.0f processors%s", load,
           weft_page_number(p->all, "processors"),
           load >= 1 ? ": others were at work, compare neighbours only" : "");
  put_entry(p, "load", text);
}

static void put_setting(void *user, const char *name, const char *text) {
  const page *p = user;
  fputs("<dt>", p->file);
  weft_page_put(p, name);
  fputs("</dt><dd>", p->file);
  weft_page_put(p, text);
  fputs("</dd>\n", p->file);
}

static void put_head(const page *p) {
  static const char *const names[] = {"processor", "driver", "commit", "compiler", "flags"};
  fprintf(p->file,
          "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
          "<title>weft: how fast the solver is</title>\n<style>%s</style>\n</head>\n<body>\n"
          "<h1>How fast the solver is</h1>\n",
          weft_page_style);
  if (json_is_false(json_object_get(p->all, "times_mean_something"))) {
    fputs("<p class=\"fail\">A debug or sanitized build: these times mean nothing.</p>\n", p->file);
  }
  fputs("<dl>\n", p->file);
  const json_t *build = json_object_get(p->all, "build");
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    put_entry(p, names[k], weft_page_string(build, names[k]));
  }
  put_load(p);
  page own = *p;
  weft_bench_say_settings(p->rows, put_setting, &own);
  fputs(
      "</dl>\n<p>Every run starts from the same state: the rest pose or, where the settings say "
      "so, that after some frames. Times are medians of the runs, spread is what lies between "
      "their quartiles, proc. ms is time of processors, of all threads together. The floor is the "
      "time in which the machine could move "
      "the bytes that every pass must read and write at least, as fast as a copy of the size of "
      "the solver's buffers ran beside it, and with gl what starting the passes costs; a frame of "
      "cpu, which keeps a tile in the cache for all passes of a substep, moves every row once a "
      "substep (files without floor_of: once a pass). Above 100 % caches helped from one pass to "
      "the next, and the floor is none. Rows of one scene, size and mode with equal "
      "hashes did the same work, bit for bit.</p>\n",
      p->file);
}

void weft_page_cell(const page *p, const char *format, double value) {
  fputs("<td>", p->file);
  if (isfinite(value)) fprintf(p->file, format, value);
  fputs("</td>", p->file);
}

static void put_schedule(const page *p, const json_t *row) {
  const char *schedule = weft_page_string(row, "schedule");
  if (!*schedule || strcmp(schedule, "auto") == 0) return;
  fputs(", ", p->file);
  weft_page_put(p, schedule);
}

static void put_name(const page *p, const json_t *row) {
  fputs("<tr><td>", p->file);
  weft_page_put(p, weft_page_string(row, "scene"));
  fprintf(p->file, " %.0f, ", weft_page_number(row, "size"));
  weft_page_put(p, weft_page_string(row, "backend"));
  fputs(", ", p->file);
  weft_page_put(p, weft_page_string(row, "mode"));
  put_schedule(p, row);
  fputs("</td>", p->file);
}

static void put_row(const page *p, const json_t *row) {
  put_name(p, row);
  weft_page_cell(p, "%.0f", weft_page_number(row, "particles"));
  weft_page_cell(p, "%.3f", weft_page_number(row, "ms_per_frame_median"));
  weft_page_cell(p, "%.3f", weft_page_number(row, "ms_per_frame_p95"));
  weft_page_cell(p, "%.3f", weft_page_number(row, "ms_per_frame_min"));
  weft_page_cell(p, "%.1f %%", 100 * weft_page_number(row, "spread"));
  weft_page_cell(p, "%.3f", weft_page_number(row, "processor_ms_per_frame"));
  weft_page_cell(p, "%.1f", 1e-6 * weft_page_number(row, "projections_per_s"));
  weft_page_cell(p, "%.1f %%", 100 * weft_page_number(row, "floor_part"));
  weft_page_cell(p, "%.3f %%", 100 * weft_page_number(row, "strain_p99"));
  fputs("<td>", p->file);
  weft_page_put(p, weft_page_string(row, "hash"));
  fputs("</td></tr>\n", p->file);
}

static void put_table(const page *p) {
  if (json_object_get(p->all, "hold_strain")) {
    fputs("<h2>The cheapest settings as rows</h2>\n", p->file);
  }
  fputs(
      "<div class=\"scroll\"><table>\n<tr><th>scene</th><th>particles</th><th>ms/frame</th>"
      "<th>p95</th><th>min</th><th>spread</th><th>proc. "
      "ms</th><th>Mproj/s</th><th>floor</th><th>strain p99</th><th>state hash</th></tr>\n",
      p->file);
  for (size_t k = 0; k < json_array_size(p->rows); ++k) put_row(p, json_array_get(p->rows, k));
  fputs("</table></div>\n", p->file);
}

/* ---- what was reached, and what it needs ---- */

static void put_reached(const page *p, const json_t *row) {
  static const struct {
    const char *key, *format;
    double scale;
  } cells[] = {{"strain_mean", "%.3f %%", 100},
               {"strain_p99", "%.3f %%", 100},
               {"strain_max", "%.3f %%", 100},
               {"strain_p99_most", "%.3f %%", 100},
               {"kinetic_energy_J", "%.3g", 1},
               {"potential_energy_J", "%.3g", 1},
               {"elastic_energy_J", "%.3g", 1},
               {"constraints", "%.0f", 1},
               {"scene_ms", "%.1f", 1},
               {"solver_ms", "%.1f", 1},
               {"host_peak_bytes", "%.1f", 1 / 1048576.0},
               {"buffer_bytes", "%.2f", 1 / 1048576.0},
               {"bytes_per_particle", "%.0f", 1}};
  put_name(p, row);
  for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k) {
    weft_page_cell(p, cells[k].format, cells[k].scale * weft_page_number(row, cells[k].key));
  }
  fputs("</tr>\n", p->file);
}

static void put_quality(const page *p) {
  fputs(
      "<h2>What was reached, and what it needs</h2>\n<p>Strain is |length/rest - 1| of stretch in "
      "the last state, and the largest 99th percentile seen on the way there. Cooking is that of "
      "the scene, set-up that of the solver; the host's memory is the most the process held, the "
      "buffers' with gl memory of the GPU.</p>\n<div class=\"scroll\"><table>\n<tr><th>scene</th>"
      "<th>strain mean</th><th>p99</th><th>max</th><th>most p99</th><th>kinetic J</th>"
      "<th>potential J</th><th>elastic J</th><th>constraints</th><th>cooking ms</th><th>set-up "
      "ms</th><th>host MiB</th><th>buffers MiB</th><th>B/particle</th></tr>\n",
      p->file);
  for (size_t k = 0; k < json_array_size(p->rows); ++k) put_reached(p, json_array_get(p->rows, k));
  fputs("</table></div>\n", p->file);
}

/* ---- plots ---- */

typedef struct plot {
  const char *title, *x_label, *y_label;
  quantity x, y;
  quantity least; /* dashed beside it */
  const char *least_name;
  bool y_log;
} plot;

enum { NAME = 60 };

/* Points of the line that begins with row `first`, by size. */
static void add_line(const page *p, const json_t *first, const plot *wanted, quantity y,
                     weft_svg_series *series, double *points) {
  size_t size = json_array_size(p->rows), count = 0;
  double *xs = points, *ys = points + size, *order = points + 2 * size;
  for (size_t k = 0; k < size; ++k) {
    const json_t *row = json_array_get(p->rows, k);
    if (!on_line(row, first)) continue;
    size_t at = count++;
    for (; at > 0 && order[at - 1] > value_of(row, PARTICLES); --at) {
      order[at] = order[at - 1];
      xs[at] = xs[at - 1];
      ys[at] = ys[at - 1];
    }
    order[at] = value_of(row, PARTICLES);
    xs[at] = value_of(row, wanted->x);
    ys[at] = value_of(row, y);
  }
  series->x = xs;
  series->y = ys;
  series->count = count;
  series->marked = true;
}

/* "gl, gs, patches, floor" */
static void name_line(const json_t *row, const char *more, char *name) {
  const char *schedule = weft_page_string(row, "schedule");
  bool said = *schedule && strcmp(schedule, "auto") != 0;
  snprintf(name, NAME, "%.12s, %.12s%s%.12s%.12s", weft_page_string(row, "backend"),
           weft_page_string(row, "mode"), said ? ", " : "", said ? schedule : "", more);
}

/* Every backend, mode and schedule of a scene. */
static void put_plot(const page *p, const char *scene, const plot *wanted) {
  size_t size = json_array_size(p->rows), count = 0;
  weft_svg_series *series = weft_alloc(2 * size, sizeof *series);
  char(*names)[NAME] = weft_alloc(2 * size, sizeof *names);
  double *points = weft_alloc(6 * size * size, sizeof *points);
  int colour = 0;
  for (size_t k = 0; k < size; ++k) {
    const json_t *row = json_array_get(p->rows, k);
    if (strcmp(weft_page_string(row, "scene"), scene) != 0 ||
        came_before(p, k, line_keys, LINE_KEYS))
      continue;
    for (int dashed = 0; dashed < (wanted->least == NOTHING ? 1 : 2); ++dashed) {
      weft_svg_series *own = &series[count];
      add_line(p, row, wanted, dashed ? wanted->least : wanted->y, own, points + 3 * size * count);
      name_line(row, dashed ? wanted->least_name : "", names[count]);
      own->name = names[count];
      own->colour = colour;
      own->dashed = dashed;
      ++count;
    }
    ++colour;
  }
  char title[200];
  snprintf(title, sizeof title, "%.60s: %s", scene, wanted->title);
  weft_svg_write(p->file, &(weft_svg_plot){.title = title,
                                           .x_label = wanted->x_label,
                                           .y_label = wanted->y_label,
                                           .x_log = true,
                                           .y_log = wanted->y_log,
                                           .series = series,
                                           .series_count = count});
  weft_free(series);
  weft_free(names);
  weft_free(points);
}

/* ---- bars ---- */

static void put_bars(const page *p, const json_t *row) {
  const json_t *passes = json_object_get(row, "passes");
  size_t count = json_array_size(passes);
  if (count == 0) return;
  weft_svg_bar *bars = weft_alloc(count, sizeof *bars);
  char(*texts)[NAME] = weft_alloc(count, sizeof *texts);
  for (size_t k = 0; k < count; ++k) {
    const json_t *pass = json_array_get(passes, k);
    double ms = weft_page_number(pass, "ms_per_frame"),
           least = weft_page_number(pass, "floor_ms_per_frame");
    snprintf(texts[k], NAME, "%.4g ms, floor %.3g %%, %.4g a frame", ms, 100 * least / ms,
             weft_page_number(pass, "per_frame"));
    bars[k] = (weft_svg_bar){weft_page_string(pass, "pass"), texts[k], ms, least};
  }
  char title[200];
  char line[NAME];
  name_line(row, "", line);
  snprintf(title, sizeof title, "%.40s %.0f, %.59s: passes, ms a frame (%.60s)",
           weft_page_string(row, "scene"), weft_page_number(row, "size"), line,
           weft_page_string(row, "pass_clock"));
  weft_svg_write_bars(p->file, title, bars, count);
  weft_free(bars);
  weft_free(texts);
}

/* The largest size of each backend and mode. */
static void put_largest(const page *p, const char *scene) {
  for (size_t k = 0; k < json_array_size(p->rows); ++k) {
    const json_t *row = json_array_get(p->rows, k), *largest = row;
    if (strcmp(weft_page_string(row, "scene"), scene) != 0 ||
        came_before(p, k, line_keys, LINE_KEYS))
      continue;
    for (size_t j = k; j < json_array_size(p->rows); ++j) {
      const json_t *other = json_array_get(p->rows, j);
      bool larger = weft_page_number(other, "particles") > weft_page_number(largest, "particles");
      if (larger && on_line(other, row)) largest = other;
    }
    put_bars(p, largest);
  }
}

static void put_scene(const page *p, const char *scene) {
  static const plot plots[] = {
      {"time and its floor (dashed)", "particles", "ms a frame", PARTICLES, MS, FLOOR_MS, ", floor",
       true},
      {"bytes that must move, and copying (dashed)", "particles", "GB/s", PARTICLES, REACHED,
       COPIED, ", copy", true},
      {"strain beside time", "ms a frame", "strain, 99th percentile, %", MS, STRAIN, NOTHING, "",
       false},
  };
  fputs("<h2>", p->file);
  weft_page_put(p, scene);
  fputs("</h2>\n", p->file);
  for (size_t k = 0; k < sizeof plots / sizeof *plots; ++k) put_plot(p, scene, &plots[k]);
  weft_page_roofs(p, scene);
  fputs(
      "<p>Passes of the largest size, timed in runs of their own; the dark part of a bar is its "
      "floor. Where timing holds passes up they add up to more than a frame takes.</p>\n",
      p->file);
  put_largest(p, scene);
}

weft_result weft_bench_write_page(const char *path, const json_t *all, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  page p = {weft_output_file(out), all, json_object_get(all, "rows")};
  put_head(&p);
  weft_page_holds(&p);
  put_table(&p);
  put_quality(&p);
  weft_page_scaling(&p);
  for (size_t k = 0; k < json_array_size(p.rows); ++k) {
    if (!came_before(&p, k, line_keys, 1)) {
      put_scene(&p, weft_page_string(json_array_get(p.rows, k), "scene"));
    }
  }
  fputs("</body>\n</html>\n", p.file);
  return weft_output_close(out, err);
}
