/* bench_scaling.c: how time and memory grow with the number of particles, from the rows of a file.
 *
 * ms per frame = a * particles^e, by least squares on logarithms over the sizes of one scene on one
 * backend with the same settings. A device is called full from the smallest size on that reaches
 * four fifths of the most projections a second of any row: below it, starting passes counts, beyond
 * it time can only grow in proportion, or faster where caches end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report.h"

static const double full_rate = 0.8;

weft_bench_fit weft_bench_fit_power(const double *x, const double *y, size_t count) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = (double)count;
  for (size_t k = 0; k < count; ++k) {
    double u = log(x[k]), v = log(y[k]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  double spread = n * sxx - sx * sx;
  weft_bench_fit fit = {NAN, NAN, NAN};
  if (count < 2 || !(spread > 1e-9 * n * sxx)) return fit;
  fit.exponent = (n * sxy - sx * sy) / spread;
  fit.factor = exp((sy - fit.exponent * sx) / n);
  fit.off = 0;
  for (size_t k = 0; k < count; ++k) {
    double off = fabs(log(y[k]) - log(fit.factor) - fit.exponent * log(x[k]));
    fit.off = fmax(fit.off, expm1(off));
  }
  return fit;
}

/* ---- lines ---- */

typedef struct point {
  double particles, ms, rate;
  const json_t *row;
} point;

static bool same_line(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"scene", "backend", "mode", "schedule", "settings"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    const json_t *x = json_object_get(a, keys[k]), *y = json_object_get(b, keys[k]);
    if (x != y && !(x && y && json_equal(x, y))) return false;
  }
  return true;
}

static int by_particles(const void *a, const void *b) {
  double x = ((const point *)a)->particles, y = ((const point *)b)->particles;
  return (x > y) - (x < y);
}

static double number_of(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

/* All rows of a line, by size; 0 when an earlier row began it. */
static size_t gather(const json_t *rows, size_t first, point *points) {
  const json_t *begin = json_array_get(rows, first);
  size_t count = 0;
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k);
    if (!same_line(row, begin)) continue;
    if (k < first) return 0;
    points[count++] = (point){number_of(row, "particles"), number_of(row, "ms_per_frame_median"),
                              number_of(row, "projections_per_s"), row};
  }
  qsort(points, count, sizeof *points, by_particles);
  return count;
}

static size_t full_from(const point *points, size_t count) {
  double most = 0;
  size_t from = 0;
  for (size_t k = 0; k < count; ++k) most = fmax(most, points[k].rate);
  while (from + 1 < count && !(points[from].rate >= full_rate * most)) ++from;
  return from;
}

static weft_bench_fit fit_of(const point *points, size_t count) {
  double *x = weft_alloc(count, sizeof *x), *y = weft_alloc(count, sizeof *y);
  for (size_t k = 0; k < count; ++k) {
    x[k] = points[k].particles;
    y[k] = points[k].ms;
  }
  weft_bench_fit fit = weft_bench_fit_power(x, y, count);
  weft_free(x);
  weft_free(y);
  return fit;
}

static void set_fit(json_t *o, const char *name, const point *points, size_t count) {
  weft_bench_fit fit = fit_of(points, count);
  if (!isfinite(fit.exponent)) {
    json_object_set_new(o, name, json_null());
    return;
  }
  json_t *own = json_object();
  json_object_set_new(own, "exponent", weft_json_real(fit.exponent));
  /* Through two points there is always a line: that none is off says nothing. */
  json_object_set_new(own, "off", weft_json_real(count > 2 ? fit.off : NAN));
  json_object_set_new(own, "sizes", json_integer((json_int_t)count));
  json_object_set_new(own, "from_particles", weft_json_real(points[0].particles));
  json_object_set_new(own, "to_particles", weft_json_real(points[count - 1].particles));
  json_object_set_new(o, name, own);
}

/* From each size to the next. */
static json_t *steps_json(const point *points, size_t count) {
  json_t *steps = json_array();
  for (size_t k = 1; k < count; ++k) {
    double by = log(points[k].ms / points[k - 1].ms);
    double more = log(points[k].particles / points[k - 1].particles);
    json_array_append_new(steps, weft_json_real(more > 0 ? by / more : NAN));
  }
  return steps;
}

static json_t *line_json(const point *points, size_t count) {
  static const char *const keys[] = {"scene", "backend", "mode", "schedule", "settings"};
  json_t *o = json_object();
  const json_t *last = points[count - 1].row;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    json_t *value = json_object_get(last, keys[k]);
    if (value) json_object_set(o, keys[k], value);
  }
  size_t full = full_from(points, count);
  set_fit(o, "all_sizes", points, count);
  json_object_set_new(o, "full_from_particles", weft_json_real(points[full].particles));
  set_fit(o, "full_sizes", points + full, count - full);
  json_object_set_new(o, "steps", steps_json(points, count));
  static const char *const memory[] = {"bytes_per_particle", "host_bytes_per_particle"};
  for (size_t k = 0; k < 2; ++k) {
    json_t *value = json_object_get(last, memory[k]);
    if (value) json_object_set(o, memory[k], value);
  }
  return o;
}

json_t *weft_bench_scaling(const json_t *rows) {
  json_t *list = json_array();
  point *points = weft_alloc(json_array_size(rows), sizeof *points);
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    size_t count = gather(rows, k, points);
    if (count >= 2) json_array_append_new(list, line_json(points, count));
  }
  weft_free(points);
  return list;
}

/* ---- in words ---- */

static void print_fit(FILE *file, const json_t *fit) {
  double off = number_of(fit, "off");
  fprintf(file, "particles^%.3f over %lld sizes from %s to %s particles",
          number_of(fit, "exponent"), (long long)json_integer_value(json_object_get(fit, "sizes")),
          weft_app_grouped((uint64_t)number_of(fit, "from_particles")),
          weft_app_grouped((uint64_t)number_of(fit, "to_particles")));
  if (isfinite(off)) fprintf(file, " (rows within %.1f %%)", 100 * off);
}

static void print_steps(FILE *file, const json_t *steps) {
  if (json_array_size(steps) < 2) return;
  fputs("\n  from each size to the next:", file);
  for (size_t k = 0; k < json_array_size(steps); ++k) {
    fprintf(file, " %.2f", json_number_value(json_array_get(steps, k)));
  }
}

static void print_line(FILE *file, const json_t *line) {
  const json_t *full = json_object_get(line, "full_sizes");
  double from = number_of(line, "full_from_particles");
  fprintf(file, "%s, %s, %s: ms per frame grow as ",
          json_string_value(json_object_get(line, "scene")),
          json_string_value(json_object_get(line, "backend")),
          json_string_value(json_object_get(line, "mode")));
  print_fit(file, json_object_get(line, "all_sizes"));
  fprintf(file, "\n  full from %s particles on", weft_app_grouped((uint64_t)from));
  if (json_is_object(full)) {
    fputs(": ", file);
    print_fit(file, full);
  } else {
    fputs(", the largest size: no exponent beyond it", file);
  }
  print_steps(file, json_object_get(line, "steps"));
  fprintf(file, "\n  bytes per particle at the largest size: %.0f in the solver's buffers",
          number_of(line, "bytes_per_particle"));
  double host = number_of(line, "host_bytes_per_particle");
  if (host > 0) fprintf(file, ", %.0f of the host at most, cooking included", host);
  fputc('\n', file);
}

void weft_bench_print_scaling(FILE *file, const json_t *scaling) {
  if (json_array_size(scaling) == 0) return;
  fprintf(file,
          "\nscaling: least squares on logarithms; full: the smallest size that reaches 80 %% "
          "of the most projections a second\n");
  for (size_t k = 0; k < json_array_size(scaling); ++k) {
    print_line(file, json_array_get(scaling, k));
  }
}
