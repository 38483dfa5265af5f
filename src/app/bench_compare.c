/* bench_compare.c: rows of `weft bench` against those of a file it wrote before. Only rows of the
 * same scene, size, backend, mode and settings are compared, and a row that ended in another state
 * is no result at all, however fast it came. */
#include <string.h>

#include "bench.h"

/* ---- reading ---- */

static const char *text_of(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static weft_result check_row(const char *path, size_t index, const json_t *row, weft_error *err) {
  static const char *const texts[] = {"scene", "backend", "mode", "hash"};
  const char *wrong = NULL;
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    if (!json_is_string(json_object_get(row, texts[k]))) wrong = texts[k];
  }
  if (!json_is_integer(json_object_get(row, "size"))) wrong = "size";
  if (!(json_number_value(json_object_get(row, "ms_per_frame_median")) > 0)) {
    wrong = "ms_per_frame_median";
  }
  if (!wrong) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: row %zu has no usable \"%s\"", path, index, wrong);
}

weft_result weft_bench_read(const char *path, json_t **all, weft_error *err) {
  json_error_t why;
  *all = NULL;
  FILE *file = fopen(path, "rb");
  if (!file) return weft_fail(err, WEFT_ERROR_FILE, "%s cannot be read", path);
  json_t *json = json_loadf(file, JSON_REJECT_DUPLICATES, &why);
  fclose(file);
  if (!json) return weft_fail(err, WEFT_ERROR_FORMAT, "%s:%d: %s", path, why.line, why.text);
  const json_t *rows = json_object_get(json, "rows");
  weft_result result = WEFT_OK;
  if (!json_is_array(rows) || !json_is_object(json_object_get(json, "build"))) {
    result =
        weft_fail(err, WEFT_ERROR_FORMAT,
                  "%s is not what bench --format json writes: no \"rows\" or no \"build\"", path);
  }
  for (size_t k = 0; k < json_array_size(rows) && result == WEFT_OK; ++k) {
    result = check_row(path, k, json_array_get(rows, k), err);
  }
  if (result == WEFT_OK) {
    *all = json;
  } else {
    json_decref(json);
  }
  return result;
}

/* ---- matching ---- */

/* Files of before there were settings have none: the state hash tells whether they were others. */
static bool same_subject(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"scene", "size", "backend", "mode"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    if (!json_equal(json_object_get(a, keys[k]), json_object_get(b, keys[k]))) return false;
  }
  const json_t *x = json_object_get(a, "settings"), *y = json_object_get(b, "settings");
  return !x || !y || json_equal(x, y);
}

static const json_t *find_same(const json_t *all, const json_t *row) {
  const json_t *rows = json_object_get(all, "rows");
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *other = json_array_get(rows, k);
    if (same_subject(other, row)) return other;
  }
  return NULL;
}

/* ---- ratios ---- */

static double time_of(const json_t *row, const char *key, const char *instead) {
  double ms = json_number_value(json_object_get(row, key));
  if (!(ms > 0)) ms = json_number_value(json_object_get(row, instead));
  return ms > 0 ? ms : json_number_value(json_object_get(row, "ms_per_frame_median"));
}

/* Now by then: of the medians, and what the quartiles leave room for. */
typedef struct ratio {
  double then, now, middle, low, high;
} ratio;

static ratio ratio_of(const json_t *then, const json_t *now) {
  ratio r = {.then = time_of(then, "ms_per_frame_median", ""),
             .now = time_of(now, "ms_per_frame_median", "")};
  r.middle = r.now / r.then;
  r.low = time_of(now, "ms_per_frame_lower_quartile", "ms_per_frame_min") /
          time_of(then, "ms_per_frame_upper_quartile", "ms_per_frame_p95");
  r.high = time_of(now, "ms_per_frame_upper_quartile", "ms_per_frame_p95") /
           time_of(then, "ms_per_frame_lower_quartile", "ms_per_frame_min");
  return r;
}

/* ---- printing ---- */

typedef struct verdict {
  size_t compared, lost, different;
} verdict;

static void warn_of_builds(FILE *file, const json_t *then, const json_t *now) {
  static const char *const keys[] = {"processor", "driver", "compiler", "flags", "commit"};
  const json_t *a = json_object_get(then, "build"), *b = json_object_get(now, "build");
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    const char *x = text_of(a, keys[k]), *y = text_of(b, keys[k]);
    if (strcmp(x, y) == 0) continue;
    fprintf(file, "warning: another %s: \"%s\" then, \"%s\" now\n", keys[k], *x ? x : "none",
            *y ? y : "none");
  }
  if (json_is_false(json_object_get(then, "times_mean_something"))) {
    fprintf(file, "warning: the times then were of a build that is too slow to time\n");
  }
}

static void print_row(FILE *file, const json_t *then, const json_t *now, double most_loss,
                      verdict *sum) {
  ratio r = ratio_of(then, now);
  fprintf(file, "%-8s %5lld %-7s %-6s %9.3f %9.3f %7.3f  %7.3f .. %-7.3f", text_of(now, "scene"),
          (long long)json_integer_value(json_object_get(now, "size")), text_of(now, "backend"),
          text_of(now, "mode"), r.then, r.now, r.middle, r.low, r.high);
  sum->compared++;
  if (strcmp(text_of(then, "hash"), text_of(now, "hash")) != 0) {
    sum->different++;
    fprintf(file, "  ANOTHER STATE, no result: %s then, %s now\n", text_of(then, "hash"),
            text_of(now, "hash"));
  } else if (r.middle > 1 + most_loss) {
    sum->lost++;
    fprintf(file, "  SLOWER%s\n", r.low > 1 ? "" : ", but within the spread");
  } else {
    fprintf(file, "  %s\n", r.high < 1 ? "faster" : r.low > 1 ? "slower" : "within the spread");
  }
}

bool weft_bench_compare(FILE *file, const char *path, const json_t *then, const json_t *now,
                        double most_loss) {
  verdict sum = {0};
  const json_t *rows = json_object_get(now, "rows");
  fprintf(file, "\nagainst %s, where a ratio below 1 is faster now\n", path);
  warn_of_builds(file, then, now);
  fprintf(file, "%-8s %5s %-7s %-6s %9s %9s %7s  %s\n", "scene", "size", "backend", "mode",
          "then ms", "now ms", "ratio", "between quartiles");
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k), *before = find_same(then, row);
    if (before) print_row(file, before, row, most_loss, &sum);
  }
  fprintf(file, "%zu of %zu rows compared: %zu slower by more than %.4g %%, %zu in another state\n",
          sum.compared, json_array_size(rows), sum.lost, 100 * most_loss, sum.different);
  if (sum.compared == 0) {
    fprintf(file, "no row there has the scene, size, backend, mode and settings of one here\n");
  }
  return sum.compared > 0 && sum.lost == 0 && sum.different == 0;
}
