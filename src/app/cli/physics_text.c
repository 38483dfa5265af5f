/* physics_text.c: physics rows for a terminal of 100 columns, and as JSON. */
#include <math.h>
#include <string.h>

#include "json.h"
#include "physics_report.h"
#include "thread_pool.h"

enum { COLUMNS = 100, WHAT = 32 };

const char *const weft_physics_place_names[WEFT_PHYSICS_PLACES] = {"ref", "gl", "f64"};

weft_physics_place weft_physics_told(const weft_physics_row *row) {
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (!weft_physics_row_passed_at(row, (weft_physics_place)place)) {
      return (weft_physics_place)place;
    }
  }
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (row->at[place].taken) return (weft_physics_place)place;
  }
  return WEFT_PHYSICS_REF;
}

bool weft_physics_gl_equal(const weft_physics_row *row) {
  const weft_physics_measure *ref = &row->at[WEFT_PHYSICS_REF], *gl = &row->at[WEFT_PHYSICS_GL];
  return ref->taken && gl->taken && memcmp(&ref->value, &gl->value, sizeof ref->value) == 0;
}

bool weft_physics_same_words(const weft_physics_result *result, size_t row) {
  if (row + 1 >= result->row_count) return false;
  const weft_physics_row *a = &result->rows[row], *b = a + 1;
  return strcmp(a->source, b->source) == 0 && strcmp(a->why, b->why) == 0;
}

/* ---- text ---- */

static void print_wrapped(const char *head, const char *text) {
  size_t room = COLUMNS - strlen(head);
  printf("%s", head);
  while (strlen(text) > room) {
    size_t cut = room;
    while (cut > 0 && text[cut] != ' ') --cut;
    if (cut == 0) cut = room;
    printf("%.*s\n%*s", (int)cut, text, (int)strlen(head), "");
    text += cut + (text[cut] == ' ');
  }
  printf("%s\n", text);
}

/* As many digits as 11 columns hold, six at most. */
static void print_number(double value) {
  char text[32];
  for (int digits = 6; digits > 1; --digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strlen(text) <= 11) break;
  }
  printf(" %11s", text);
}

static void print_measure(const weft_physics_row *row, weft_physics_place place) {
  if (row->at[place].taken) {
    print_number(row->at[place].value);
  } else {
    printf(" %11s", "-");
  }
}

static void print_gl(const weft_physics_row *row) {
  const weft_physics_measure *gl = &row->at[WEFT_PHYSICS_GL];
  if (!gl->taken) {
    printf(" %6s", "-");
  } else if (weft_physics_gl_equal(row)) {
    printf(" %6s", "= ref");
  } else {
    printf(" %6.3g", gl->value);
  }
}

static void print_row(const weft_physics_row *row) {
  char what[160];
  snprintf(what, sizeof what, "%s%s%s%s", row->what, *row->unit ? " [" : "", row->unit,
           *row->unit ? "]" : "");
  if (strlen(what) > WHAT) {
    print_wrapped("  ", what);
    what[0] = 0;
  }
  printf("  %-*s", WHAT, what);
  if (weft_physics_claims(row)) {
    print_number(row->expected);
  } else {
    printf(" %11s", "");
  }
  print_measure(row, WEFT_PHYSICS_REF);
  print_gl(row);
  print_measure(row, WEFT_PHYSICS_F64);
  if (weft_physics_claims(row)) {
    weft_physics_place told = weft_physics_told(row);
    printf(" %8.1e %7.1e %s", weft_physics_error(row, told), row->at[told].allowed,
           weft_physics_row_passed(row) ? "pass" : "FAIL");
  }
  printf("\n");
}

void weft_physics_print_case(const weft_physics_result *result) {
  const weft_physics_case *subject = result->subject;
  double seconds = 0;
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) seconds += result->seconds[place];
  printf("\n%s: %s (%.1f s)\n", subject->name, subject->title, seconds);
  printf("  %-*s %11s %11s %6s %11s %8s %7s\n", WHAT, "", "expected", "ref", "gl", "f64", "error",
         "allowed");
  for (size_t k = 0; k < result->row_count; ++k) {
    const weft_physics_row *row = &result->rows[k];
    print_row(row);
    if (weft_physics_same_words(result, k)) continue;
    print_wrapped(weft_physics_claims(row) ? "    expected: " : "    ", row->source);
    if (*row->why) print_wrapped("    allowed:  ", row->why);
  }
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (result->failed[place].code == WEFT_OK) continue;
    printf("  FAILED on %s: %s\n", weft_physics_place_names[place], result->failed[place].message);
  }
  fflush(stdout);
}

static void print_failed_rows(const weft_physics_result *result) {
  for (size_t k = 0; k < result->row_count; ++k) {
    if (weft_physics_row_passed(&result->rows[k])) continue;
    printf("  FAIL  %s: %s\n", result->subject->name, result->rows[k].what);
  }
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (result->failed[place].code == WEFT_OK) continue;
    printf("  FAIL  %s on %s\n", result->subject->name, weft_physics_place_names[place]);
  }
}

void weft_physics_print_summary(const weft_physics_session *session) {
  printf("\n%zu row%s in %zu case%s, %.0f s: ", session->rows, weft_plural(session->rows),
         session->result_count, weft_plural(session->result_count), session->seconds);
  if (session->cases_failed == 0) {
    printf("every one within what theory allows\n");
    return;
  }
  printf("%zu row%s FAILED, in %zu case%s\n", session->rows_failed,
         weft_plural(session->rows_failed), session->cases_failed,
         weft_plural(session->cases_failed));
  for (size_t k = 0; k < session->result_count; ++k) print_failed_rows(&session->results[k]);
}

/* ---- JSON ---- */

static json_t *measure_json(const weft_physics_row *row, weft_physics_place place) {
  const weft_physics_measure *m = &row->at[place];
  json_t *o = json_object();
  json_object_set_new(o, "value", weft_json_real(m->value));
  if (!weft_physics_claims(row)) return o;
  json_object_set_new(o, "error", weft_json_real(weft_physics_error(row, place)));
  json_object_set_new(o, "allowed", weft_json_real(m->allowed));
  json_object_set_new(o, "passed", json_boolean(weft_physics_row_passed_at(row, place)));
  return o;
}

static json_t *row_json(const weft_physics_row *row) {
  json_t *o = json_object(), *measured = json_object();
  json_object_set_new(o, "what", json_string(row->what));
  json_object_set_new(o, "unit", json_string(row->unit));
  json_object_set_new(o, "expected", weft_json_real(row->expected));
  json_object_set_new(o, "source", json_string(row->source));
  json_object_set_new(o, "allowed_because", json_string(row->why));
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (!row->at[place].taken) continue;
    json_object_set_new(measured, weft_physics_place_names[place],
                        measure_json(row, (weft_physics_place)place));
  }
  json_object_set_new(o, "measured", measured);
  json_object_set_new(o, "method_error", weft_json_real(weft_physics_method_error(row)));
  json_object_set_new(o, "rounding_error", weft_json_real(weft_physics_rounding_error(row)));
  json_object_set_new(o, "passed", json_boolean(weft_physics_row_passed(row)));
  return o;
}

static json_t *numbers_json(uint32_t count, const double *values) {
  json_t *array = json_array();
  for (uint32_t k = 0; k < count; ++k) json_array_append_new(array, weft_json_real(values[k]));
  return array;
}

static json_t *graph_json(const weft_physics_graph *graph) {
  json_t *o = json_object(), *series = json_array();
  json_object_set_new(o, "title", json_string(graph->axes.title));
  json_object_set_new(o, "x", json_string(graph->axes.x));
  json_object_set_new(o, "y", json_string(graph->axes.y));
  json_object_set_new(o, "x_log", json_boolean(graph->axes.x_log));
  json_object_set_new(o, "y_log", json_boolean(graph->axes.y_log));
  json_object_set_new(o, "equal", json_boolean(graph->axes.equal));
  for (size_t k = 0; k < graph->series_count; ++k) {
    const weft_physics_series *s = &graph->series[k];
    json_t *one = json_object();
    json_object_set_new(one, "name", json_string(s->name));
    json_object_set_new(one, "from",
                        json_string(s->theory ? "theory" : weft_physics_place_names[s->place]));
    json_object_set_new(one, "x", numbers_json(s->count, s->x));
    json_object_set_new(one, "y", numbers_json(s->count, s->y));
    json_array_append_new(series, one);
  }
  json_object_set_new(o, "series", series);
  return o;
}

static json_t *case_json(const weft_physics_result *result) {
  json_t *o = json_object(), *rows = json_array(), *plots = json_array();
  json_t *seconds = json_object(), *errors = json_object();
  json_object_set_new(o, "name", json_string(result->subject->name));
  json_object_set_new(o, "title", json_string(result->subject->title));
  json_object_set_new(o, "text", json_string(result->subject->text));
  json_object_set_new(o, "passed", json_boolean(weft_physics_passed(result)));
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    const char *name = weft_physics_place_names[place];
    if (result->ran[place]) json_object_set_new(seconds, name, json_real(result->seconds[place]));
    if (result->failed[place].code != WEFT_OK) {
      json_object_set_new(errors, name, json_string(result->failed[place].message));
    }
  }
  for (size_t k = 0; k < result->row_count; ++k) {
    json_array_append_new(rows, row_json(&result->rows[k]));
  }
  for (size_t k = 0; k < result->graph_count; ++k) {
    json_array_append_new(plots, graph_json(&result->graphs[k]));
  }
  json_object_set_new(o, "seconds", seconds);
  json_object_set_new(o, "errors", errors);
  json_object_set_new(o, "rows", rows);
  json_object_set_new(o, "plots", plots);
  return o;
}

json_t *weft_physics_json(const weft_physics_session *session) {
  json_t *o = json_object(), *cases = json_array(), *backends = json_object();
  json_object_set_new(o, "build", weft_json_build(session->gl));
  json_object_set_new(o, "load_before", weft_json_real(session->load_before));
  json_object_set_new(o, "processors", json_integer(weft_thread_pool_processors()));
  json_object_set_new(o, "probe",
                      session->gl ? json_pack("{s:b, s:s}", "exact", session->probe.exact,
                                              "verdict", session->probe.verdict)
                                  : json_null());
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    const char *missing = session->backends.missing[place];
    json_object_set_new(backends, weft_physics_place_names[place],
                        session->backends.at[place] ? json_string("ran") : json_string(missing));
  }
  for (size_t k = 0; k < session->result_count; ++k) {
    json_array_append_new(cases, case_json(&session->results[k]));
  }
  json_object_set_new(o, "backends", backends);
  json_object_set_new(o, "passed", json_boolean(session->cases_failed == 0));
  json_object_set_new(o, "rows", json_integer((json_int_t)session->rows));
  json_object_set_new(o, "rows_failed", json_integer((json_int_t)session->rows_failed));
  json_object_set_new(o, "seconds", json_real(session->seconds));
  json_object_set_new(o, "cases_wanted", json_integer((json_int_t)session->wanted));
  json_object_set_new(o, "cut_short", json_boolean(session->result_count < session->wanted));
  json_object_set_new(o, "cases", cases);
  return o;
}
