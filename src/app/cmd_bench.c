/* weft bench: times scenes, sizes and backends. Every sample restores the state first, so that all
 * of them time the same frames. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "build_info.h"
#include "report.h"
#include "solver.h"
#include "watch.h"

enum { MOST_ITEMS = 16, MOST_SAMPLES = 1000 };

typedef struct name_list {
  char text[MOST_ITEMS][32];
  uint32_t count;
} name_list;

typedef struct bench_options {
  name_list scenes, sizes, backends;
  uint32_t samples, frames, warm_up;
  int format;
  const char *output;
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
    {.name = "samples",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "timed runs of each, 1 to 1000. Default: 7",
     .offset = offsetof(bench_options, samples),
     .low = 1,
     .high = MOST_SAMPLES},
    {.name = "frames",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "frames of a run, 1 to 10000. Default: 10",
     .offset = offsetof(bench_options, frames),
     .low = 1,
     .high = 10000},
    {.name = "warm-up",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "runs before the timed ones, 1 to 100. Default: 1",
     .offset = offsetof(bench_options, warm_up),
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
};

/* ---- measuring ---- */

typedef struct row {
  char scene[32];
  uint32_t size, particles, colours;
  uint64_t constraints;
  const char *backend, *mode;
  double median, p95, least; /* ms per frame */
  double rate;               /* constraint projections per second, from the median */
  double strain_p99;
  uint64_t hash;
} row;

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One run from the rest pose: seconds a frame. */
static weft_result run_once(weft_scene_instance *scene, weft_solver *solver, uint32_t frames,
                            double *seconds, weft_error *err) {
  weft_result result = weft_solver_reset(solver, err);
  solver->backend->finish(solver->instance);
  double start = weft_clock_seconds();
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    result = weft_scene_step(scene, solver, err);
  }
  solver->backend->finish(solver->instance);
  *seconds = (weft_clock_seconds() - start) / frames;
  return result;
}

static void fill_times(row *out, double *seconds, uint32_t samples, const weft_params *params) {
  qsort(seconds, samples, sizeof *seconds, ascending);
  uint32_t middle = samples / 2;
  double median = samples % 2 ? seconds[middle] : 0.5 * (seconds[middle - 1] + seconds[middle]);
  out->median = 1e3 * median;
  out->p95 = 1e3 * seconds[(uint32_t)(0.95 * (samples - 1) + 0.5)];
  out->least = 1e3 * seconds[0];
  out->rate = (double)out->constraints * params->substeps * params->iterations / median;
}

/* A timed run cannot look at its states on the way: it is watched the second time. */
static weft_result stop(weft_scene_instance *scene, weft_solver *solver, const row *out,
                        uint32_t frames, weft_error *err) {
  weft_app_watch watch;
  weft_error why = {0};
  weft_result result = weft_solver_reset(solver, &why);
  if (result == WEFT_OK) result = weft_app_watch_open(scene, solver, &watch, &why);
  if (result != WEFT_OK) return weft_fail(err, result, "%s", why.message);
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    result = weft_app_watch_step(&watch, f + 1 == frames, &why);
  }
  weft_app_watch_close(&watch);
  if (result == WEFT_OK) snprintf(why.message, sizeof why.message, "not when it ran again");
  return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s at size %u became infinite or NaN on %s: %s",
                   scene->name, out->size, out->backend, why.message);
}

static weft_result measure(const bench_options *own, weft_scene_instance *scene,
                           const weft_backend *backend, row *out, weft_error *err) {
  weft_solver *solver;
  weft_result result = weft_solver_create(scene->model, &scene->params, backend, &solver, err);
  if (result != WEFT_OK) return result;
  double seconds[MOST_SAMPLES];
  for (uint32_t k = 0; k < own->warm_up && result == WEFT_OK; ++k) {
    result = run_once(scene, solver, own->frames, &seconds[0], err);
  }
  for (uint32_t k = 0; k < own->samples && result == WEFT_OK; ++k) {
    weft_app_progress(scene->name, k, own->samples);
    result = run_once(scene, solver, own->frames, &seconds[k], err);
  }
  weft_app_progress_clear();
  weft_metrics metrics;
  if (result == WEFT_OK) result = weft_solver_metrics(solver, &metrics, err);
  if (result == WEFT_OK) result = weft_solver_hash(solver, &out->hash, err);
  if (result == WEFT_OK) {
    out->particles = weft_model_particle_count(scene->model);
    out->constraints = weft_constraint_count(scene->model);
    out->colours = weft_colour_count(scene->model);
    out->backend = weft_backend_name(backend);
    out->mode = weft_mode_name(weft_solver_params(solver)->mode);
    out->strain_p99 = metrics.strain_p99;
    fill_times(out, seconds, own->samples, weft_solver_params(solver));
    if (metrics.nonfinite) result = stop(scene, solver, out, own->frames, err);
  }
  weft_solver_destroy(solver);
  return result;
}

typedef struct table {
  row *rows;
  size_t count, capacity;
  bool missing; /* a wanted backend did not run */
} table;

static weft_result bench_one(const bench_options *own, const weft_app_options *options,
                             const char *name, uint32_t size, weft_gl *gl, table *t,
                             weft_error *err) {
  weft_scene_instance scene;
  weft_result result = weft_app_make_scene_sized(options, name, size, &scene, err);
  for (uint32_t b = 0; b < own->backends.count && result == WEFT_OK; ++b) {
    const char *wanted = own->backends.text[b];
    const weft_backend *backend = weft_backend_ref();
    if (strcmp(wanted, "f64") == 0) backend = weft_backend_f64();
    if (strcmp(wanted, "cpu") == 0) backend = weft_backend_cpu(options->threads);
    if (strcmp(wanted, "gl") == 0) {
      if (!gl) continue;
      result = weft_backend_gl(gl, &backend, err);
      if (result != WEFT_OK) break;
    }
    void *rows = t->rows;
    weft_grow(&rows, &t->capacity, t->count + 1, sizeof *t->rows);
    t->rows = rows;
    row *out = &t->rows[t->count];
    *out = (row){.size = size};
    snprintf(out->scene, sizeof out->scene, "%s", name);
    result = measure(own, &scene, backend, out, err);
    if (result == WEFT_OK) t->count++;
  }
  weft_scene_free(&scene);
  return result;
}

static weft_result bench_all(const bench_options *own, const weft_app_options *options, weft_gl *gl,
                             table *t, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t s = 0; s < own->scenes.count; ++s) {
    for (uint32_t k = 0; k < own->sizes.count && result == WEFT_OK; ++k) {
      uint32_t size = (uint32_t)strtoul(own->sizes.text[k], NULL, 10);
      result = bench_one(own, options, own->scenes.text[s], size, gl, t, err);
    }
  }
  return result;
}

/* ---- printing ---- */

static const char *slow_build(void) {
  return weft_app_build_is_slow() ? "this is a debug or sanitized build: its times mean nothing"
                                  : NULL;
}

static void print_table(FILE *file, const table *t, const char *driver) {
  fprintf(file, "weft commit %s, %s (%s)\nprocessor  %s\ndriver     %s\n", weft_build.commit,
          weft_build.compiler, weft_build.type, weft_app_processor(), driver ? driver : "none");
  if (slow_build()) fprintf(file, "warning    %s\n", slow_build());
  fprintf(file, "\n%-8s %5s %9s %11s %7s %-7s %-6s %9s %9s %9s %8s %9s  %s\n", "scene", "size",
          "particles", "constraints", "colours", "backend", "mode", "ms/frame", "p95", "min",
          "Mproj/s", "strain99", "state hash");
  for (size_t k = 0; k < t->count; ++k) {
    const row *r = &t->rows[k];
    fprintf(file, "%-8s %5u %9u %11llu %7u %-7s %-6s %9.3f %9.3f %9.3f %8.1f %8.3f%%  %016llx\n",
            r->scene, r->size, r->particles, (unsigned long long)r->constraints, r->colours,
            r->backend, r->mode, r->median, r->p95, r->least, 1e-6 * r->rate, 100 * r->strain_p99,
            (unsigned long long)r->hash);
  }
}

static void print_csv(FILE *file, const table *t, const char *driver) {
  fprintf(file,
          "scene,size,particles,constraints,colours,backend,mode,ms_per_frame_median,"
          "ms_per_frame_p95,ms_per_frame_min,projections_per_s,strain_p99,hash,processor,driver,"
          "compiler,build_type,commit\n");
  for (size_t k = 0; k < t->count; ++k) {
    const row *r = &t->rows[k];
    fprintf(file,
            "%s,%u,%u,%llu,%u,%s,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%016llx,\"%s\",\"%s\",\"%s\",%s,%s\n",
            r->scene, r->size, r->particles, (unsigned long long)r->constraints, r->colours,
            r->backend, r->mode, r->median, r->p95, r->least, r->rate, r->strain_p99,
            (unsigned long long)r->hash, weft_app_processor(), driver ? driver : "none",
            weft_build.compiler, weft_build.type, weft_build.commit);
  }
}

static json_t *to_json(const table *t, weft_gl *gl) {
  json_t *rows = json_array();
  for (size_t k = 0; k < t->count; ++k) {
    const row *r = &t->rows[k];
    json_t *o = json_object();
    json_object_set_new(o, "scene", json_string(r->scene));
    json_object_set_new(o, "size", json_integer(r->size));
    json_object_set_new(o, "particles", json_integer(r->particles));
    json_object_set_new(o, "constraints", json_integer((json_int_t)r->constraints));
    json_object_set_new(o, "colours", json_integer(r->colours));
    json_object_set_new(o, "backend", json_string(r->backend));
    json_object_set_new(o, "mode", json_string(r->mode));
    json_object_set_new(o, "ms_per_frame_median", weft_json_real(r->median));
    json_object_set_new(o, "ms_per_frame_p95", weft_json_real(r->p95));
    json_object_set_new(o, "ms_per_frame_min", weft_json_real(r->least));
    json_object_set_new(o, "projections_per_s", weft_json_real(r->rate));
    json_object_set_new(o, "strain_p99", weft_json_real(r->strain_p99));
    json_object_set_new(o, "hash", weft_json_hash(r->hash));
    json_array_append_new(rows, o);
  }
  json_t *all = json_object();
  json_object_set_new(all, "build", weft_json_build(gl));
  json_object_set_new(all, "times_mean_something", json_boolean(!weft_app_build_is_slow()));
  json_object_set_new(all, "rows", rows);
  return all;
}

static void print_as(FILE *file, int format, const table *t, weft_gl *gl) {
  char text[600];
  const char *driver = weft_driver_name(gl, text, sizeof text);
  if (format == FORMAT_TABLE) print_table(file, t, driver);
  if (format == FORMAT_CSV) print_csv(file, t, driver);
  if (format == FORMAT_JSON) {
    json_t *json = to_json(t, gl);
    json_dumpf(json, file, JSON_INDENT(2));
    fputc('\n', file);
    json_decref(json);
  }
}

static weft_result print_all(const bench_options *own, const table *t, weft_gl *gl,
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
  if (!own->samples) own->samples = own->quick ? 5 : 7;
  if (!own->frames) own->frames = own->quick ? 3 : 10;
  if (!own->warm_up) own->warm_up = 1;
}

static bool wants(const bench_options *own, const char *backend) {
  for (uint32_t k = 0; k < own->backends.count; ++k) {
    if (strcmp(own->backends.text[k], backend) == 0) return true;
  }
  return false;
}

static int bench(const bench_options *own, const weft_app_options *options, bool gl_named) {
  weft_error err = {0};
  weft_gl *gl = NULL;
  table t = {0};
  weft_result result = WEFT_OK;
  if (wants(own, "gl")) result = weft_app_make_gl(options, &gl, &err);
  if (result == WEFT_ERROR_NO_GL && !gl_named && wants(own, "ref")) {
    weft_log(WEFT_LOG_WARNING, "%s; only the reference is timed", err.message);
    t.missing = true;
    result = WEFT_OK;
  }
  if (result == WEFT_OK && slow_build()) weft_log(WEFT_LOG_WARNING, "%s", slow_build());
  if (result == WEFT_OK) result = bench_all(own, options, gl, &t, &err);
  int status = result == WEFT_OK ? WEFT_EXIT_OK : weft_app_fail(&err);
  if (t.count && print_all(own, &t, gl, &err) != WEFT_OK) status = weft_app_fail_output(&err);
  if (status == WEFT_EXIT_OK && t.missing) status = WEFT_EXIT_DIFFERENT;
  free(t.rows);
  if (gl) weft_gl_destroy(gl);
  return status;
}

int weft_cmd_bench(int argc, char **argv) {
  bench_options own = {0};
  weft_app_options options;
  const weft_app_spec spec = {
      .command = "bench",
      .arguments = "[options]",
      .summary =
          "Times built-in scenes at several sizes on both backends. Each run starts from the "
          "rest\npose; ms per frame are the median, 95th percentile and least of the runs. "
          "Strain and state\nhash stand beside the times: equal hashes mean both backends did the "
          "same work.",
      .notes =
          "Without usable OpenGL the reference alone is timed and the status is 1; 77 when gl "
          "was\nnamed. A state that is infinite or NaN after a run ends it with status 5, and the "
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
  status = bench(&own, &options, gl_named);
  weft_app_options_free(&options);
  return status;
}
