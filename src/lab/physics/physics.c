/* physics.c: running a case at each place, and the verdicts over its rows. */
#include "physics.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "case.h"

const weft_physics_case *weft_physics_find(const char *name) {
  for (uint32_t k = 0; weft_physics_at(k); ++k) {
    if (strcmp(weft_physics_at(k)->name, name) == 0) return weft_physics_at(k);
  }
  return NULL;
}

void weft_physics_measure_case(const weft_physics_case *subject,
                               const weft_physics_backends *backends, weft_physics_result *result) {
  *result = (weft_physics_result){.subject = subject};
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (!backends->at[place]) continue;
    weft_physics_run run = {
        .place = (weft_physics_place)place, .backend = backends->at[place], .result = result};
    double start = weft_clock_seconds();
    subject->run(&run);
    result->seconds[place] = weft_clock_seconds() - start;
    result->ran[place] = true;
    result->failed[place] = run.err;
  }
}

static void free_graph(weft_physics_graph *graph) {
  for (size_t k = 0; k < graph->series_count; ++k) {
    weft_free(graph->series[k].name);
    weft_free(graph->series[k].x);
    weft_free(graph->series[k].y);
  }
  weft_free(graph->series);
  weft_free((void *)(uintptr_t)graph->axes.title);
  weft_free((void *)(uintptr_t)graph->axes.x);
  weft_free((void *)(uintptr_t)graph->axes.y);
}

void weft_physics_result_free(weft_physics_result *result) {
  for (size_t k = 0; k < result->row_count; ++k) {
    weft_physics_row *row = &result->rows[k];
    weft_free(row->what);
    weft_free(row->unit);
    weft_free(row->source);
    weft_free(row->why);
  }
  for (size_t k = 0; k < result->graph_count; ++k) free_graph(&result->graphs[k]);
  weft_free(result->rows);
  weft_free(result->graphs);
  *result = (weft_physics_result){0};
}

/* ---- verdicts ---- */

double weft_physics_error(const weft_physics_row *row, weft_physics_place place) {
  return row->at[place].taken ? row->at[place].value - row->expected : NAN;
}

bool weft_physics_claims(const weft_physics_row *row) { return !isnan(row->expected); }

bool weft_physics_row_passed_at(const weft_physics_row *row, weft_physics_place place) {
  const weft_physics_measure *m = &row->at[place];
  if (!m->taken || !weft_physics_claims(row)) return true;
  return fabs(m->value - row->expected) <= m->allowed; /* false for NaN */
}

bool weft_physics_row_passed(const weft_physics_row *row) {
  bool taken = false;
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    taken = taken || row->at[place].taken;
    if (!weft_physics_row_passed_at(row, (weft_physics_place)place)) return false;
  }
  return taken;
}

bool weft_physics_passed(const weft_physics_result *result) {
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (result->failed[place].code != WEFT_OK) return false;
  }
  for (size_t k = 0; k < result->row_count; ++k) {
    if (!weft_physics_row_passed(&result->rows[k])) return false;
  }
  return result->row_count > 0;
}

double weft_physics_method_error(const weft_physics_row *row) {
  return weft_physics_error(row, WEFT_PHYSICS_F64);
}

double weft_physics_rounding_error(const weft_physics_row *row) {
  const weft_physics_measure *ref = &row->at[WEFT_PHYSICS_REF], *f64 = &row->at[WEFT_PHYSICS_F64];
  return ref->taken && f64->taken ? ref->value - f64->value : NAN;
}
