/* physics_page.c: the physics report as one page: tables, and plots as SVG inside it. No scripts,
 * nothing fetched from elsewhere; well-formed XML, so that any tool can read it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/version.h>

#include "build_info.h"
#include "physics_report.h"
#include "report.h"
#include "svg.h"

typedef struct page {
  FILE *file;
  const weft_physics_session *session;
} page;

static void put(const page *p, const char *text) { weft_svg_text(p->file, text); }

static void put_cell(const page *p, const char *text) {
  fputs("<td>", p->file);
  put(p, text);
  fputs("</td>", p->file);
}

static void put_number(const page *p, const char *format, double value) {
  char text[40] = "";
  if (!isnan(value)) snprintf(text, sizeof text, format, value);
  put_cell(p, text);
}

static void put_verdict(const page *p, bool passed) {
  fprintf(p->file, "<td class=\"%s\">%s</td>", passed ? "pass" : "fail", passed ? "pass" : "FAIL");
}

/* ---- head ---- */

static void put_entry(const page *p, const char *name, const char *text) {
  fprintf(p->file, "<dt>%s</dt><dd>", name);
  put(p, text);
  fputs("</dd>\n", p->file);
}

static void put_identification(const page *p) {
  char text[1024];
  const weft_physics_session *s = p->session;
  fputs("<dl>\n", p->file);
  snprintf(text, sizeof text, "weft %s, commit %s, %s, %s, %s", WEFT_VERSION, weft_build.commit,
           weft_build.compiler, weft_build.type, weft_build.flags);
  put_entry(p, "build", text);
  put_entry(p, "processor", weft_app_processor());
  char driver[512];
  put_entry(p, "driver", s->gl ? weft_driver_name(s->gl, driver, sizeof driver) : "none");
  if (s->gl) put_entry(p, "probe", s->probe.verdict);
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (s->backends.at[place]) continue;
    snprintf(text, sizeof text, "not measured: %s", s->backends.missing[place]);
    put_entry(p, weft_physics_place_names[place], text);
  }
  fputs("</dl>\n", p->file);
}

static void put_head(const page *p) {
  const weft_physics_session *s = p->session;
  fprintf(p->file,
          "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
          "<title>weft: how right the solver is</title>\n<style>%s</style>\n</head>\n<body>\n"
          "<h1>How right the solver is</h1>\n",
          weft_page_style);
  fprintf(p->file,
          "<p class=\"%s\">%zu rows in %zu cases, %.0f s: ", s->cases_failed ? "fail" : "pass",
          s->rows, s->result_count, s->seconds);
  if (s->cases_failed) {
    fprintf(p->file, "%zu rows FAILED, in %zu cases.</p>\n", s->rows_failed, s->cases_failed);
  } else {
    fputs("every one within what theory allows.</p>\n", p->file);
  }
  put_identification(p);
  fputs(
      "<p>Every expected value comes from theory or a publication, computed without the solver. "
      "Each case runs on the reference in single precision (ref), on the compute shaders (gl), "
      "and in double precision over the same schedule (f64). Method is f64 against the expected "
      "value, rounding is ref against f64; together they are the error of ref. In plots the thin "
      "line is theory, full lines are ref, dashed ones f64; gl is drawn where it differs from "
      "ref.</p>\n",
      p->file);
}

static void put_contents(const page *p) {
  fputs(
      "<div class=\"scroll\"><table>\n<tr><th>case</th><th>rows</th><th>seconds</th>"
      "<th>verdict</th></tr>\n",
      p->file);
  for (size_t k = 0; k < p->session->result_count; ++k) {
    const weft_physics_result *r = &p->session->results[k];
    double seconds = 0;
    for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) seconds += r->seconds[place];
    fprintf(p->file, "<tr><td><a href=\"#%s\">%s</a>: ", r->subject->name, r->subject->name);
    put(p, r->subject->title);
    fprintf(p->file, "</td><td>%zu</td><td>%.1f</td>", r->row_count, seconds);
    put_verdict(p, weft_physics_passed(r));
    fputs("</tr>\n", p->file);
  }
  fputs("</table></div>\n", p->file);
}

/* ---- a case ---- */

static void put_measures(const page *p, const weft_physics_row *row) {
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (place == WEFT_PHYSICS_GL && weft_physics_gl_equal(row)) {
      put_cell(p, "= ref");
    } else {
      put_number(p, "%.9g", row->at[place].taken ? row->at[place].value : NAN);
    }
  }
}

static void put_row(const page *p, const weft_physics_row *row) {
  fputs("<tr>", p->file);
  put_cell(p, row->what);
  put_cell(p, row->unit);
  put_number(p, "%.9g", row->expected);
  put_measures(p, row);
  if (weft_physics_claims(row)) {
    const weft_physics_measure *wide = &row->at[WEFT_PHYSICS_F64];
    weft_physics_place told = weft_physics_told(row);
    put_number(p, "%.2e", weft_physics_error(row, told));
    put_number(p, "%.2e", row->at[told].allowed);
    put_number(p, "%.2e", weft_physics_method_error(row));
    put_number(p, "%.2e", wide->taken ? wide->allowed : NAN);
    put_number(p, "%.2e", weft_physics_rounding_error(row));
    put_verdict(p, weft_physics_row_passed(row));
  } else {
    fputs("<td></td><td></td><td></td><td></td>", p->file);
    put_number(p, "%.2e", weft_physics_rounding_error(row));
    fputs("<td></td>", p->file);
  }
  fputs("</tr>\n", p->file);
}

static void put_words(const page *p, const weft_physics_row *row) {
  fputs("<tr class=\"words\"><td colspan=\"12\">", p->file);
  if (weft_physics_claims(row)) fputs("Expected: ", p->file);
  put(p, row->source);
  if (*row->why) {
    fputs("<br/>Allowed: ", p->file);
    put(p, row->why);
  }
  fputs("</td></tr>\n", p->file);
}

static void put_rows(const page *p, const weft_physics_result *result) {
  fputs(
      "<div class=\"scroll\"><table>\n<tr><th>measured</th><th>unit</th><th>expected</th>"
      "<th>ref</th><th>gl</th><th>f64</th><th>error</th><th>allowed</th><th>method</th>"
      "<th>allowed</th><th>rounding</th><th>verdict</th></tr>\n",
      p->file);
  for (size_t k = 0; k < result->row_count; ++k) {
    put_row(p, &result->rows[k]);
    if (!weft_physics_same_words(result, k)) put_words(p, &result->rows[k]);
  }
  fputs("</table></div>\n", p->file);
}

/* ---- plots ---- */

static const weft_physics_series *same_from(const weft_physics_graph *graph,
                                            const weft_physics_series *s,
                                            weft_physics_place place) {
  for (size_t k = 0; k < graph->series_count; ++k) {
    const weft_physics_series *other = &graph->series[k];
    if (!other->theory && other->place == place && strcmp(other->name, s->name) == 0) return other;
  }
  return NULL;
}

/* Drawn already: from the compute backend, and point for point the reference's, which may go on. */
static bool is_repeated(const weft_physics_graph *graph, const weft_physics_series *s) {
  if (s->theory || s->place != WEFT_PHYSICS_GL) return false;
  const weft_physics_series *ref = same_from(graph, s, WEFT_PHYSICS_REF);
  return ref && ref->count >= s->count && s->count > 0 &&
         memcmp(ref->x, s->x, s->count * sizeof *s->x) == 0 &&
         memcmp(ref->y, s->y, s->count * sizeof *s->y) == 0;
}

/* Curves of one name share a colour, in order of appearance. */
static int colour_of(const weft_physics_graph *graph, const weft_physics_series *s) {
  int colour = 0;
  for (size_t k = 0; k < graph->series_count; ++k) {
    const weft_physics_series *other = &graph->series[k];
    if (other->theory) continue;
    if (strcmp(other->name, s->name) == 0) return colour;
    bool first = true;
    for (size_t j = 0; j < k; ++j) {
      const weft_physics_series *before = &graph->series[j];
      first = first && (before->theory || strcmp(before->name, other->name) != 0);
    }
    colour += first;
  }
  return colour;
}

static void put_graph(const page *p, const weft_physics_graph *graph) {
  enum { NAME = 80, MOST_MARKS = 40 };
  weft_svg_series *series = weft_alloc(graph->series_count, sizeof *series);
  char(*names)[NAME] = weft_alloc(graph->series_count, sizeof *names);
  size_t count = 0;
  for (size_t k = 0; k < graph->series_count; ++k) {
    const weft_physics_series *s = &graph->series[k];
    if (is_repeated(graph, s)) continue;
    static const char *const endings[] = {"", ", gl", ", double"};
    snprintf(names[count], NAME, "%s%s", s->name, s->theory ? "" : endings[s->place]);
    series[count] = (weft_svg_series){.name = names[count],
                                      .count = s->count,
                                      .x = s->x,
                                      .y = s->y,
                                      .colour = s->theory ? -1 : colour_of(graph, s),
                                      .dashed = !s->theory && s->place == WEFT_PHYSICS_F64,
                                      .marked = !s->theory && s->count <= MOST_MARKS};
    ++count;
  }
  weft_svg_write(p->file, &(weft_svg_plot){.title = graph->axes.title,
                                           .x_label = graph->axes.x,
                                           .y_label = graph->axes.y,
                                           .x_log = graph->axes.x_log,
                                           .y_log = graph->axes.y_log,
                                           .equal = graph->axes.equal,
                                           .series = series,
                                           .series_count = count});
  weft_free(series);
  weft_free(names);
}

static void put_case(const page *p, const weft_physics_result *result) {
  const weft_physics_case *subject = result->subject;
  fprintf(p->file, "<h2 id=\"%s\">%s: ", subject->name, subject->name);
  put(p, subject->title);
  fputs("</h2>\n<p>", p->file);
  put(p, subject->text);
  fputs("</p>\n", p->file);
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (result->failed[place].code == WEFT_OK) continue;
    fprintf(p->file, "<p class=\"fail\">Failed on %s: ", weft_physics_place_names[place]);
    put(p, result->failed[place].message);
    fputs("</p>\n", p->file);
  }
  put_rows(p, result);
  for (size_t k = 0; k < result->graph_count; ++k) put_graph(p, &result->graphs[k]);
}

weft_result weft_physics_write_page(const char *path, const weft_physics_session *session,
                                    weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  page p = {weft_output_file(out), session};
  put_head(&p);
  put_contents(&p);
  for (size_t k = 0; k < session->result_count; ++k) put_case(&p, &session->results[k]);
  fputs("</body>\n</html>\n", p.file);
  return weft_output_close(out, err);
}
