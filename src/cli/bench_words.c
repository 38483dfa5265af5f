/* bench_words.c: what rows were measured with, in words: once for a backend whose rows agree,
 * else with the rows it is said of. */
#include <string.h>

#include "bench_print.h"

static const char *text_of(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static bool same_text(const json_t *a, const json_t *b, const char *key) {
  return strcmp(text_of(a, key), text_of(b, key)) == 0;
}

static bool same_settings(const json_t *a, const json_t *b) {
  return same_text(a, b, "backend") && same_text(a, b, "settings");
}

static bool said_before(const json_t *rows, size_t index) {
  const json_t *row = json_array_get(rows, index);
  for (size_t k = 0; k < index; ++k) {
    if (same_settings(json_array_get(rows, k), row)) return true;
  }
  return false;
}

/* Whether all rows of this backend have the settings of this one. */
static bool agree(const json_t *rows, const json_t *row) {
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *other = json_array_get(rows, k);
    if (same_text(other, row, "backend") && !same_settings(other, row)) return false;
  }
  return true;
}

/* "cpu", or "cpu, rope 16 32, sand 16" */
static void name_rows(const json_t *rows, size_t first, char *name, size_t size) {
  const json_t *row = json_array_get(rows, first), *last = NULL;
  size_t used = (size_t)snprintf(name, size, "%s", text_of(row, "backend"));
  if (agree(rows, row)) return;
  for (size_t k = first; k < json_array_size(rows) && used < size; ++k) {
    const json_t *other = json_array_get(rows, k);
    if (!same_settings(other, row)) continue;
    if (!last || !same_text(other, last, "scene")) {
      used += (size_t)snprintf(name + used, size - used, ", %s", text_of(other, "scene"));
    }
    last = other;
    if (used >= size) break;
    used += (size_t)snprintf(name + used, size - used, " %lld",
                             (long long)json_integer_value(json_object_get(other, "size")));
  }
}

void weft_bench_say_settings(const json_t *rows, weft_bench_say *say, void *user) {
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k);
    const char *settings = text_of(row, "settings"), *rest = strchr(settings, ',');
    if (!*settings || said_before(rows, k)) continue; /* older files have none */
    char name[240], text[400];
    name_rows(rows, k, name, sizeof name);
    snprintf(text, sizeof text, "%lld substeps x %lld iterations%s, %lld samples",
             (long long)json_integer_value(json_object_get(row, "substeps")),
             (long long)json_integer_value(json_object_get(row, "iterations")), rest ? rest : "",
             (long long)json_integer_value(json_object_get(row, "samples")));
    say(user, name, text);
  }
}
