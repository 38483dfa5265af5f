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

static double number_of(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key)); /* 0: not said */
}

static void warn_of_builds(FILE *file, const json_t *then, const json_t *now) {
  static const char *const keys[] = {"processor", "driver", "compiler", "flags", "commit"};
  const json_t *a = json_object_get(then, "build"), *b = json_object_get(now, "build");
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    const char *x = text_of(a, keys[k]), *y = text_of(b, keys[k]);
    if (strcmp(x, y) == 0) continue;
    fprintf(file, "warning: another %s: \"%s\" then, \"%s\" now\n", keys[k], *x ? x : "none",
            *y ? y : "none");
  }
  if (number_of(then, "processors") != number_of(now, "processors")) {
    fprintf(file, "warning: %.0f processors then, %.0f now\n", number_of(then, "processors"),
            number_of(now, "processors"));
  }
  if (number_of(then, "load_before") >= 1 || number_of(now, "load_before") >= 1) {
    fprintf(file, "warning: others were at work: a load of %.1f then, %.1f now\n",
            number_of(then, "load_before"), number_of(now, "load_before"));
  }
  const char *const mean = "times_mean_something", *const slow = "of a debug or sanitized build";
  if (json_is_false(json_object_get(then, mean))) {
    fprintf(file, "warning: the times then were %s\n", slow);
  }
  if (json_is_false(json_object_get(now, mean))) {
    fprintf(file, "warning: the times now are %s\n", slow);
  }
}

static void print_row(FILE *file, const json_t *then, const json_t *now, double most_loss,
                      verdict *sum) {
  ratio r = ratio_of(then, now);
  fprintf(file, "%-8s %5lld %-7s %-6s %-8s %9.3f %9.3f %7.3f  %7.3f .. %-7.3f",
          text_of(now, "scene"), (long long)json_integer_value(json_object_get(now, "size")),
          text_of(now, "backend"), text_of(now, "mode"), text_of(now, "schedule"), r.then, r.now,
          r.middle, r.low, r.high);
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

/* ---- what holds strain ---- */

static const json_t *best_way(const json_t *hold) {
  const json_t *ways = json_object_get(hold, "ways");
  for (size_t k = 0; k < json_array_size(ways); ++k) {
    const json_t *way = json_array_get(ways, k);
    if (json_is_true(json_object_get(way, "cheapest"))) return way;
  }
  return NULL;
}

static const json_t *find_hold(const json_t *all, const json_t *hold) {
  static const char *const keys[] = {"scene", "size", "backend", "target", "frames"};
  const json_t *holds = json_object_get(all, "hold_strain");
  for (size_t k = 0; k < json_array_size(holds); ++k) {
    const json_t *other = json_array_get(holds, k);
    size_t same = 0;
    while (same < 5 &&
           json_equal(json_object_get(hold, keys[same]), json_object_get(other, keys[same]))) {
      ++same;
    }
    if (same == 5) return other;
  }
  return NULL;
}

/* The cheapest then and now may be other settings: what counts is what it takes. */
static void print_hold(FILE *file, const json_t *before, const json_t *hold, double most_loss,
                       verdict *sum) {
  const json_t *then = best_way(before), *now = best_way(hold);
  fprintf(file, "%-8s %5lld %-7s held            ", text_of(hold, "scene"),
          (long long)json_integer_value(json_object_get(hold, "size")), text_of(hold, "backend"));
  sum->compared++;
  if (!then || !now) {
    sum->lost += then && !now;
    fprintf(file, " %s then, %s now%s\n", then ? text_of(then, "setting") : "nothing",
            now ? text_of(now, "setting") : "nothing", then && !now ? "  LOST" : "");
    return;
  }
  ratio r = ratio_of(then, now);
  bool lost = r.middle > 1 + most_loss;
  sum->lost += lost;
  fprintf(file, "%9.3f %9.3f %7.3f  %7.3f .. %-7.3f  %s%s (%s then, %s now)\n", r.then, r.now,
          r.middle, r.low, r.high,
          lost         ? "SLOWER"
          : r.high < 1 ? "faster"
          : r.low > 1  ? "slower"
                       : "within the spread",
          lost && !(r.low > 1) ? ", but within the spread" : "", text_of(then, "setting"),
          text_of(now, "setting"));
}

static void compare_holds(FILE *file, const json_t *then, const json_t *now, double most_loss,
                          verdict *sum) {
  const json_t *holds = json_object_get(now, "hold_strain");
  for (size_t k = 0; k < json_array_size(holds); ++k) {
    const json_t *hold = json_array_get(holds, k), *before = find_hold(then, hold);
    if (before) print_hold(file, before, hold, most_loss, sum);
  }
}

/* ---- all ---- */

static void print_alone(FILE *file, const json_t *from, const json_t *in, const char *when) {
  const json_t *rows = json_object_get(from, "rows");
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k);
    if (find_same(in, row)) continue;
    const char *settings = text_of(row, "settings");
    fprintf(file, "only %s: %s %lld, %s, %s%s%s\n", when, text_of(row, "scene"),
            (long long)json_integer_value(json_object_get(row, "size")), text_of(row, "backend"),
            text_of(row, "mode"), *settings ? ": " : "", settings);
  }
}

bool weft_bench_compare(FILE *file, const char *path, const json_t *then, const json_t *now,
                        double most_loss) {
  verdict sum = {0};
  const json_t *rows = json_object_get(now, "rows");
  fprintf(file, "\nagainst %s, where a ratio below 1 is faster now\n", path);
  warn_of_builds(file, then, now);
  fprintf(file, "%-8s %5s %-7s %-6s %-8s %9s %9s %7s  %s\n", "scene", "size", "backend", "mode",
          "schedule", "then ms", "now ms", "ratio", "between quartiles");
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k), *before = find_same(then, row);
    if (before) print_row(file, before, row, most_loss, &sum);
  }
  size_t compared = sum.compared;
  compare_holds(file, then, now, most_loss, &sum);
  fprintf(file, "%zu of %zu rows compared: %zu slower by more than %.4g %%, %zu in another state\n",
          compared, json_array_size(rows), sum.lost, 100 * most_loss, sum.different);
  print_alone(file, then, now, "then");
  print_alone(file, now, then, "now");
  if (sum.compared == 0) {
    fprintf(file, "no row there has the scene, size, backend, mode and settings of one here\n");
  }
  return sum.compared > 0 && sum.lost == 0 && sum.different == 0;
}
