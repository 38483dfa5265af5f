/* bench_page.h: what the files of the page of `weft bench` share. */
#ifndef WEFT_APP_BENCH_PAGE_H
#define WEFT_APP_BENCH_PAGE_H

#include "bench.h"
#include "svg.h"

typedef struct weft_bench_page {
  FILE *file;
  const json_t *all, *rows;
} weft_bench_page;

/* "" and NaN where there is none. */
const char *weft_page_string(const json_t *o, const char *key);
double weft_page_number(const json_t *o, const char *key);
void weft_page_put(const weft_bench_page *p, const char *text);
/* A cell of a table; empty when not finite. */
void weft_page_cell(const weft_bench_page *p, const char *format, double value);

/* How time grows, as a table. */
void weft_page_scaling(const weft_bench_page *p);
/* Bytes a second that each pass of a scene reaches on a backend, under the roof that copying and
 * starting a pass make. */
void weft_page_roofs(const weft_bench_page *p, const char *scene);
/* What holds strain, over sizes, and all that was tried. */
void weft_page_holds(const weft_bench_page *p);

#endif
