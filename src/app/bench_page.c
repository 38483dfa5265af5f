/* bench_page.c: a file of `weft bench` as one page: a table, and plots as SVG inside it. No
 * scripts, nothing fetched from elsewhere; well-formed XML. Made from the JSON, so that a page can
 * be had of any file that was kept; what an older file does not say is left out. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "svg.h"

typedef struct page {
  FILE *file;
  const json_t *all, *rows;
} page;

static void put(const page *p, const char *text) { weft_svg_text(p->file, text); }

/* ---- what rows say ---- */

static const char *text_of(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static double number_of(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

typedef enum quantity { NOTHING, PARTICLES, MS, FLOOR_MS, REACHED, COPIED, STRAIN } quantity;

static double value_of(const json_t *row, quantity what) {
  double ms = number_of(row, "ms_per_frame_median");
  switch (what) {
    case PARTICLES:
      return number_of(row, "particles");
    case MS:
      return ms;
    case FLOOR_MS:
      return number_of(row, "floor_ms_per_frame");
    case REACHED:
      return 1e-6 * number_of(row, "floor_bytes_per_frame") / ms;
    case COPIED:
      return 1e-9 * number_of(row, "copy_bytes_per_s");
    case STRAIN:
      return 100 * number_of(row, "strain_p99");
    case NOTHING:
      break;
  }
  return NAN;
}

static bool same_text(const json_t *a, const json_t *b, const char *key) {
  return strcmp(text_of(a, key), text_of(b, key)) == 0;
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

static const char *const line_keys[] = {"scene", "backend", "mode"};

static bool on_line(const json_t *row, const json_t *first) {
  return same_text(row, first, "scene") && same_text(row, first, "backend") &&
         same_text(row, first, "mode");
}

/* ---- head and table ---- */

static void put_entry(const page *p, const char *name, const char *text) {
  fprintf(p->file, "<dt>%s</dt><dd>", name);
  put(p, *text ? text : "none");
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
    put_entry(p, names[k], text_of(build, names[k]));
  }
  fputs(
      "</dl>\n<p>Every run starts from the rest pose; times are medians of the runs, spread is "
      "what lies between their quartiles. The floor is the time in which the machine could move "
      "the bytes that every pass must read and write at least, as fast as a copy of the size of "
      "the solver's buffers ran beside it, and with gl what starting the passes costs. Above 100 "
      "% caches helped from one pass to the next. Rows of one scene, size and mode with equal "
      "hashes did the same work, bit for bit.</p>\n",
      p->file);
}

static void put_number(const page *p, const char *format, double value) {
  fputs("<td>", p->file);
  if (isfinite(value)) fprintf(p->file, format, value);
  fputs("</td>", p->file);
}

static void put_row(const page *p, const json_t *row) {
  fputs("<tr><td>", p->file);
  put(p, text_of(row, "scene"));
  fprintf(p->file, " %.0f, ", number_of(row, "size"));
  put(p, text_of(row, "backend"));
  fputs(", ", p->file);
  put(p, text_of(row, "mode"));
  fputs("</td>", p->file);
  put_number(p, "%.0f", number_of(row, "particles"));
  put_number(p, "%.3f", number_of(row, "ms_per_frame_median"));
  put_number(p, "%.3f", number_of(row, "ms_per_frame_p95"));
  put_number(p, "%.3f", number_of(row, "ms_per_frame_min"));
  put_number(p, "%.1f %%", 100 * number_of(row, "spread"));
  put_number(p, "%.1f", 1e-6 * number_of(row, "projections_per_s"));
  put_number(p, "%.1f %%", 100 * number_of(row, "floor_part"));
  put_number(p, "%.1f", number_of(row, "scene_ms") + number_of(row, "solver_ms"));
  put_number(p, "%.0f", number_of(row, "bytes_per_particle"));
  put_number(p, "%.3f %%", 100 * number_of(row, "strain_p99"));
  fputs("<td>", p->file);
  put(p, text_of(row, "hash"));
  fputs("</td></tr>\n", p->file);
}

static void put_table(const page *p) {
  fputs(
      "<div class=\"scroll\"><table>\n<tr><th>scene</th><th>particles</th><th>ms/frame</th>"
      "<th>p95</th><th>min</th><th>spread</th><th>Mproj/s</th><th>floor</th><th>set-up ms</th>"
      "<th>B/particle</th><th>strain p99</th><th>state hash</th></tr>\n",
      p->file);
  for (size_t k = 0; k < json_array_size(p->rows); ++k) put_row(p, json_array_get(p->rows, k));
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

/* Every backend and mode of a scene. */
static void put_plot(const page *p, const char *scene, const plot *wanted) {
  size_t size = json_array_size(p->rows), count = 0;
  weft_svg_series *series = weft_alloc(2 * size, sizeof *series);
  char(*names)[NAME] = weft_alloc(2 * size, sizeof *names);
  double *points = weft_alloc(6 * size * size, sizeof *points);
  int colour = 0;
  for (size_t k = 0; k < size; ++k) {
    const json_t *row = json_array_get(p->rows, k);
    if (strcmp(text_of(row, "scene"), scene) != 0 || came_before(p, k, line_keys, 3)) continue;
    for (int dashed = 0; dashed < (wanted->least == NOTHING ? 1 : 2); ++dashed) {
      weft_svg_series *own = &series[count];
      add_line(p, row, wanted, dashed ? wanted->least : wanted->y, own, points + 3 * size * count);
      snprintf(names[count], NAME, "%.20s, %.20s%s", text_of(row, "backend"), text_of(row, "mode"),
               dashed ? wanted->least_name : "");
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
    double ms = number_of(pass, "ms_per_frame"), least = number_of(pass, "floor_ms_per_frame");
    snprintf(texts[k], NAME, "%.4g ms, floor %.3g %%, %.4g a frame", ms, 100 * least / ms,
             number_of(pass, "per_frame"));
    bars[k] = (weft_svg_bar){text_of(pass, "pass"), texts[k], ms, least};
  }
  char title[200];
  snprintf(title, sizeof title, "%.40s %.0f, %.20s, %.20s: passes, ms a frame (%.60s)",
           text_of(row, "scene"), number_of(row, "size"), text_of(row, "backend"),
           text_of(row, "mode"), text_of(row, "pass_clock"));
  weft_svg_write_bars(p->file, title, bars, count);
  weft_free(bars);
  weft_free(texts);
}

/* The largest size of each backend and mode. */
static void put_largest(const page *p, const char *scene) {
  for (size_t k = 0; k < json_array_size(p->rows); ++k) {
    const json_t *row = json_array_get(p->rows, k), *largest = row;
    if (strcmp(text_of(row, "scene"), scene) != 0 || came_before(p, k, line_keys, 3)) continue;
    for (size_t j = k; j < json_array_size(p->rows); ++j) {
      const json_t *other = json_array_get(p->rows, j);
      bool larger = number_of(other, "particles") > number_of(largest, "particles");
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
  put(p, scene);
  fputs("</h2>\n", p->file);
  for (size_t k = 0; k < sizeof plots / sizeof *plots; ++k) put_plot(p, scene, &plots[k]);
  fputs("<p>Passes of the largest size; the dark part of a bar is its floor.</p>\n", p->file);
  put_largest(p, scene);
}

weft_result weft_bench_write_page(const char *path, const json_t *all, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  page p = {weft_output_file(out), all, json_object_get(all, "rows")};
  put_head(&p);
  put_table(&p);
  for (size_t k = 0; k < json_array_size(p.rows); ++k) {
    if (!came_before(&p, k, line_keys, 1)) {
      put_scene(&p, text_of(json_array_get(p.rows, k), "scene"));
    }
  }
  fputs("</body>\n</html>\n", p.file);
  return weft_output_close(out, err);
}
