/* weft bench: times scenes, sizes, modes and backends. What it is told, and what it runs through;
 * bench.h has the rest. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "max_strain.h"
#include "report.h"

enum { MOST_ITEMS = 16 };

typedef struct name_list {
  char text[MOST_ITEMS][32];
  uint32_t count;
} name_list;

typedef struct bench_options {
  name_list scenes, sizes, backends, modes;
  weft_bench_plan plan;
  int format;
  const char *output, *from, *compare, *report;
  float most_loss; /* part of the time */
  bool quick;
} bench_options;

/* ---- options ---- */

static weft_result split(const char *what, const char *text, name_list *list, weft_error *err) {
  list->count = 0;
  while (true) {
    size_t length = strcspn(text, ",");
    if (length == 0 || length >= sizeof list->text[0]) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%.*s\" is no name", what,
                       (int)(length < 40 ? length : 40), text);
    }
    if (list->count == MOST_ITEMS) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: more than %d names", what, MOST_ITEMS);
    }
    snprintf(list->text[list->count++], sizeof list->text[0], "%.*s", (int)length, text);
    if (!text[length]) return WEFT_OK;
    text += length + 1;
  }
}

static weft_result take_scenes(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  weft_result result = split("--scene", text, &own->scenes, err);
  for (uint32_t k = 0; k < own->scenes.count && result == WEFT_OK; ++k) {
    if (weft_scene_find(own->scenes.text[k])) continue;
    char list[256] = "";
    for (uint32_t s = 0; weft_scene_at(s); ++s) {
      size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%s", s ? ", " : "", weft_scene_at(s)->name);
    }
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--scene: \"%s\" is none of %s",
                       own->scenes.text[k], list);
  }
  return result;
}

static weft_result take_sizes(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  weft_result result = split("--size", text, &own->sizes, err);
  for (uint32_t k = 0; k < own->sizes.count && result == WEFT_OK; ++k) {
    uint32_t ignored;
    result = weft_read_count("--size", own->sizes.text[k], 4, 4096, &ignored, err);
  }
  return result;
}

static weft_result take_backends(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  weft_result result = split("--backend", text, &own->backends, err);
  for (uint32_t k = 0; k < own->backends.count && result == WEFT_OK; ++k) {
    const char *name = own->backends.text[k];
    if (strcmp(name, "ref") && strcmp(name, "cpu") && strcmp(name, "f64") && strcmp(name, "gl")) {
      result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--backend: \"%s\" is none of gl, cpu, ref, f64",
                         name);
    }
  }
  return result;
}

/* -1 for the name of none. */
static int mode_named(const char *name) {
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    if (strcmp(name, weft_mode_name((weft_mode)mode)) == 0) return mode;
  }
  return -1;
}

static weft_result take_modes(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  weft_result result = split("--mode", text, &own->modes, err);
  for (uint32_t k = 0; k < own->modes.count && result == WEFT_OK; ++k) {
    if (mode_named(own->modes.text[k]) >= 0) continue;
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--mode: \"%s\" is none of gs, jacobi, hybrid",
                       own->modes.text[k]);
  }
  return result;
}

/* "10%" or "0.1". */
static weft_result take_loss(void *base, const char *text, weft_error *err) {
  bench_options *own = base;
  char number[40];
  size_t length = strlen(text);
  bool percent = length > 0 && text[length - 1] == '%';
  snprintf(number, sizeof number, "%.*s", (int)(length - percent), text);
  weft_result result = weft_read_number("--most-loss", number, 0, 1000, &own->most_loss, err);
  if (percent) own->most_loss /= 100;
  return result;
}

static const char *const formats[] = {"table", "csv", "json", NULL};
enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

static const weft_option extra[] = {
    {.name = "scene",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "NAMES",
     .help = "built-in scenes, commas between. Default: hanging,drape,skirt",
     .take = take_scenes},
    {.name = "size",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "SIZES",
     .help = "N for N x N particles, commas between. Default: 32,64,128",
     .take = take_sizes},
    {.name = "backend",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "NAMES",
     .help = "gl, cpu, ref, f64, commas between. Default: ref,gl",
     .take = take_backends},
    {.name = "mode",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "MODES",
     .help = "gs (coloured Gauss-Seidel), jacobi (gathered), hybrid (small colours\n"
             "jacobi), commas between. Default: the scene's own, gs for most",
     .take = take_modes},
    {.name = "samples",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "timed runs of each, 1 to 1000. Default: 7",
     .offset = offsetof(bench_options, plan.samples),
     .low = 1,
     .high = WEFT_BENCH_MOST_SAMPLES},
    {.name = "frames",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "frames of a run, 1 to 10000. Default: 10",
     .offset = offsetof(bench_options, plan.frames),
     .low = 1,
     .high = 10000},
    {.name = "warm-up",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "runs before the timed ones, 1 to 100. Default: 1",
     .offset = offsetof(bench_options, plan.warm_up),
     .low = 1,
     .high = 100},
    {.name = "quick",
     .kind = WEFT_OPTION_FLAG,
     .help = "less than a minute: hanging and skirt, sizes 32 and 64, 5 runs of 3 frames,\n"
             "unless said otherwise",
     .offset = offsetof(bench_options, quick)},
    {.name = "format",
     .kind = WEFT_OPTION_CHOICE,
     .argument = "KIND",
     .help = "table, csv or json. Default: table",
     .offset = offsetof(bench_options, format),
     .choices = formats},
    {.name = "output",
     .letter = 'o',
     .kind = WEFT_OPTION_TEXT,
     .argument = "FILE",
     .help = "write there. Default: standard output",
     .offset = offsetof(bench_options, output)},
    {.name = "report",
     .kind = WEFT_OPTION_TEXT,
     .argument = "FILE.html",
     .help = "write one page with the rows, and plots of time, floor, passes and strain",
     .offset = offsetof(bench_options, report)},
    {.name = "compare",
     .kind = WEFT_OPTION_TEXT,
     .argument = "OLD.json",
     .help = "print ratios to rows of this file of before, with the same scene, size,\n"
             "backend, mode and settings; status 1 when one got slower by more than\n"
             "--most-loss or ended in another state",
     .offset = offsetof(bench_options, compare)},
    {.name = "most-loss",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "PART",
     .help = "of the time then, as 10% or 0.1. Default: 10%",
     .take = take_loss},
    {.name = "from",
     .kind = WEFT_OPTION_TEXT,
     .argument = "FILE.json",
     .help = "compare or draw rows of this file instead of measuring any",
     .offset = offsetof(bench_options, from)},
};

/* ---- measuring ---- */

/* Everything beside scene, size, backend and mode that a row depends on. */
static void note_settings(const bench_options *own, const weft_app_options *options,
                          const weft_params *p, const char *backend, weft_bench_row *row) {
  static const char *const methods[] = {"xpbd", "pbd"};
  int used = snprintf(row->settings, sizeof row->settings,
                      "%u x %u, dt %.6g, %s, %u frames, tethers %u, levels %u x %u", p->substeps,
                      p->iterations, (double)p->frame_dt, methods[p->method], own->plan.frames,
                      p->tethers, p->levels, p->level_sweeps);
  char *end = row->settings + used;
  size_t room = sizeof row->settings - (size_t)used;
  if (p->schedule != WEFT_SCHEDULE_AUTO) {
    int more = snprintf(end, room, ", schedule %s", weft_schedule_name(p->schedule));
    end += more;
    room -= (size_t)more;
  }
  if (strcmp(backend, "cpu") == 0) snprintf(end, room, ", threads %u", options->threads);
  if (strcmp(backend, "gl") == 0) snprintf(end, room, ", group %u", options->group_size);
}

/* NULL without an error: that backend is not there. */
static weft_result find_backend(const char *name, const weft_app_options *options, weft_gl *gl,
                                const weft_backend **backend, weft_error *err) {
  *backend = NULL;
  if (strcmp(name, "ref") == 0) *backend = weft_backend_ref();
  if (strcmp(name, "f64") == 0) *backend = weft_backend_f64();
  if (strcmp(name, "cpu") == 0) *backend = weft_backend_cpu(options->threads);
  if (strcmp(name, "gl") == 0 && gl) return weft_backend_gl(gl, backend, err);
  return WEFT_OK;
}

static weft_bench_row *add_row(weft_bench_table *t) {
  void *rows = t->rows;
  weft_grow(&rows, &t->capacity, t->count + 1, sizeof *t->rows);
  t->rows = rows;
  return &t->rows[t->count];
}

/* On stderr: tables and JSON keep standard output for themselves. */
static void tell_strain(const weft_scene_instance *scene, weft_bench_row *row) {
  weft_app_strain strain = {0};
  if (!(scene->held.target > 0)) return;
  weft_app_strain_saw(&strain, row->metrics.strain_threads_p99, row->frames);
  row->max_strain = weft_app_strain_json(scene, &strain);
  fprintf(stderr, "%s, size %u, %s\n", row->scene, row->size, row->backend);
  weft_app_strain_print_choice(stderr, scene);
  weft_app_strain_print_reached(stderr, scene, &strain);
}

/* One scene at one size in one mode, on every backend. */
static weft_result bench_one(const bench_options *own, const weft_app_options *options,
                             const weft_bench_row *subject, weft_gl *gl, weft_bench_table *t,
                             weft_error *err) {
  weft_scene_instance scene;
  weft_bench_row common = *subject;
  weft_bench_reset_peak();
  double start = weft_clock_seconds();
  weft_result result = weft_app_make_scene_sized(options, common.scene, common.size, &scene, err);
  if (result != WEFT_OK) return result;
  common.scene_ms = 1e3 * (weft_clock_seconds() - start);
  common.cook_peak = weft_bench_peak_memory();
  weft_params params;
  result = weft_params_resolve(&scene.params, &params, err);
  for (uint32_t b = 0; b < own->backends.count && result == WEFT_OK; ++b) {
    const weft_backend *backend;
    result = find_backend(own->backends.text[b], options, gl, &backend, err);
    if (result != WEFT_OK || !backend) continue;
    weft_bench_row *row = add_row(t);
    *row = common;
    note_settings(own, options, &params, own->backends.text[b], row);
    result = weft_bench_measure(&own->plan, &scene, backend, row, err);
    if (result != WEFT_OK) break;
    tell_strain(&scene, row);
    t->count++;
  }
  weft_scene_free(&scene);
  return result;
}

/* Every mode that was named; the scene's own when none was. */
static weft_result bench_modes(const bench_options *own, const weft_app_options *options,
                               const weft_bench_row *subject, weft_gl *gl, weft_bench_table *t,
                               weft_error *err) {
  if (own->modes.count == 0) return bench_one(own, options, subject, gl, t, err);
  weft_app_options one = *options;
  one.mode_given = true;
  weft_result result = WEFT_OK;
  for (uint32_t m = 0; m < own->modes.count && result == WEFT_OK; ++m) {
    one.mode = mode_named(own->modes.text[m]);
    result = bench_one(own, &one, subject, gl, t, err);
  }
  return result;
}

static weft_result bench_all(const bench_options *own, const weft_app_options *options, weft_gl *gl,
                             weft_bench_table *t, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t s = 0; s < own->scenes.count; ++s) {
    for (uint32_t k = 0; k < own->sizes.count && result == WEFT_OK; ++k) {
      weft_bench_row subject = {.size = (uint32_t)strtoul(own->sizes.text[k], NULL, 10)};
      snprintf(subject.scene, sizeof subject.scene, "%s", own->scenes.text[s]);
      result = bench_modes(own, options, &subject, gl, t, err);
    }
  }
  return result;
}

/* ---- printing ---- */

static void print_as(FILE *file, int format, const weft_bench_table *t, weft_gl *gl) {
  char text[600];
  const char *driver = weft_driver_name(gl, text, sizeof text);
  if (format == FORMAT_TABLE) weft_bench_print_table(file, t, driver);
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
    print_as(stdout, own->format, t, gl);
    return WEFT_OK;
  }
  weft_output *out;
  weft_result result = weft_output_open(own->output, &out, err);
  if (result != WEFT_OK) return result;
  print_as(weft_output_file(out), own->format, t, gl);
  return weft_output_close(out, err);
}

/* ---- the command ---- */

static void set_list(name_list *list, const char *text) {
  if (list->count == 0) split("", text, list, NULL);
}

static void set_defaults(bench_options *own) {
  set_list(&own->scenes, own->quick ? "hanging,skirt" : "hanging,drape,skirt");
  set_list(&own->sizes, own->quick ? "32,64" : "32,64,128");
  set_list(&own->backends, "ref,gl");
  if (!own->plan.samples) own->plan.samples = own->quick ? 5 : 7;
  if (!own->plan.frames) own->plan.frames = own->quick ? 3 : 10;
  if (!own->plan.warm_up) own->plan.warm_up = 1;
}

static bool wants(const bench_options *own, const char *backend) {
  for (uint32_t k = 0; k < own->backends.count; ++k) {
    if (strcmp(own->backends.text[k], backend) == 0) return true;
  }
  return false;
}

/* What comes of rows, measured or read. Standard output may be taken by the rows themselves. */
static int use_rows(const bench_options *own, const json_t *then, const json_t *rows) {
  weft_error err = {0};
  if (own->report && weft_bench_write_page(own->report, rows, &err) != WEFT_OK) {
    return weft_app_fail_output(&err);
  }
  if (!then) return WEFT_EXIT_OK;
  bool unused = own->from || own->output || own->format == FORMAT_TABLE;
  bool held = weft_bench_compare(unused ? stdout : stderr, own->compare, then, rows,
                                 (double)own->most_loss);
  return held ? WEFT_EXIT_OK : WEFT_EXIT_DIFFERENT;
}

static weft_result open_gl(bench_options *own, const weft_app_options *options, bool gl_named,
                           weft_bench_table *t, weft_error *err) {
  if (!wants(own, "gl")) return WEFT_OK;
  weft_result result = weft_app_make_gl(options, &own->plan.gl, err);
  if (result != WEFT_ERROR_NO_GL || gl_named || !wants(own, "ref")) return result;
  weft_log(WEFT_LOG_WARNING, "%s; only the reference is timed", err->message);
  t->missing = true;
  return WEFT_OK;
}

static int bench(bench_options *own, const weft_app_options *options, bool gl_named,
                 const json_t *then) {
  weft_error err = {0};
  weft_bench_table t = {0};
  own->plan.threads = options->threads;
  weft_result result = open_gl(own, options, gl_named, &t, &err);
  weft_gl *gl = own->plan.gl;
  if (result == WEFT_OK && weft_bench_slow_build()) {
    weft_log(WEFT_LOG_WARNING, "%s", weft_bench_slow_build());
  }
  if (result == WEFT_OK) result = bench_all(own, options, gl, &t, &err);
  int status = result == WEFT_OK ? WEFT_EXIT_OK : weft_app_fail(&err);
  if (t.count && print_all(own, &t, gl, &err) != WEFT_OK) status = weft_app_fail_output(&err);
  json_t *rows = weft_bench_json(&t, gl);
  if (status == WEFT_EXIT_OK) status = use_rows(own, then, rows);
  if (status == WEFT_EXIT_OK && t.missing) status = WEFT_EXIT_DIFFERENT;
  json_decref(rows);
  for (size_t k = 0; k < t.count; ++k) json_decref(t.rows[k].max_strain);
  free(t.rows);
  if (gl) weft_gl_destroy(gl);
  return status;
}

/* Files are read before anything is measured. */
static int run(bench_options *own, const weft_app_options *options, bool gl_named) {
  weft_error err = {0};
  json_t *then = NULL, *rows = NULL;
  if (own->from && !own->compare && !own->report) {
    return weft_app_usage("--from needs --compare or --report");
  }
  weft_result result = WEFT_OK;
  if (own->compare) result = weft_bench_read(own->compare, &then, &err);
  if (result == WEFT_OK && own->from) result = weft_bench_read(own->from, &rows, &err);
  int status = result == WEFT_OK ? WEFT_EXIT_OK : weft_app_fail(&err);
  if (result == WEFT_OK) {
    status = rows ? use_rows(own, then, rows) : bench(own, options, gl_named, then);
  }
  json_decref(then);
  json_decref(rows);
  return status;
}

int weft_cmd_bench(int argc, char **argv) {
  bench_options own = {.most_loss = 0.1f};
  weft_app_options options;
  const weft_app_spec spec = {
      .command = "bench",
      .arguments = "[options]",
      .summary =
          "Times built-in scenes at several sizes on several backends. Each run starts from the "
          "rest\npose; ms per frame are the median, 95th percentile and least of the runs; spread "
          "is what lies\nbetween the quartiles, by the median. Strain, energy and state hash stand "
          "beside the times:\nequal hashes mean that backends did the same work. Set-up is the "
          "mesh with its cooking, and\nthe solver with its buffers; programs of the GPU are "
          "compiled "
          "before. Memory of the host is\nthe most this process held, cooking included; that of "
          "the solver's buffers is on the GPU\nwith gl.",
      .notes =
          "Passes are timed in further runs of the same frames, the quicker of two: with gl by\n"
          "timestamps of the device, elsewhere by the clock around each pass. The backend cpu has "
          "no tiles\nthere and waits for every pass, so its passes add up to more than a frame of "
          "it takes.\n\nThe floor is the time in which the machine could move the bytes that "
          "every pass must read and\nwrite at least, if each did so as fast as a copy of the size "
          "of the solver's buffers runs on\nthe same device right after, and (with gl) what "
          "starting the passes costs when they do nothing.\nIt is given as a part of the measured "
          "time, of a pass and of a frame. Above 100 % memory was\nnot what counted: what one "
          "pass left in a cache the next one found there.\n\n"
          "Without usable OpenGL the reference alone is timed and the status is 1; 77 when gl "
          "was\nnamed. What --max-strain chose and the last frame reached stands on stderr. A "
          "state that is infinite or NaN after a run ends it with status 5, and the "
          "run is\nrepeated once to name the first frame, substep, pass and particle.",

      .tables = WEFT_APP_SIMULATION | WEFT_APP_THREADS | WEFT_APP_GL,
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
  };
  int status;
  if (!weft_app_parse(&spec, argc, argv, &options, &status)) return status;
  bool gl_named = own.backends.count && wants(&own, "gl");
  set_defaults(&own);
  status = run(&own, &options, gl_named);
  weft_app_options_free(&options);
  return status;
}
