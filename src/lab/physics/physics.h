/* physics.h: the table of cases that hold the solver against theory, and what comes of running
 * them.
 *
 * A case simulates something whose outcome is known from analysis or a publication and reports
 * rows: measured, expected, allowed error, and why that much is allowed. The same case runs on the
 * reference, on the compute backend and in double precision. Theory against the double-precision
 * run is the error of the method; that run against the reference is float rounding. */
#ifndef WEFT_PHYSICS_H
#define WEFT_PHYSICS_H

#include <weft/solver.h>

typedef enum weft_physics_place {
  WEFT_PHYSICS_REF = 0,
  WEFT_PHYSICS_GL,
  WEFT_PHYSICS_F64,
  WEFT_PHYSICS_PLACES
} weft_physics_place;

/* Where cases run; a NULL backend is left out, and `missing` says why. */
typedef struct weft_physics_backends {
  const weft_backend *at[WEFT_PHYSICS_PLACES];
  const char *missing[WEFT_PHYSICS_PLACES];
} weft_physics_backends;

typedef struct weft_physics_measure {
  bool taken;
  double value;
  double allowed; /* may be smaller in double precision; infinite for a row that claims nothing */
} weft_physics_measure;

typedef struct weft_physics_row {
  char *what, *unit;
  double expected; /* NaN for a row that claims nothing */
  char *source;    /* of the expected value */
  char *why;       /* that error is allowed */
  weft_physics_measure at[WEFT_PHYSICS_PLACES];
} weft_physics_row;

typedef struct weft_physics_series {
  char *name;
  bool theory;
  uint32_t count;
  double *x, *y;
  weft_physics_place place; /* of a measured curve */
} weft_physics_series;

typedef struct weft_physics_axes {
  const char *title;
  const char *x, *y; /* what the axes show, with unit: "substeps per frame", "height (m)" */
  bool x_log, y_log;
  bool equal; /* the same scale on both: paths */
} weft_physics_axes;

typedef struct weft_physics_graph {
  weft_physics_axes axes; /* strings owned */
  weft_physics_series *series;
  size_t series_count, series_capacity;
} weft_physics_graph;

typedef struct weft_physics_case weft_physics_case;

typedef struct weft_physics_result {
  const weft_physics_case *subject;
  weft_physics_row *rows;
  size_t row_count, row_capacity;
  weft_physics_graph *graphs;
  size_t graph_count, graph_capacity;
  bool ran[WEFT_PHYSICS_PLACES];
  weft_error failed[WEFT_PHYSICS_PLACES]; /* what kept a case from finishing; code 0: nothing */
  double seconds[WEFT_PHYSICS_PLACES];
} weft_physics_result;

struct weft_physics_run;
struct weft_physics_case {
  const char *name;
  const char *title; /* one line: the claim */
  const char *text;  /* what is simulated and how it is measured, for the report */
  void (*run)(struct weft_physics_run *run);
};

const weft_physics_case *weft_physics_at(uint32_t index); /* NULL past the last */
const weft_physics_case *weft_physics_find(const char *name);
/* The time a case takes beside the others, about. */
double weft_physics_cost(const weft_physics_case *subject);

/* Runs a case wherever it can. */
void weft_physics_measure_case(const weft_physics_case *subject,
                               const weft_physics_backends *backends, weft_physics_result *result);
void weft_physics_result_free(weft_physics_result *result);

/* ---- verdicts ---- */
double weft_physics_error(const weft_physics_row *row, weft_physics_place place); /* signed */
bool weft_physics_claims(const weft_physics_row *row);
bool weft_physics_row_passed_at(const weft_physics_row *row, weft_physics_place place);
/* At every place it was measured, and at one at least. */
bool weft_physics_row_passed(const weft_physics_row *row);
/* Every row, and no place failed. */
bool weft_physics_passed(const weft_physics_result *result);
/* The two parts of the reference's error; NaN without a double-precision run. */
double weft_physics_method_error(const weft_physics_row *row);
double weft_physics_rounding_error(const weft_physics_row *row);

#endif
