/* bench_page_more.c: of the page of `weft bench`: how time grows, roofs, what holds strain. */
#include <math.h>
#include <string.h>

#include "bench_page.h"

enum { NAME = 80 };

static double field(const json_t *o, const char *part, const char *key) {
  return weft_page_number(json_object_get(o, part), key);
}

/* ---- how time grows ---- */

static void put_steps(const weft_bench_page *p, const json_t *steps) {
  fputs("<td>", p->file);
  for (size_t k = 0; k < json_array_size(steps); ++k) {
    fprintf(p->file, "%s%.2f", k ? " " : "", json_number_value(json_array_get(steps, k)));
  }
  fputs("</td>", p->file);
}

static void put_line(const weft_bench_page *p, const json_t *line) {
  fputs("<tr><td>", p->file);
  static const char *const keys[] = {"scene", "backend", "mode", "schedule"};
  for (size_t k = 0; k < 4; ++k) {
    const char *text = weft_page_string(line, keys[k]);
    if (!*text || strcmp(text, "auto") == 0) continue;
    if (k) fputs(", ", p->file);
    weft_page_put(p, text);
  }
  fputs("</td>", p->file);
  weft_page_cell(p, "%.3f", field(line, "all_sizes", "exponent"));
  weft_page_cell(p, "%.0f", field(line, "all_sizes", "from_particles"));
  weft_page_cell(p, "%.0f", field(line, "all_sizes", "to_particles"));
  weft_page_cell(p, "%.1f %%", 100 * field(line, "all_sizes", "off"));
  weft_page_cell(p, "%.0f", weft_page_number(line, "full_from_particles"));
  weft_page_cell(p, "%.3f", field(line, "full_sizes", "exponent"));
  put_steps(p, json_object_get(line, "steps"));
  weft_page_cell(p, "%.0f", weft_page_number(line, "bytes_per_particle"));
  weft_page_cell(p, "%.0f", weft_page_number(line, "host_bytes_per_particle"));
  fputs("</tr>\n", p->file);
}

void weft_page_scaling(const weft_bench_page *p) {
  json_t *lines = weft_bench_scaling(p->rows);
  if (json_array_size(lines) > 0) {
    fputs(
        "<h2>How time grows</h2>\n<p>ms per frame as a power of the number of particles, by least "
        "squares on logarithms; 1 is in proportion. <em>Off</em> is how far the farthest row lies "
        "from that line. The device is full from the smallest size on that reaches 80 % of the "
        "most projections a second; the second exponent counts from there. <em>Steps</em> are the "
        "exponents from each size to the next: where caches end, one step is steep. Bytes are "
        "those of "
        "the largest size: in the solver's buffers, and of the host at most, cooking "
        "included.</p>\n<div class=\"scroll\"><table>\n<tr><th>rows</th><th>exponent</th>"
        "<th>from</th><th>to particles</th><th>off</th><th>full from</th><th>exponent</th>"
        "<th>steps</th><th>B/particle</th><th>host B</th></tr>\n",
        p->file);
    for (size_t k = 0; k < json_array_size(lines); ++k) put_line(p, json_array_get(lines, k));
    fputs("</table></div>\n", p->file);
  }
  json_decref(lines);
}

/* ---- roofs ---- */

typedef struct roof {
  weft_svg_series series[24];
  char names[24][NAME];
  double *points; /* [24][2][rows] */
  size_t count, rows;
  double low, high; /* bytes a pass */
} roof;

static weft_svg_series *add_series(roof *r, const char *name, int colour) {
  if (r->count == 24) return NULL;
  weft_svg_series *s = &r->series[r->count];
  double *x = r->points + 2 * r->rows * r->count;
  snprintf(r->names[r->count], NAME, "%.70s", name);
  *s = (weft_svg_series){.name = r->names[r->count], .x = x, .y = x + r->rows, .colour = colour};
  s->marked = true;
  r->count++;
  return s;
}

static weft_svg_series *series_named(roof *r, const char *name) {
  for (size_t k = 0; k < r->count; ++k) {
    if (strcmp(r->names[k], name) == 0) return &r->series[k];
  }
  return add_series(r, name, (int)r->count);
}

static void put_point(weft_svg_series *s, double x, double y) {
  ((double *)(uintptr_t)s->x)[s->count] = x;
  ((double *)(uintptr_t)s->y)[s->count++] = y;
}

static void add_passes(roof *r, const json_t *row) {
  const json_t *passes = json_object_get(row, "passes");
  for (size_t k = 0; k < json_array_size(passes); ++k) {
    const json_t *pass = json_array_get(passes, k);
    double runs = weft_page_number(pass, "per_frame"), ms = weft_page_number(pass, "ms_per_frame");
    double bytes = weft_page_number(pass, "bytes_per_frame");
    if (!(runs > 0) || !(bytes > 0) || !(ms > 0)) continue;
    weft_svg_series *s = series_named(r, weft_page_string(pass, "pass"));
    if (!s || s->count == r->rows) continue;
    put_point(s, bytes / runs, 1e-6 * bytes / ms);
    r->low = fmin(r->low, bytes / runs);
    r->high = fmax(r->high, bytes / runs);
  }
}

/* What copying of the largest row allows a pass that moves so many bytes. */
static void add_roof(roof *r, const json_t *row, double *points) {
  enum { STEPS = 40 };
  double rate = weft_page_number(row, "copy_bytes_per_s");
  double start = 1e-6 * weft_page_number(row, "dispatch_us");
  if (r->count == 24 || !(rate > 0) || !isfinite(start)) return;
  weft_svg_series *s = &r->series[r->count];
  snprintf(r->names[r->count], NAME, "roof");
  *s = (weft_svg_series){.name = r->names[r->count++],
                         .x = points,
                         .y = points + STEPS,
                         .count = STEPS,
                         .colour = -1,
                         .dashed = true};
  for (int k = 0; k < STEPS; ++k) {
    double bytes = r->low * pow(r->high / r->low, k / (double)(STEPS - 1));
    points[k] = bytes;
    points[STEPS + k] = 1e-9 * bytes / (bytes / rate + start);
  }
}

static void put_roof(const weft_bench_page *p, const json_t *first) {
  size_t rows = json_array_size(p->rows);
  roof *r = weft_alloc(1, sizeof *r);
  double steps[80];
  *r = (roof){.points = weft_alloc(48 * rows, sizeof(double)), .rows = rows, .low = INFINITY};
  const json_t *largest = first;
  for (size_t k = 0; k < rows; ++k) {
    const json_t *row = json_array_get(p->rows, k);
    static const char *const keys[] = {"scene", "backend", "mode", "schedule"};
    size_t same = 0;
    while (same < 4 &&
           strcmp(weft_page_string(row, keys[same]), weft_page_string(first, keys[same])) == 0) {
      ++same;
    }
    if (same < 4) continue;
    add_passes(r, row);
    bool larger = weft_page_number(row, "particles") > weft_page_number(largest, "particles");
    if (larger) largest = row;
  }
  if (r->count) {
    add_roof(r, largest, steps);
    char title[160];
    snprintf(title, sizeof title, "%.40s, %.20s, %.20s, %.12s: passes under their roof (dashed)",
             weft_page_string(first, "scene"), weft_page_string(first, "backend"),
             weft_page_string(first, "mode"), weft_page_string(first, "schedule"));
    weft_svg_write(p->file, &(weft_svg_plot){.title = title,
                                             .x_label = "bytes a pass must move",
                                             .y_label = "GB/s",
                                             .x_log = true,
                                             .y_log = true,
                                             .series = r->series,
                                             .series_count = r->count});
  }
  weft_free(r->points);
  weft_free(r);
}

void weft_page_roofs(const weft_bench_page *p, const char *scene) {
  fputs(
      "<p>Roofs: each point is a pass at one size. The dashed line is what copying (as much as the "
      "largest size has) reaches, and what starting a pass leaves of it. A pass above the line "
      "found its bytes in a cache.</p>\n",
      p->file);
  for (size_t k = 0; k < json_array_size(p->rows); ++k) {
    const json_t *row = json_array_get(p->rows, k);
    bool seen = strcmp(weft_page_string(row, "scene"), scene) != 0;
    for (size_t j = 0; j < k && !seen; ++j) {
      const json_t *other = json_array_get(p->rows, j);
      seen = strcmp(weft_page_string(other, "scene"), scene) == 0 &&
             strcmp(weft_page_string(other, "backend"), weft_page_string(row, "backend")) == 0 &&
             strcmp(weft_page_string(other, "mode"), weft_page_string(row, "mode")) == 0 &&
             strcmp(weft_page_string(other, "schedule"), weft_page_string(row, "schedule")) == 0;
    }
    if (!seen) put_roof(p, row);
  }
}
