/* bench_print.h: what bench measured, as tables and as CSV. */
#ifndef WEFT_CLI_BENCH_PRINT_H
#define WEFT_CLI_BENCH_PRINT_H

#include <stdio.h>

#include "bench.h"

/* A line for each row, and one that says what measured them. */
void weft_bench_print_rows(FILE *file, const weft_bench_table *table, const weft_gl *gl);
/* A block for each sheet: what each change costs, in ms and in frames. */
void weft_bench_print_changes(FILE *file, const weft_bench_changes *changes);
/* All there is, passes included. `driver`: NULL without GL. */
void weft_bench_print_table(FILE *file, const weft_bench_table *table, const char *driver);
/* A field of CSV, between quotes where need be (RFC 4180). */
void weft_bench_print_csv_text(FILE *file, const char *text);
void weft_bench_print_csv(FILE *file, const weft_bench_table *table, const char *driver);
void weft_bench_print_scaling(FILE *file, const json_t *scaling);
void weft_bench_print_comparison(FILE *file, const json_t *comparison);

/* Settings of rows in words, each once: "cpu", "20 substeps x 1 iteration, ...". */
typedef void weft_bench_say(void *user, const char *name, const char *text);
void weft_bench_say_settings(const json_t *rows, weft_bench_say *say, void *user);

/* A sentence when times of this build mean nothing, else NULL. */
const char *weft_bench_slow_build(void);

#endif
