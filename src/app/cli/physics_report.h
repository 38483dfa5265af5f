/* physics_report.h: what `weft validate --physics` found, as text and JSON. */
#ifndef WEFT_CLI_PHYSICS_REPORT_H
#define WEFT_CLI_PHYSICS_REPORT_H

#include <jansson.h>

#include "cli.h"
#include "physics.h"

/* Everything a report needs, beside the results. */
typedef struct weft_physics_session {
  weft_gl *gl; /* NULL where there is none */
  weft_gl_probe probe;
  weft_physics_backends backends;
  weft_physics_result *results;
  size_t result_count, wanted; /* cases measured, and asked for: fewer where a signal ended it */
  size_t rows, rows_failed, cases_failed;
  double seconds, load_before; /* NaN: the system does not say */
} weft_physics_session;

extern const char *const weft_physics_place_names[WEFT_PHYSICS_PLACES]; /* "ref", "gl", "f64" */

/* The backend whose error is shown in one column: the first that failed, else the reference, else
 * where the row was measured at all. */
weft_physics_place weft_physics_told(const weft_physics_row *row);
/* Measured on the compute backend exactly as on the reference. */
bool weft_physics_gl_equal(const weft_physics_row *row);
/* Whether a row and the next share source and reason, so that they are printed once. */
bool weft_physics_same_words(const weft_physics_result *result, size_t row);

void weft_physics_print_case(const weft_physics_result *result);
void weft_physics_print_summary(const weft_physics_session *session);
json_t *weft_physics_json(const weft_physics_session *session);

#endif
