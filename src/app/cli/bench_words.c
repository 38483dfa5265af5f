/* bench_words.c: what rows were measured with, in words: once for a backend whose rows agree,
 * else with the rows it is said of; and fields of CSV. */
#include <string.h>

#include "base.h"
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

/* "20 substeps x 1 iteration, 5 samples, ...", of a row's "20 x 1, ...". */
static void describe_row(const json_t *row, char *text, size_t size) {
  const char *rest = strchr(text_of(row, "settings"), ',');
  uint64_t substeps = (uint64_t)json_integer_value(json_object_get(row, "substeps"));
  uint64_t iterations = (uint64_t)json_integer_value(json_object_get(row, "iterations"));
  uint64_t samples = (uint64_t)json_integer_value(json_object_get(row, "samples"));
  int used =
      snprintf(text, size, "%llu substep%s x %llu iteration%s", (unsigned long long)substeps,
               weft_plural(substeps), (unsigned long long)iterations, weft_plural(iterations));
  for (; rest && (size_t)used < size; rest = strchr(rest + 1, ',')) {
    int length = (int)strcspn(rest + 1, ",") + 1;
    bool one = strncmp(rest, ", 1 frames", 10) == 0 && length == 10;
    used += snprintf(text + used, size - (size_t)used, "%.*s", one ? length - 1 : length, rest);
  }
  if ((size_t)used >= size) return;
  snprintf(text + used, size - (size_t)used, ", %llu sample%s", (unsigned long long)samples,
           weft_plural(samples));
}

void weft_bench_say_settings(const json_t *rows, weft_bench_say *say, void *user) {
  for (size_t k = 0; k < json_array_size(rows); ++k) {
    const json_t *row = json_array_get(rows, k);
    if (!*text_of(row, "settings") || said_before(rows, k)) continue; /* older files have none */
    char name[240], text[400];
    name_rows(rows, k, name, sizeof name);
    describe_row(row, text, sizeof text);
    say(user, name, text);
  }
}

void weft_bench_print_csv_text(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; ++text) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}
