/* compare.c: rows of `weft bench` against those of a file it wrote before. Only rows of the
 * same scene, size, backend, mode, parameters and settings are compared, and a row that ended in
 * another state is no result at all, however fast it came. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "json.h"

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

/* Numbers have as many digits as are written. */
static bool same_parameter(const json_t *x, const json_t *y) {
  if (!json_is_number(x) || !json_is_number(y)) return json_equal(x, y);
  const double from = json_number_value(x);
  return fabs(from - json_number_value(y)) <= 1e-6 * fabs(from);
}

/* Those that both have: where a file is older than a parameter, the state hash tells whether it was
 * another. */
static bool same_parameters(json_t *a, const json_t *b) {
  const char *name;
  json_t *x;
  json_object_foreach(a, name, x) {
    const json_t *y = json_object_get(b, name);
    if (y && !same_parameter(x, y)) return false;
  }
  return true;
}

/* Files of before there were settings have none: the state hash tells whether they were others. */
static bool same_subject(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"scene", "size", "backend", "mode"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    if (!json_equal(json_object_get(a, keys[k]), json_object_get(b, keys[k]))) return false;
  }
  const json_t *x = json_object_get(a, "settings"), *y = json_object_get(b, "settings");
  if (x && y && !json_equal(x, y)) return false;
  const json_t *here = json_object_get(a, "around"), *there = json_object_get(b, "around");
  if ((here || there) && !json_equal(here, there)) return false;
  return same_parameters(json_object_get(a, "parameters"), json_object_get(b, "parameters"));
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

/* ---- what became of a row ---- */

static const char *change_of(const ratio *r, double max_loss) {
  if (r->middle > 1 + max_loss) return r->low > 1 ? "slower" : "slower_within_spread";
  if (r->high < 1) return "faster";
  return r->low > 1 ? "slightly_slower" : "within_spread";
}

static bool is_loss(const json_t *row) {
  const char *change = text_of(row, "change");
  return strcmp(change, "slower") == 0 || strcmp(change, "slower_within_spread") == 0;
}

static json_t *begin_row(const json_t *now, const char *change) {
  static const char *const keys[] = {"scene", "size", "backend", "mode", "schedule"};
  json_t *o = json_object();
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    json_t *value = json_object_get(now, keys[k]);
    if (value) json_object_set(o, keys[k], value);
  }
  json_object_set_new(o, "change", json_string(change));
  return o;
}

static void set_ratio(json_t *o, const ratio *r) {
  json_object_set_new(o, "then_ms", weft_json_real(r->then));
  json_object_set_new(o, "now_ms", weft_json_real(r->now));
  json_object_set_new(o, "ratio", weft_json_real(r->middle));
  json_object_set_new(o, "ratio_low", weft_json_real(r->low));
  json_object_set_new(o, "ratio_high", weft_json_real(r->high));
}

static json_t *row_json(const json_t *then, const json_t *now, double max_loss) {
  ratio r = ratio_of(then, now);
  bool other = strcmp(text_of(then, "hash"), text_of(now, "hash")) != 0;
  json_t *o = begin_row(now, other ? "other_state" : change_of(&r, max_loss));
  set_ratio(o, &r);
  json_object_set_new(o, "then_hash", json_string(text_of(then, "hash")));
  json_object_set_new(o, "now_hash", json_string(text_of(now, "hash")));
  return o;
}

/* ---- all ---- */

static double number_of(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key)); /* 0: not said */
}

static void warn(json_t *warnings, const char *format, ...) {
  char text[600];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  json_array_append_new(warnings, json_string(text));
}

static json_t *warnings_json(const json_t *then, const json_t *now) {
  static const char *const keys[] = {"processor", "driver", "compiler", "flags", "commit"};
  const json_t *a = json_object_get(then, "build"), *b = json_object_get(now, "build");
  json_t *all = json_array();
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    const char *x = text_of(a, keys[k]), *y = text_of(b, keys[k]);
    if (strcmp(x, y) == 0) continue;
    warn(all, "another %s: \"%s\" then, \"%s\" now", keys[k], *x ? x : "none", *y ? y : "none");
  }
  double load_then = number_of(then, "load_before"), load_now = number_of(now, "load_before");
  if (number_of(then, "processors") != number_of(now, "processors")) {
    warn(all, "%.0f processors then, %.0f now", number_of(then, "processors"),
         number_of(now, "processors"));
  }
  if (load_then >= 1 || load_now >= 1) {
    warn(all, "others were at work: a load of %.1f then, %.1f now", load_then, load_now);
  }
  const char *const mean = "times_mean_something", *const slow = "of a debug or sanitized build";
  if (json_is_false(json_object_get(then, mean))) warn(all, "the times then were %s", slow);
  if (json_is_false(json_object_get(now, mean))) warn(all, "the times now are %s", slow);
  return all;
}

/* Rows of `from` that `in` has not. */
static json_t *alone_json(const json_t *from, const json_t *in) {
  const json_t *rows = json_object_get(from, "rows");
  json_t *names = json_array();
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k);
    if (find_same(in, row)) continue;
    const char *settings = text_of(row, "settings");
    warn(names, "%s %lld, %s, %s%s%s", text_of(row, "scene"),
         (long long)json_integer_value(json_object_get(row, "size")), text_of(row, "backend"),
         text_of(row, "mode"), *settings ? ": " : "", settings);
  }
  return names;
}

static json_t *rows_json(const json_t *then, const json_t *now, double max_loss) {
  const json_t *rows = json_object_get(now, "rows");
  json_t *list = json_array();
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k), *before = find_same(then, row);
    if (before) json_array_append_new(list, row_json(before, row, max_loss));
  }
  return list;
}

static json_int_t count_losses(const json_t *rows) {
  json_int_t count = 0;
  for (size_t k = 0; k < json_array_size(rows); ++k) count += is_loss(json_array_get(rows, k));
  return count;
}

static json_int_t count_other_states(const json_t *rows) {
  json_int_t count = 0;
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    count += strcmp(text_of(json_array_get(rows, k), "change"), "other_state") == 0;
  }
  return count;
}

json_t *weft_bench_compare(const char *path, const json_t *then, const json_t *now,
                           double max_loss) {
  json_t *rows = rows_json(then, now, max_loss);
  json_t *o = json_object();
  json_object_set_new(o, "file", json_string(path));
  json_object_set_new(o, "max_loss", json_real(max_loss));
  json_object_set_new(o, "slower", json_integer(count_losses(rows)));
  json_object_set_new(o, "other_state", json_integer(count_other_states(rows)));
  json_object_set_new(o, "rows_now",
                      json_integer((json_int_t)json_array_size(json_object_get(now, "rows"))));
  json_object_set_new(o, "warnings", warnings_json(then, now));
  json_object_set_new(o, "rows", rows);
  json_object_set_new(o, "only_then", alone_json(then, now));
  json_object_set_new(o, "only_now", alone_json(now, then));
  return o;
}

bool weft_bench_lost_nothing(const json_t *comparison) {
  return json_array_size(json_object_get(comparison, "rows")) > 0 &&
         number_of(comparison, "slower") + number_of(comparison, "other_state") == 0;
}
