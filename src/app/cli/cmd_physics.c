/* weft validate --physics: the solver against theory, on every backend there is. */
#include <stdlib.h>
#include <string.h>

#include "cmd_validate.h"
#include "interrupt.h"
#include "json.h"
#include "machine.h"
#include "outputs.h"
#include "physics_report.h"
#include "report_page.h"

typedef struct physics_options {
  const char *physics; /* "" for --physics alone */
  const char *json, *report, *from;
} physics_options;

enum { MAX_CASES = 128 };

typedef struct selection {
  const weft_physics_case *cases[MAX_CASES];
  size_t count;
} selection;

/* ---- which cases ---- */

static weft_result unknown_case(const char *name, weft_error *err) {
  const char *names[MAX_CASES];
  char list[1024] = "";
  size_t count = 0;
  for (; weft_physics_at((uint32_t)count) && count < MAX_CASES; ++count) {
    names[count] = weft_physics_at((uint32_t)count)->name;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", names[count]);
  }
  const char *near = weft_nearest_name(name, names, count);
  if (near) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "no case is called \"%s\", did you mean %s?", name,
                     near);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "no case is called \"%s\", the cases are %s", name,
                   list);
}

static weft_result select_case(selection *chosen, const char *name, weft_error *err) {
  bool all = strcmp(name, "all") == 0;
  const weft_physics_case *one = weft_physics_find(name);
  if (!all && !one) return unknown_case(name, err);
  for (uint32_t k = 0; weft_physics_at(k) && chosen->count < MAX_CASES; ++k) {
    const weft_physics_case *c = weft_physics_at(k);
    bool there = !(all || c == one);
    for (size_t j = 0; j < chosen->count; ++j) there = there || chosen->cases[j] == c;
    if (!there) chosen->cases[chosen->count++] = c;
  }
  return WEFT_OK;
}

/* Names with commas between. */
static weft_result select_list(selection *chosen, const char *list, weft_error *err) {
  weft_result result = WEFT_OK;
  while (result == WEFT_OK && *list) {
    char name[64];
    size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    result = select_case(chosen, name, err);
    list += length + (list[length] == ',');
  }
  return result;
}

static weft_result select_cases(const physics_options *own, const weft_positionals *named,
                                selection *chosen, weft_error *err) {
  *chosen = (selection){0};
  weft_result result = select_list(chosen, own->physics, err);
  for (uint32_t k = 0; k < named->count && result == WEFT_OK; ++k) {
    result = select_list(chosen, named->items[k], err);
  }
  if (result == WEFT_OK && chosen->count == 0) result = select_case(chosen, "all", err);
  return result;
}

/* ---- where they run ---- */

/* A machine without OpenGL measures the rest. */
static weft_result open_backends(const weft_cli_options *options, weft_physics_session *session,
                                 weft_error *why, weft_error *err) {
  weft_physics_backends *b = &session->backends;
  b->at[WEFT_PHYSICS_REF] = weft_backend_ref();
  b->at[WEFT_PHYSICS_F64] = weft_backend_f64();
  weft_result result = weft_cli_make_gl(options, &session->gl, why);
  if (result == WEFT_ERROR_NO_GL) {
    b->missing[WEFT_PHYSICS_GL] = why->message;
    return WEFT_OK;
  }
  if (result == WEFT_OK) {
    result = weft_backend_gl(session->gl, &b->at[WEFT_PHYSICS_GL], why);
    if (result == WEFT_OK) result = weft_gl_run_probe(session->gl, &session->probe, why);
  }
  return result == WEFT_OK ? WEFT_OK : weft_fail(err, result, "%s", why->message);
}

static void print_backends(const weft_physics_session *session) {
  char driver[512];
  if (session->gl) {
    printf("driver        %s\nprobe         %s\n",
           weft_driver_name(session->gl, driver, sizeof driver), session->probe.verdict);
  }
  for (int place = 0; place < WEFT_PHYSICS_PLACES; ++place) {
    if (session->backends.at[place]) continue;
    printf("%-13s not measured: %s\n", weft_physics_place_names[place],
           session->backends.missing[place]);
  }
}

static const char no_case[] = "in the first case; nothing was measured";

/* Until a case is done there is nothing to keep; the one in progress then is finished. */
static bool goes_on(const weft_physics_session *session) {
  static const char advice[] =
      "\r\033[Kfinishing the case in progress; Ctrl-C again stops at once\n";
  if (session->result_count == 1) weft_interrupt_open(advice);
  return session->result_count == 0 || !weft_interrupted();
}

static int cut_short(const weft_physics_session *session) {
  char what[120];
  snprintf(what, sizeof what, "after %zu of %zu cases; what was measured until then is kept",
           session->result_count, session->wanted);
  return weft_interrupt_tell(what);
}

static void run_cases(weft_physics_session *session, const selection *chosen) {
  double start = weft_clock_seconds(), cost = 0, done = 0;
  for (size_t k = 0; k < chosen->count; ++k) cost += weft_physics_cost(chosen->cases[k]);
  session->results = weft_alloc(chosen->count, sizeof *session->results);
  session->wanted = chosen->count;
  for (size_t k = 0; k < chosen->count && goes_on(session); ++k) {
    weft_physics_result *result = &session->results[session->result_count++];
    weft_progress(chosen->cases[k]->name, (uint64_t)done, (uint64_t)cost);
    done += weft_physics_cost(chosen->cases[k]);
    weft_physics_measure_case(chosen->cases[k], &session->backends, result);
    weft_progress_end();
    session->rows += result->row_count;
    for (size_t r = 0; r < result->row_count; ++r) {
      session->rows_failed += !weft_physics_row_passed(&result->rows[r]);
    }
    session->cases_failed += !weft_physics_passed(result);
    weft_physics_print_case(result);
  }
  session->seconds = weft_clock_seconds() - start;
}

static weft_result write_reports(const physics_options *own, const weft_physics_session *session,
                                 weft_error *err) {
  weft_result result = WEFT_OK;
  json_t *all = weft_physics_json(session);
  if (own->json) result = weft_json_write(own->json, json_incref(all), err);
  if (own->report && result == WEFT_OK) {
    result = weft_page_draw(own->report, all, own->json, err);
  }
  json_decref(all);
  return result;
}

static void close_session(weft_physics_session *session) {
  for (size_t k = 0; k < session->result_count; ++k) {
    weft_physics_result_free(&session->results[k]);
  }
  weft_free(session->results);
  weft_gl_destroy(session->gl);
}

static int measure(const weft_cli_options *options, const physics_options *own,
                   const selection *chosen) {
  weft_physics_session session = {0};
  weft_error why = {0}, err = {0};
  int status = WEFT_EXIT_OK;
  session.load_before = weft_machine_load();
  weft_interrupt_prepare(no_case);
  if (open_backends(options, &session, &why, &err) != WEFT_OK) {
    status = weft_cli_fail(&err);
  } else {
    print_backends(&session);
    run_cases(&session, chosen);
    weft_physics_print_summary(&session);
    if (session.cases_failed) status = WEFT_EXIT_DIFFERENT;
    if (write_reports(own, &session, &err) != WEFT_OK) {
      status = weft_cli_fail_output(&err);
    } else if (session.result_count < session.wanted) {
      status = cut_short(&session);
    }
  }
  weft_interrupt_close();
  close_session(&session);
  return status;
}

/* ---- a file of before ---- */

static json_t *read_results(const char *path, weft_error *err) {
  json_error_t why;
  json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
  if (all) return all;
  if (why.line < 0) {
    weft_fail(err, WEFT_ERROR_FILE, "%s", why.text);
  } else {
    weft_fail(err, WEFT_ERROR_FORMAT, "%s:%d: %s", path, why.line, why.text);
  }
  return NULL;
}

static int draw_again(const physics_options *own) {
  weft_error err = {0};
  json_t *all = read_results(own->from, &err);
  if (!all) return weft_cli_fail(&err);
  weft_result result = weft_page_draw(own->report, all, own->from, &err);
  json_decref(all);
  return result == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail_output(&err);
}

/* ---- the command ---- */

/* Outputs are tried before anything is measured. */
static int run(const weft_cli_options *options, const physics_options *own,
               const selection *chosen) {
  weft_error err = {0};
  if (own->from && (!own->report || own->json)) {
    return weft_cli_usage("--from draws what a file has: it needs --report, and no --json");
  }
  if (weft_cli_output_check(options, own->json, &err) != WEFT_OK ||
      weft_page_check(options, own->report, &err) != WEFT_OK) {
    return weft_cli_fail_output(&err);
  }
  return own->from ? draw_again(own) : measure(options, own, chosen);
}

bool weft_cmd_physics_wanted(int argc, char **argv) {
  for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; ++k) {
    if (strcmp(argv[k], "--physics") == 0 || strncmp(argv[k], "--physics=", 10) == 0) return true;
  }
  return false;
}

static void list_cases(char *text, size_t size) {
  snprintf(text, size, "Cases:\n");
  for (uint32_t k = 0; weft_physics_at(k); ++k) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "  %-12s %s\n", weft_physics_at(k)->name,
             weft_physics_at(k)->title);
  }
  size_t used = strlen(text);
  snprintf(text + used, size - used,
           "\nStatus 1 where a row failed. weft --help all lists all statuses.");
}

int weft_cmd_physics(int argc, char **argv) {
  weft_cli_options options;
  physics_options own = {.physics = ""};
  static const weft_option extra[] = {
      OPTION(OPTIONAL, "physics", "CASE,...",
             "measure these cases, or those named after it. Default: all\n"
             "--help all lists them",
             .common = true, .offset = offsetof(physics_options, physics)),
      OPTION(TEXT, "json", "FILE", "write rows and plots as JSON. Default: not written",
             .common = true, .offset = offsetof(physics_options, json)),
      OPTION(TEXT, "report", "FILE",
             "write one HTML page with plots and tables; needs Python with matplotlib\n"
             "(WEFT_PYTHON, else python3, else /usr/bin/python3). Default: not written",
             .common = true, .offset = offsetof(physics_options, report)),
      OPTION(TEXT, "from", "FILE.json", "draw the page of this file of --json instead of measuring",
             .common = true, .offset = offsetof(physics_options, from)),
  };
  char notes[8192];
  list_cases(notes, sizeof notes);
  weft_positionals named = {0};
  weft_cli_spec spec = {
      .command = "validate",
      .arguments = "--physics [CASE ...] [options]",
      .summary =
          "Holds the solver against theory: each case simulates something whose outcome is\n"
          "known, on the reference, on the GPU where there is one, and in double precision.",
      .notes = notes,
      .tables = WEFT_CLI_GL,
      .max_positionals = WEFT_MAX_POSITIONALS,
      .extra = extra,
      .extra_count = sizeof extra / sizeof *extra,
      .extra_base = &own,
      .positionals = &named,
  };
  int status = WEFT_EXIT_OK;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  options.reads[0] = own.from;
  selection chosen;
  weft_error err = {0};
  status = select_cases(&own, &named, &chosen, &err) == WEFT_OK ? run(&options, &own, &chosen)
                                                                : weft_cli_fail(&err);
  weft_cli_options_free(&options);
  return status;
}
