/* run.c: what a case reports, gathered over the places it runs at. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "case.h"

const char *weft_physics_text(const char *format, ...) {
  static char texts[16][200];
  static unsigned turn;
  char *text = texts[turn++ % 16];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof texts[0], format, arguments);
  va_end(arguments);
  return text;
}

/* ---- rows ---- */

static weft_physics_row *find_row(weft_physics_result *result, const char *what) {
  for (size_t k = 0; k < result->row_count; ++k) {
    if (strcmp(result->rows[k].what, what) == 0) return &result->rows[k];
  }
  return NULL;
}

static weft_physics_row *add_row(weft_physics_result *result, const char *what, const char *unit,
                                 double expected, const char *source, const char *why) {
  weft_grow((void **)&result->rows, &result->row_capacity, result->row_count + 1,
            sizeof *result->rows);
  weft_physics_row *row = &result->rows[result->row_count++];
  *row = (weft_physics_row){.what = weft_strdup(what),
                            .unit = weft_strdup(unit),
                            .expected = expected,
                            .source = weft_strdup(source),
                            .why = weft_strdup(why)};
  return row;
}

void weft_physics_expect(weft_physics_run *run, const char *what, const char *unit, double measured,
                         double expected, double allowed, const char *source, const char *why) {
  if (!weft_physics_ok(run)) return;
  weft_physics_row *row = find_row(run->result, what);
  if (!row) row = add_row(run->result, what, unit, expected, source, why);
  WEFT_CHECK(!row->at[run->place].taken, "a case reports each of its rows once");
  WEFT_CHECK(row->expected == expected || (isnan(expected) && isnan(row->expected)),
             "what theory expects does not depend on where it is measured");
  row->at[run->place] = (weft_physics_measure){true, measured, allowed};
}

void weft_physics_note(weft_physics_run *run, const char *what, const char *unit, double measured,
                       const char *remark) {
  weft_physics_expect(run, what, unit, measured, NAN, INFINITY, remark, "");
}

/* ---- plots ---- */

uint32_t weft_physics_plot(weft_physics_run *run, const weft_physics_axes *axes) {
  weft_physics_result *result = run->result;
  for (size_t k = 0; k < result->graph_count; ++k) {
    if (strcmp(result->graphs[k].axes.title, axes->title) == 0) return (uint32_t)k;
  }
  weft_grow((void **)&result->graphs, &result->graph_capacity, result->graph_count + 1,
            sizeof *result->graphs);
  weft_physics_graph *graph = &result->graphs[result->graph_count];
  *graph = (weft_physics_graph){.axes = *axes};
  graph->axes.title = weft_strdup(axes->title);
  graph->axes.x = weft_strdup(axes->x);
  graph->axes.y = weft_strdup(axes->y);
  return (uint32_t)result->graph_count++;
}

static double *copy(uint32_t count, const double *values) {
  double *own = weft_alloc(count, sizeof *own);
  if (count) memcpy(own, values, count * sizeof *own);
  return own;
}

static void add_series(weft_physics_graph *graph, weft_physics_series series) {
  weft_grow((void **)&graph->series, &graph->series_capacity, graph->series_count + 1,
            sizeof *graph->series);
  graph->series[graph->series_count++] = series;
}

void weft_physics_curve(weft_physics_run *run, uint32_t plot, const char *name, uint32_t count,
                        const double *x, const double *y) {
  if (!weft_physics_ok(run)) return;
  WEFT_CHECK(plot < run->result->graph_count, "a curve belongs to a plot");
  add_series(&run->result->graphs[plot], (weft_physics_series){.name = weft_strdup(name),
                                                               .count = count,
                                                               .x = copy(count, x),
                                                               .y = copy(count, y),
                                                               .place = run->place});
}

void weft_physics_theory(weft_physics_run *run, uint32_t plot, const char *name, uint32_t count,
                         const double *x, const double *y) {
  WEFT_CHECK(plot < run->result->graph_count, "a curve belongs to a plot");
  weft_physics_graph *graph = &run->result->graphs[plot];
  for (size_t k = 0; k < graph->series_count; ++k) {
    if (graph->series[k].theory && strcmp(graph->series[k].name, name) == 0) return;
  }
  add_series(graph, (weft_physics_series){.name = weft_strdup(name),
                                          .theory = true,
                                          .count = count,
                                          .x = copy(count, x),
                                          .y = copy(count, y)});
}

/* ---- judging ---- */

double weft_physics_slope(uint32_t count, const double *x, const double *y) {
  double n = count, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (uint32_t k = 0; k < count; ++k) {
    double u = log(x[k]), w = log(fabs(y[k]));
    sx += u;
    sy += w;
    sxx += u * u;
    sxy += u * w;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double weft_half_ulp(double size) { return size == 0 ? 0 : ldexp(1, ilogb(size) - 24); }
