/* frame_log.c: a row is a JSON object; for CSV its members in a line, lists by their axes. */
#define _POSIX_C_SOURCE 200809L
#include "frame_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/version.h>

#include "instance_results.h"
#include "json.h"
#include "outputs.h"

static bool ends(const char *path, const char *ending) {
  const size_t length = strlen(path), own = strlen(ending);
  return length > own && strcmp(path + length - own, ending) == 0;
}

weft_result weft_frame_log_check(weft_frame_log *log, const weft_cli_options *options,
                                 weft_error *err) {
  if (!log->path) {
    return log->instances
               ? weft_fail(err, WEFT_ERROR_ARGUMENT, "--log-instances does nothing without --log")
               : WEFT_OK;
  }
  log->csv = ends(log->path, ".csv");
  if (!log->csv && !ends(log->path, ".jsonl")) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--log: %.3000s: a log ends with .csv or .jsonl; how much is told is "
                     "--log-level",
                     log->path);
  }
  if (log->instances && options->instances < 2) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--log-instances does nothing without --instances");
  }
  const weft_result result = weft_cli_output_check(options, log->path, err);
  log->failed = result == WEFT_ERROR_FILE;
  return result;
}

static weft_result fail(weft_frame_log *log, int why, weft_error *err) {
  log->failed = true;
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot be written: %s", log->path,
                   why ? strerror(why) : "the file is full");
}

/* Outputs are not what a scene is. */
static weft_result describe(weft_frame_log *log, const weft_cli_options *options,
                            const weft_scene_instance *scene, const char *backend,
                            weft_error *err) {
  char *text = NULL;
  if (log->csv || options->instances > 1) return WEFT_OK;
  const weft_result result = weft_setup_write(&options->setup, scene, log->path, &text, err);
  if (result != WEFT_OK) return result;
  json_t *described = json_loads(text, 0, NULL);
  json_object_del(described, "outputs");
  weft_free(text);
  log->run =
      json_pack("{s:s, s:s, s:o}", "version", WEFT_VERSION, "backend", backend, "scene", described);
  return WEFT_OK;
}

/* Leaves the rows up to a frame, which has to be there. */
static weft_result keep_rows(weft_frame_log *log, uint64_t frame, weft_error *err) {
  char *line = NULL;
  size_t room = 0;
  off_t kept = 0, at = 0;
  unsigned long long last = 0, of;
  for (ssize_t n; (n = getline(&line, &room, log->file)) > 0 && line[n - 1] == '\n';) {
    at += n;
    if (sscanf(line, log->csv ? "%llu," : "{\"frame\":%llu,", &of) != 1 || of > frame) continue;
    last = of;
    kept = at;
  }
  free(line);
  if (kept == 0 || last != frame) {
    return weft_fail(err, WEFT_ERROR_FORMAT,
                     "%s: it has no row of frame %llu, where --resume goes on", log->path,
                     (unsigned long long)frame);
  }
  log->headed = true;
  if (fflush(log->file) == 0 && ftruncate(fileno(log->file), kept) == 0 &&
      fseeko(log->file, kept, SEEK_SET) == 0) {
    return WEFT_OK;
  }
  return fail(log, errno, err);
}

weft_result weft_frame_log_open(weft_frame_log *log, const weft_cli_options *options,
                                const weft_cli_session *session, weft_error *err) {
  if (!log->path) return WEFT_OK;
  const uint64_t frame = weft_solver_frame(session->solver);
  log->file = frame > 0 ? fopen(log->path, "r+") : NULL;
  if (log->file) return keep_rows(log, frame, err);
  const char *backend = weft_backend_name(session->backend);
  const weft_result result = describe(log, options, &session->scene, backend, err);
  if (result != WEFT_OK) return result;
  log->file = fopen(log->path, "w");
  return log->file ? WEFT_OK : fail(log, errno, err);
}

/* ---- rows ---- */

static json_t *row_json(weft_solver *solver, uint64_t frame, uint32_t instance, double ms,
                        const weft_metrics *metrics, uint64_t hash) {
  json_t *row = json_object(), *measured = weft_json_metrics(metrics);
  json_object_set_new(row, "frame", json_integer((json_int_t)frame));
  json_object_set_new(row, "time_s", weft_json_real(weft_solver_time(solver)));
  if (instance > 0) json_object_set_new(row, "instance", json_integer(instance));
  json_object_set_new(row, "substeps", json_integer(weft_solver_params(solver)->substeps));
  json_object_set_new(row, "ms", ms < 0 ? json_null() : weft_json_real(ms));
  json_object_set_new(row, "hash", weft_json_hash(hash));
  json_object_update(row, measured);
  json_decref(measured);
  return row;
}

static void put_value(FILE *file, const json_t *value) {
  if (json_is_integer(value)) fprintf(file, "%lld", (long long)json_integer_value(value));
  if (json_is_real(value)) fprintf(file, "%.9g", json_real_value(value));
  if (json_is_string(value)) fputs(json_string_value(value), file);
}

/* The cells of a row or, `names`, what they are called. */
static void put_cells(FILE *file, json_t *row, bool names) {
  const char *name;
  json_t *value;
  bool first = true;
  json_object_foreach(row, name, value) {
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    for (size_t k = 0; k < count; ++k) {
      if (!first) fputc(',', file);
      first = false;
      if (names) {
        fprintf(file, json_is_array(value) ? "%s_%c" : "%s", name, "xyz"[k]);
      } else {
        put_value(file, json_is_array(value) ? json_array_get(value, k) : value);
      }
    }
  }
  fputc('\n', file);
}

static weft_result put_row(weft_frame_log *log, json_t *row, weft_error *err) {
  if (!log->csv) {
    if (!log->headed) json_object_update(row, log->run);
    log->headed = true;
    json_dumpf(row, log->file, JSON_COMPACT | JSON_REAL_PRECISION(9));
    fputc('\n', log->file);
  } else {
    if (!log->headed) put_cells(log->file, row, true);
    log->headed = true;
    put_cells(log->file, row, false);
  }
  json_decref(row);
  errno = 0;
  return fflush(log->file) == 0 && !ferror(log->file) ? WEFT_OK : fail(log, errno, err);
}

static weft_result put_instances(weft_frame_log *log, weft_solver *solver,
                                 const weft_kept_state *state, double ms, weft_error *err) {
  const uint32_t parts = weft_model_part_count(weft_solver_model(solver));
  weft_instance_result *results = weft_alloc(parts, sizeof *results);
  weft_result result = weft_instance_results(solver, state, results, err);
  for (uint32_t p = 0; p < parts && result == WEFT_OK; ++p) {
    const weft_instance_result *of = &results[p];
    result = put_row(log, row_json(solver, state->frame, p + 1, ms, &of->metrics, of->hash), err);
  }
  weft_free(results);
  return result;
}

weft_result weft_frame_log_row(weft_frame_log *log, weft_solver *solver,
                               const weft_kept_state *state, double ms, weft_error *err) {
  if (!log->file) return WEFT_OK;
  if (log->instances) return put_instances(log, solver, state, ms, err);
  weft_metrics metrics;
  uint64_t hash;
  weft_result result = weft_solver_metrics(solver, &metrics, err);
  if (result == WEFT_OK) result = weft_solver_hash(solver, &hash, err);
  if (result != WEFT_OK) return result;
  return put_row(log, row_json(solver, state->frame, 0, ms, &metrics, hash), err);
}

weft_result weft_frame_log_close(weft_frame_log *log, weft_error *err) {
  json_decref(log->run);
  log->run = NULL;
  if (!log->file) return WEFT_OK;
  errno = 0;
  const bool written = fclose(log->file) == 0;
  log->file = NULL;
  return written ? WEFT_OK : fail(log, errno, err);
}
