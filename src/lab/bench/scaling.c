/* scaling.c: how time and memory grow with the number of particles, from the rows of a file.
 *
 * ms per frame = a * particles^e, by least squares on logarithms over the sizes of one scene on one
 * backend with the same settings. A device is called full from the smallest size on that reaches
 * four fifths of the most projections a second of any row: below it, starting passes counts, beyond
 * it time can only grow in proportion, or faster where caches end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "json.h"

static const double full_rate = 0.8;

/* y = factor * x^exponent, and how far the farthest point lies off it, as a part. NaN for fewer
 * than two different x. */
typedef struct power {
  double exponent, factor, off;
} power;

static power fit_power(const double *x, const double *y, size_t count) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = (double)count;
  for (size_t k = 0; k < count; ++k) {
    double u = log(x[k]), v = log(y[k]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  double spread = n * sxx - sx * sx;
  power fit = {NAN, NAN, NAN};
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
  double max = 0;
  size_t from = 0;
  for (size_t k = 0; k < count; ++k) max = fmax(max, points[k].rate);
  while (from + 1 < count && !(points[from].rate >= full_rate * max)) ++from;
  return from;
}

static power fit_of(const point *points, size_t count) {
  double *x = weft_alloc(count, sizeof *x), *y = weft_alloc(count, sizeof *y);
  for (size_t k = 0; k < count; ++k) {
    x[k] = points[k].particles;
    y[k] = points[k].ms;
  }
  power fit = fit_power(x, y, count);
  weft_free(x);
  weft_free(y);
  return fit;
}

static void set_fit(json_t *o, const char *name, const point *points, size_t count) {
  power fit = fit_of(points, count);
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
