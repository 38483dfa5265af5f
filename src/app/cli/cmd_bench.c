/* weft bench: times scenes, sizes, modes, schedules and backends. What it is told and what becomes
 * of the rows; bench.h has the rest. */
#include <stdlib.h>
#include <string.h>

#include "bench_print.h"
#include "cli.h"
#include "environment.h"
#include "interrupt.h"
#include "json.h"
#include "machine.h"
#include "max_strain.h"
#include "opt_instances.h"
#include "output.h"
#include "outputs.h"
#include "report_page.h"

typedef struct bench_options {
  weft_bench_request request;
  int format;
  const char *output, *from, *compare, *report;
  float max_loss; /* part of the time; negative: not given */
  bool quick, passes, changes;
} bench_options;

/* ---- options ---- */

/* Adds names with commas between to the list. */
static weft_result split(const char *what, const char *text, weft_bench_names *list,
                         weft_error *err) {
  while (true) {
    size_t length = strcspn(text, ",");
    if (length == 0 || length >= sizeof list->text[0]) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%.*s\" is no name", what,
                       (int)(length < 40 ? length : 40), text);
    }
    if (list->count == WEFT_BENCH_MAX_NAMES) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: more than %d names", what,
                       WEFT_BENCH_MAX_NAMES);
    }
    snprintf(list->text[list->count++], sizeof list->text[0], "%.*s", (int)length, text);
    if (!text[length]) return WEFT_OK;
    text += length + 1;
  }
}

/* Names with commas between, each one of `known`, which ends with NULL. */
static weft_result take_names(const char *what, const char *text, const char *const *known,
                              weft_bench_names *list, weft_error *err) {
  list->count = 0;
  weft_result result = split(what, text, list, err);
  for (uint32_t k = 0; k < list->count && result == WEFT_OK; ++k) {
    char all[256] = "";
    bool found = false;
    for (int n = 0; known[n] && !found; ++n) {
      size_t used = strlen(all);
      snprintf(all + used, sizeof all - used, "%s%s", n ? ", " : "", known[n]);
      found = strcmp(known[n], list->text[k]) == 0;
    }
    if (found) continue;
    result =
        weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is none of %s", what, list->text[k], all);
  }
  return result;
}

static weft_result add_scenes(const char *what, const char *text, bench_options *own,
                              weft_error *err) {
  weft_bench_names *list = &own->request.scenes;
  uint32_t before = list->count;
  weft_result result = split(what, text, list, err);
  for (uint32_t k = before; k < list->count && result == WEFT_OK; ++k) {
    if (!weft_scene_find(list->text[k])) result = weft_cli_no_scene(list->text[k], "", err);
  }
  return result;
}

static weft_result take_scenes(void *base, const char *text, weft_error *err) {
  return add_scenes("--scene", text, base, err);
}

/* The end of a long name says more than its beginning. */
static void name_mesh(const char *file, bench_options *own) {
  weft_bench_names *list = &own->request.scenes;
  const char *slash = strrchr(file, '/'), *name = slash && slash[1] ? slash + 1 : file;
  const size_t length = strlen(name), most = sizeof list->text[0] - 1;
  if (length > most) name += length - most;
  weft_printable(name, strlen(name), list->text[0], sizeof list->text[0]);
  list->count = 1;
  own->request.mesh = true;
}

/* Scenes, or one file with whatever is asked of its cloth. */
static weft_result choose_subjects(const weft_positionals *named, bench_options *own,
                                   weft_cli_options *options, weft_error *err) {
  weft_bench_names *scenes = &own->request.scenes;
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < named->count && result == WEFT_OK; ++k) {
    const char *name = named->items[k];
    if (!weft_cli_names_file(name)) {
      result = add_scenes("bench", name, own, err);
    } else if (options->setup.mesh) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "one file at a time, \"%s\" is too many", name);
    } else {
      options->setup.mesh = name;
    }
  }
  if (result != WEFT_OK) return result;
  if (options->setup.mesh && scenes->count > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "scenes or one file at a time, \"%s\" is too many beside \"%s\"",
                     scenes->text[0], options->setup.mesh);
  }
  if (own->request.sizes.count == 0 && options->setup.size > 0) { /* of a scene file */
    own->request.sizes.count = 1;
    snprintf(own->request.sizes.text[0], sizeof own->request.sizes.text[0], "%u",
             options->setup.size);
  }
  options->setup.size_given = own->request.sizes.count > 0;
  if (options->setup.mesh) name_mesh(options->setup.mesh, own);
  options->setup.many_scenes = !options->setup.mesh;
  if (!options->setup.mesh) options->setup.scene = scenes->count ? scenes->text[0] : "hanging";
  return weft_setup_check_subject(&options->setup, err);
}

static weft_result take_sizes(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  own->request.sizes.count = 0;
  weft_result result = split("--size", text, &own->request.sizes, err);
  for (uint32_t k = 0; k < own->request.sizes.count && result == WEFT_OK; ++k) {
    uint32_t ignored;
    result = weft_read_count("--size", own->request.sizes.text[k], 4, 4096, &ignored, err);
  }
  return result;
}

static weft_result take_backends(void *base, const char *text, weft_error *err) {
  static const char *const names[] = {"gl", "cpu", "ref", "f64", NULL};
  bench_options *own = base;
  return take_names("--backend", text, names, &own->request.backends, err);
}

static weft_result take_modes(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  return take_names("--mode", text, weft_param_infos[WEFT_PARAM_mode].choices, &own->request.modes,
                    err);
}

static weft_result take_schedules(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  return take_names("--schedule", text, weft_param_infos[WEFT_PARAM_schedule].choices,
                    &own->request.schedules, err);
}

/* "10%" or "0.1"; a whole and more only as percents, since 5 is what one writes who means 5 %. */
static weft_result take_loss(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  char number[40];
  size_t length = strlen(text);
  bool percent = length > 0 && text[length - 1] == '%';
  if (!percent && strtod(text, NULL) > 1) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--max-loss: \"%.30s\" is no part: did you mean %.20s%%?", text, text);
  }
  float scale = percent ? 100 : 1;
  snprintf(number, sizeof number, "%.*s", (int)(length - percent), text);
  weft_result result =
      weft_read_number("--max-loss", number, 0, 1000 * (double)scale, &own->max_loss, err);
  own->max_loss /= scale;
  return result;
}

static const char *const formats[] = {"table", "csv", "json", NULL};
enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

static const weft_option extra[] = {
    OPTION(CUSTOM, "scene", "NAMES",
           "built-in scenes, commas between. Default: hanging,drape,skirt\n"
           "The same as naming them",
           .common = true, .take = take_scenes),
    OPTION(CUSTOM, "size", "SIZES", "N for N x N particles, commas between. Default: 32,64,128",
           .common = true, .take = take_sizes),
    OPTION(CUSTOM, "backend", "NAMES", "gl, cpu, ref, f64, commas between. Default: cpu,gl",
           .common = true, .take = take_backends),
    OPTION(CUSTOM, "mode", "MODES",
           "gs (coloured Gauss-Seidel), jacobi (gathered), hybrid (small colours\n"
           "jacobi), commas between. Default: that of the scene, gs for most",
           .take = take_modes),
    OPTION(CUSTOM, "schedule", "NAMES",
           "auto, colours, patches, single, commas between. Backends other than gl run single\n"
           "as colours, and leave it out beside colours or auto. Default: auto",
           .take = take_schedules),
    OPTION(COUNT, "samples", "N", "timed runs of each, 1 to 1000. Default: 7",
           .offset = offsetof(bench_options, request.plan.samples),
           RANGE(1, WEFT_BENCH_MAX_SAMPLES)),
    OPTION(COUNT, "frames", "N", "frames of a run, 1 to 10000. Default: 10",
           .offset = offsetof(bench_options, request.plan.frames), RANGE(1, 10000)),
    OPTION(COUNT, "warm-up-frames", "N",
           "frames before the timed ones: each run starts from the state after them; 0: from\n"
           "the rest pose, where nothing hangs or touches yet. Default: 60, a second",
           .was = "warmup", .offset = offsetof(bench_options, request.plan.warm_up_frames),
           RANGE(0, 100000)),
    OPTION(COUNT, "warm-up-runs", "N", "runs before the timed ones, 1 to 100. Default: 1",
           .was = "warm-up", .offset = offsetof(bench_options, request.plan.warm_up_runs),
           RANGE(1, 100)),
    OPTION(FLAG, "quick", NULL,
           "six rows in seconds: size 48 alone, 3 runs of 2 frames after 15\n"
           "Unless said otherwise",
           .common = true, .offset = offsetof(bench_options, quick)),
    OPTION(FLAG, "passes", NULL,
           "the long table: spread, memory, energies, hashes, settings, and each kind of pass\n"
           "Growth with size, and the time of each kind beside its roofline bound, too. CSV, "
           "JSON and\n"
           "pages have all of it anyway",
           .common = true, .offset = offsetof(bench_options, passes)),
    OPTION(
        FLAG, "changes", NULL,
        "what changes of a solver that runs cost, instead: a sheet that hangs from two corners,\n"
        "at each size and on each backend, without and with self-collision. Size 64 alone\n"
        "Unless said otherwise",
        .offset = offsetof(bench_options, changes)),
    OPTION(CHOICE, "format", "KIND", "table, csv or json. Default: table", .common = true,
           .offset = offsetof(bench_options, format), .choices = formats),
    OPTION(TEXT, "output", "FILE", "write there. Default: standard output", .letter = 'o',
           .common = true, .offset = offsetof(bench_options, output)),
    OPTION(TEXT, "report", "FILE.html",
           "write one HTML page with verdict, plots and rows; needs Python with matplotlib,\n"
           "see WEFT_PYTHON below",
           .offset = offsetof(bench_options, report)),
    OPTION(
        TEXT, "compare", "OLD.json",
        "print ratios to rows of this file of before\n"
        "Of the same scene, size, backend, mode, parameters and settings; status 1 when one got\n"
        "slower by more than --max-loss or ended in another state",
        .common = true, .offset = offsetof(bench_options, compare)),
    OPTION(CUSTOM, "max-loss", "PART", "of the time then, as 10% or 0.1. Default: 10%",
           .take = take_loss),
    OPTION(TEXT, "from", "FILE.json", "compare or draw rows of this file instead of measuring any",
           .offset = offsetof(bench_options, from)),
};

/* ---- printing ---- */

static void print_as(FILE *file, const bench_options *own, const weft_bench_table *t, weft_gl *gl) {
  int format = own->format;
  bool passes = own->passes;
  char text[600];
  const char *driver = weft_driver_name(gl, text, sizeof text);
  if (format == FORMAT_TABLE && passes) weft_bench_print_table(file, t, driver);
  if (format == FORMAT_TABLE && !passes) weft_bench_print_rows(file, t, gl);
  if (format == FORMAT_CSV) weft_bench_print_csv(file, t, driver);
  if (format == FORMAT_JSON) {
    json_t *json = weft_bench_json(t, gl);
    json_dumpf(json, file, JSON_INDENT(2));
    fputc('\n', file);
    json_decref(json);
  }
}

static weft_result print_all(const bench_options *own, const weft_bench_table *t, weft_gl *gl,
                             weft_error *err) {
  if (!own->output) {
    print_as(stdout, own, t, gl);
    return WEFT_OK;
  }
  weft_output *out;
  weft_result result = weft_output_open(own->output, &out, err);
  if (result != WEFT_OK) return result;
  print_as(weft_output_file(out), own, t, gl);
  return weft_output_close(out, err);
}

/* ---- the command ---- */

static void set_list(weft_bench_names *list, const char *text) {
  if (list->count == 0) split("", text, list, NULL);
}

static void set_defaults(bench_options *own) {
  set_list(&own->request.scenes, "hanging,drape,skirt");
  if (own->request.mesh) set_list(&own->request.sizes, "0");
  set_list(&own->request.sizes, own->changes ? "64" : own->quick ? "48" : "32,64,128");
  set_list(&own->request.backends, "cpu,gl");
  if (!own->request.plan.samples) own->request.plan.samples = own->quick ? 3 : 7;
  if (!own->request.plan.frames) own->request.plan.frames = own->quick ? 2 : 10;
  if (!own->request.plan.warm_up_runs) own->request.plan.warm_up_runs = 1;
  if (own->request.plan.warm_up_frames == UINT32_MAX)
    own->request.plan.warm_up_frames = own->quick ? 15 : 60;
  own->request.plan.passes = own->passes || own->report || own->format != FORMAT_TABLE;
}

static bool wants(const bench_options *own, const char *backend) {
  for (uint32_t k = 0; k < own->request.backends.count; ++k) {
    if (strcmp(own->request.backends.text[k], backend) == 0) return true;
  }
  return false;
}

/* A file that has the rows; NULL: none. */
static const char *file_of_rows(const bench_options *own) {
  if (own->from) return own->from;
  return own->format == FORMAT_JSON ? own->output : NULL;
}

static int draw_page(const bench_options *own, const json_t *rows, json_t *comparison) {
  weft_error err = {0};
  json_t *all = json_copy((json_t *)(uintptr_t)rows);
  if (comparison) json_object_set(all, "comparison", comparison);
  weft_result result = weft_page_draw(own->report, all, file_of_rows(own), &err);
  json_decref(all);
  return result == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail_output(&err);
}

/* What comes of rows, measured or read. Standard output may be taken by the rows themselves. */
static int use_rows(const bench_options *own, const json_t *then, const json_t *rows) {
  json_t *comparison = NULL;
  double max_loss = own->max_loss < 0 ? 0.1 : (double)own->max_loss;
  if (then) comparison = weft_bench_compare(own->compare, then, rows, max_loss);
  int status = own->report ? draw_page(own, rows, comparison) : WEFT_EXIT_OK;
  if (comparison) {
    bool unused = own->from || own->output || own->format == FORMAT_TABLE;
    weft_bench_print_comparison(unused ? stdout : stderr, comparison);
    if (status == WEFT_EXIT_OK && !weft_bench_lost_nothing(comparison)) {
      status = WEFT_EXIT_DIFFERENT;
    }
  }
  json_decref(comparison);
  return status;
}

static weft_result open_gl(bench_options *own, const weft_cli_options *options, bool gl_named,
                           weft_bench_table *t, weft_error *err) {
  if (!wants(own, "gl")) return WEFT_OK;
  weft_result result = weft_cli_make_gl(options, &own->request.plan.gl, err);
  if (result != WEFT_ERROR_NO_GL || gl_named || own->request.backends.count < 2) return result;
  weft_log(WEFT_LOG_WARNING, "%s; only the other backends are timed", err->message);
  t->missing = true;
  return WEFT_OK;
}

static weft_result make_scene(void *user, const char *name, uint32_t size,
                              weft_scene_instance *scene, weft_error *err) {
  const weft_cli_options *options = user;
  return weft_cli_make_scene_sized(options, options->setup.mesh ? NULL : name, size, scene, err);
}

/* As many as there is room for. */
static void describe_around(char *const *around, char *text, size_t size) {
  enum { REST = 20 }; /* ", 123 options more" */
  size_t used = strlen(text);
  for (; *around; ++around) {
    if (used + strlen(*around) + REST >= size) break;
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *around);
  }
  uint32_t left = 0;
  while (around[left]) ++left;
  if (left > 0) {
    snprintf(text + used, size - used, "%s%u option%s more", used ? ", " : "", left,
             weft_plural(left));
  }
}

/* What of the shared options the rows need. */
static void fill_request(weft_bench_request *request, const weft_cli_options *options,
                         char **around, char *more_settings, size_t size) {
  request->make_scene = make_scene;
  request->user = (void *)(uintptr_t)options;
  request->plan.threads = options->threads;
  request->more_settings = more_settings;
  if (weft_cli_instance_count(options) > 1) {
    weft_cli_describe_instances(options, more_settings, size);
  }
  request->around = (const char *const *)around;
  describe_around(around, more_settings, size);
}

/* On stderr: tables and JSON keep standard output for themselves. */
static void tell_strain(const weft_bench_table *table) {
  for (size_t k = 0; k < table->count; ++k) {
    const weft_bench_row *row = &table->rows[k];
    if (!(row->held.target > 0) || row->held.by_default) continue;
    fprintf(stderr, "%s, size %u, %s\n", row->scene, row->size, row->backend);
    weft_cli_strain_print_choice(stderr, &row->chosen, &row->held);
    weft_cli_strain_print_reached(stderr, &row->chosen, &row->held, &row->seen);
  }
}

static bool was_interrupted(void) { return weft_interrupted() != 0; }

/* Until there is a row nothing is lost by ending at once. */
static const char no_row[] = "in the first row; nothing was measured";

/* A signal that came since then is still remembered. */
static void keep_rows(void) {
  static const char advice[] = "\r\033[Kleaving the row in progress; Ctrl-C again stops at once\n";
  if (!weft_interrupt_is_open()) weft_interrupt_open(advice);
}

static int cut_short(const weft_bench_table *t) {
  char what[100];
  snprintf(what, sizeof what, "after %zu row%s; what was measured until then is kept", t->count,
           weft_plural(t->count));
  return weft_interrupt_tell(t->count ? what : no_row);
}

static int bench_changes(bench_options *own, const weft_cli_options *options, bool gl_named) {
  weft_error err = {0};
  weft_bench_table none = {0};
  weft_bench_changes changes = {0};
  own->request.plan.threads = options->threads;
  own->request.plan.stops = was_interrupted;
  own->request.plan.kept = keep_rows;
  weft_interrupt_prepare(no_row);
  weft_result result = open_gl(own, options, gl_named, &none, &err);
  if (result == WEFT_OK) result = weft_bench_run_changes(&own->request, &changes, &err);
  int status = result == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail(&err);
  weft_bench_print_changes(stdout, &changes);
  weft_interrupt_close();
  if (changes.cut) status = weft_interrupt_tell("what was measured until then is kept");
  if (status == WEFT_EXIT_OK && none.missing) status = WEFT_EXIT_DIFFERENT;
  weft_bench_changes_free(&changes);
  if (own->request.plan.gl) weft_gl_destroy(own->request.plan.gl);
  return status;
}

static int bench(bench_options *own, const weft_cli_options *options, bool gl_named,
                 const json_t *then) {
  weft_error err = {0};
  weft_bench_table t = {0};
  char more_settings[400] = "", **around = weft_cli_around(options);
  fill_request(&own->request, options, around, more_settings, sizeof more_settings);
  weft_result result = open_gl(own, options, gl_named, &t, &err);
  weft_gl *gl = own->request.plan.gl;
  if (result == WEFT_OK && weft_bench_slow_build()) {
    weft_log(WEFT_LOG_WARNING, "%s", weft_bench_slow_build());
  }
  own->request.plan.stops = was_interrupted;
  own->request.plan.kept = keep_rows;
  weft_interrupt_prepare(no_row);
  if (result == WEFT_OK) result = weft_bench_run(&own->request, &t, &err);
  int status = result == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail(&err);
  tell_strain(&t);
  if (t.count && print_all(own, &t, gl, &err) != WEFT_OK) status = weft_cli_fail_output(&err);
  json_t *rows = weft_bench_json(&t, gl);
  if (status == WEFT_EXIT_OK) status = use_rows(own, then, rows);
  weft_interrupt_close();
  if (t.cut && status != WEFT_EXIT_OUTPUT) status = cut_short(&t);
  bool less = t.missing || t.left_count > 0;
  if (status == WEFT_EXIT_OK && less) status = WEFT_EXIT_DIFFERENT;
  json_decref(rows);
  weft_bench_table_free(&t);
  weft_cli_free_around(around);
  if (gl) weft_gl_destroy(gl);
  return status;
}

/* Whether a file would be called what it is not; a table may have any name. */
static bool is_misnamed(const bench_options *own) {
  const char *dot = own->output ? strrchr(own->output, '.') : NULL;
  for (int k = 0; dot && own->format != FORMAT_TABLE && formats[k]; ++k) {
    if (strcmp(dot + 1, formats[k]) == 0) return k != own->format;
  }
  return false;
}

/* What would be ignored; NULL: nothing. */
static const char *pointless(const bench_options *own, const weft_cli_options *options) {
  if (own->from && !own->compare && !own->report) return "--from needs --compare or --report";
  if (own->from && (own->output || own->format != FORMAT_TABLE)) {
    return "--from prints no rows: --output and --format go with measuring some";
  }
  if (own->passes && (own->from || own->format != FORMAT_TABLE)) {
    return "--passes is for a table of rows that are measured; files have all of it anyway";
  }
  if (is_misnamed(own)) return "--output ends like another format than that of --format";
  if (own->max_loss >= 0 && !own->compare) return "--max-loss needs --compare";
  const weft_bench_request *r = &own->request;
  if (own->changes && (own->output || own->format != FORMAT_TABLE || own->passes || own->report ||
                       own->compare || own->from || r->modes.count || r->schedules.count ||
                       options->setup.mesh || r->scenes.count)) {
    return "--changes prints a table of one sheet: it goes with --size, --backend, --samples and "
           "--warm-up-frames";
  }
  if (options->threads && own->request.backends.count && !wants(own, "cpu")) {
    return "--threads does nothing here: it needs --backend cpu";
  }
  return NULL;
}

/* Files are read, and outputs tried, before anything is measured. */
static int run(bench_options *own, const weft_cli_options *options, bool gl_named) {
  weft_error err = {0};
  json_t *then = NULL, *rows = NULL;
  if (weft_cli_output_check(options, own->output, &err) != WEFT_OK ||
      weft_page_check(options, own->report, &err) != WEFT_OK) {
    return weft_cli_fail_output(&err);
  }
  weft_result result = WEFT_OK;
  if (own->compare) result = weft_bench_read(own->compare, &then, &err);
  if (result == WEFT_OK && own->from) result = weft_bench_read(own->from, &rows, &err);
  int status = result == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail(&err);
  if (own->changes) return bench_changes(own, options, gl_named);
  if (result == WEFT_OK) {
    status = rows ? use_rows(own, then, rows) : bench(own, options, gl_named, then);
  }
  json_decref(then);
  json_decref(rows);
  return status;
}

static const char notes[] =
    "With --passes ms per frame are the median, 95th percentile and least of the runs; "
    "spread is\nwhat lies between the quartiles, by the median; proc. ms is time of "
    "processors, all threads\ntogether. Strain, energy and state hash stand beside the "
    "times: equal hashes mean that backends\ndid the same work. Set-up is the mesh with its "
    "preprocessing, and the solver with its buffers;\nprograms of the GPU are compiled "
    "before. Memory of the host is the most this process held,\npreprocessing included; "
    "that of the solver's buffers is on the GPU with gl.\n\n"
    "Passes are timed in further runs of the same frames, the quicker of two: with gl by\n"
    "timestamps of the device around neighbours of one kind, elsewhere by the clock around "
    "each\npass. Where that holds them up they add up to more than a frame: the backend cpu "
    "has no tiles\nthere and waits for every pass, and timestamps cost llvmpipe some "
    "time.\n\nThe roofline bound is the time in which the machine could move the bytes that "
    "every "
    "pass must read "
    "and\nwrite at least, if each did so as fast as a copy of the size of the solver's "
    "buffers "
    "runs on\nthe same device (the best of some before and after the row; with gl by a "
    "kernel "
    "or the driver),\nand with gl what starting the passes costs when they do nothing. It is "
    "given as a part of the\nmeasured time, of a pass and of a frame. A frame of cpu, whose "
    "tiles keep a piece of the cloth\nin the cache for all passes of a substep, moves every "
    "row once a substep instead. Above 100 %\nmemory was not what counted: what one pass "
    "left "
    "in a cache the next one found there.\n\n"
    "Rows that the solver refuses are left out, named, and make the status 1. Without "
    "usable\n"
    "OpenGL the other backends alone are timed and the status is 1; 77 when gl was named. "
    "What\n"
    "--max-strain chose and the last frame reached stands on stderr. A state that is "
    "infinite or\n"
    "NaN after a run ends it with status 5, and the run is repeated once to name the first "
    "frame,\n"
    "substep, pass and particle.\n\n"
    "Ctrl-C leaves the row in progress; those before it are printed and written (status\n"
    "130, 143 for SIGTERM). A second Ctrl-C, and one in the first row, stops at once.\n\n"
    "A page is drawn by Python with matplotlib (Debian: python3-matplotlib): that of the\n"
    "environment variable WEFT_PYTHON, else python3, else /usr/bin/python3.";

int weft_cmd_bench(int argc, char **argv) {
  bench_options own = {.max_loss = -1, .request.plan.warm_up_frames = UINT32_MAX};
  weft_cli_options options;
  weft_positionals named = {0};
  const weft_cli_spec spec = {
      .command = "bench",
      .arguments = "[SCENES|FILE] [options]",
      .summary =
          "Times built-in scenes at several sizes, or the cloth of a file, on several backends. "
          "Each run\nstarts from the same state, that after --warm-up-frames. A row has the median "
          "time a frame of\nthe runs, and the largest p99 of strain on the way.",
      .notes = notes,
      .tables = WEFT_CLI_SCENE | WEFT_CLI_SIMULATION | WEFT_CLI_INSTANCES | WEFT_CLI_THREADS |
                WEFT_CLI_GL,
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
      .max_positionals = WEFT_MAX_POSITIONALS,
      .positionals = &named,
  };
  int status;
  weft_error err = {0};
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  if (choose_subjects(&named, &own, &options, &err) != WEFT_OK) {
    weft_cli_options_free(&options);
    return weft_cli_fail(&err);
  }
  options.reads[0] = own.compare;
  options.reads[1] = own.from;
  bool gl_named = own.request.backends.count && wants(&own, "gl");
  const char *ignored = pointless(&own, &options);
  set_defaults(&own);
  status = ignored ? weft_cli_usage("%s", ignored) : run(&own, &options, gl_named);
  weft_cli_options_free(&options);
  return status;
}
