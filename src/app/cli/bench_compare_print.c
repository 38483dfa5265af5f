/* bench_compare_print.c: rows against those of a file of before, and how time grows, in words. */
#include <math.h>
#include <string.h>

#include "bench_print.h"
#include "cli.h"

static const char *text_of(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static double number_of(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- against a file of before ---- */

static const char *change_words(const char *change) {
  static const char *const words[][2] = {{"slower", "SLOWER"},
                                         {"slower_within_spread", "SLOWER, but within the spread"},
                                         {"slightly_slower", "slower"},
                                         {"within_spread", "within the spread"}};
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
    if (strcmp(words[k][0], change) == 0) return words[k][1];
  }
  return change;
}

static void print_ratio(FILE *file, const json_t *row) {
  fprintf(file, "%9.3f %9.3f %7.3f  %7.3f .. %-7.3f  ", number_of(row, "then_ms"),
          number_of(row, "now_ms"), number_of(row, "ratio"), number_of(row, "ratio_low"),
          number_of(row, "ratio_high"));
}

static void print_row(FILE *file, const json_t *row) {
  fprintf(file, "%-8s %5lld %-7s %-6s %-8s ", text_of(row, "scene"),
          (long long)json_integer_value(json_object_get(row, "size")), text_of(row, "backend"),
          text_of(row, "mode"), text_of(row, "schedule"));
  print_ratio(file, row);
  const char *change = text_of(row, "change");
  if (strcmp(change, "other_state") == 0) {
    fprintf(file, "ANOTHER STATE, no result: %s then, %s now\n", text_of(row, "then_hash"),
            text_of(row, "now_hash"));
  } else {
    fprintf(file, "%s\n", change_words(change));
  }
}

static void print_lines(FILE *file, const char *before, const json_t *lines) {
  for (size_t k = 0; k < json_array_size(lines); ++k) {
    fprintf(file, "%s%s\n", before, json_string_value(json_array_get(lines, k)));
  }
}

void weft_bench_print_comparison(FILE *file, const json_t *c) {
  const json_t *rows = json_object_get(c, "rows");
  fprintf(file, "\nagainst %s, where a ratio below 1 is faster now\n", text_of(c, "file"));
  print_lines(file, "warning: ", json_object_get(c, "warnings"));
  fprintf(file, "%-8s %5s %-7s %-6s %-8s %9s %9s %7s  %s\n", "scene", "size", "backend", "mode",
          "schedule", "then ms", "now ms", "ratio", "between quartiles");
  for (size_t k = 0; k < json_array_size(rows); ++k) print_row(file, json_array_get(rows, k));
  fprintf(file,
          "%zu of %.0f rows compared: %.0f slower by more than %.4g %%, %.0f in another state\n",
          json_array_size(rows), number_of(c, "rows_now"), number_of(c, "slower"),
          100 * number_of(c, "max_loss"), number_of(c, "other_state"));
  print_lines(file, "only then: ", json_object_get(c, "only_then"));
  print_lines(file, "only now: ", json_object_get(c, "only_now"));
  if (json_array_size(rows) == 0) {
    fprintf(
        file,
        "no row there has the scene, size, backend, mode, parameters and settings of one here\n");
  }
}

/* ---- how time grows ---- */

static void print_fit(FILE *file, const json_t *fit) {
  double off = number_of(fit, "off");
  fprintf(file, "particles^%.3f over %lld sizes from %s to %s particles",
          number_of(fit, "exponent"), (long long)json_integer_value(json_object_get(fit, "sizes")),
          weft_cli_grouped((uint64_t)number_of(fit, "from_particles")),
          weft_cli_grouped((uint64_t)number_of(fit, "to_particles")));
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
  fprintf(file, "\n  full from %s particles on", weft_cli_grouped((uint64_t)from));
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
  if (host > 0) fprintf(file, ", %.0f of the host at most, preprocessing included", host);
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
