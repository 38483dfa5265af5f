/* weft verify: whether a run comes out again, frame by frame, as its log says. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "machine.h"

typedef struct replay {
  const char *path;
  FILE *file;
  char *line; /* the latest, and its number */
  size_t room;
  unsigned number, rows; /* rows: in all */
  json_t *row;           /* made of the line; NULL at the end */
} replay;

static weft_result not_one(const replay *r, const char *why, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s:%u: %s", r->path, r->number, why);
}

/* A last line that was cut when its run was killed is none. */
static weft_result next(replay *r, weft_error *err) {
  json_decref(r->row);
  r->row = NULL;
  const ssize_t length = getline(&r->line, &r->room, r->file);
  if (length < 0 || r->line[length - 1] != '\n') return WEFT_OK;
  ++r->number;
  json_error_t why;
  r->row = json_loadb(r->line, (size_t)length, 0, &why);
  if (!r->row) return not_one(r, "this is no log of weft simulate --log", err);
  const json_int_t frame = json_integer_value(json_object_get(r->row, "frame"));
  if (!json_is_string(json_object_get(r->row, "hash")) || frame != (json_int_t)r->number - 1) {
    return not_one(r, "a row of each frame is wanted, from 0 on, with its hash", err);
  }
  return WEFT_OK;
}

/* The scene of the first row, its paths seen from the folder of the log. */
static weft_result take_scene(const replay *r, weft_cli_options *options, weft_error *err) {
  const json_t *scene = json_object_get(r->row, "scene");
  if (!json_is_object(scene)) {
    return not_one(
        r, "the first row has no scene: logs as .jsonl, not of --log-instances, have one", err);
  }
  const char *slash = strrchr(r->path, '/');
  char *text = json_dumps(scene, JSON_INDENT(2)), *folder = weft_strdup(r->path);
  folder[slash ? slash - r->path + 1 : 0] = 0;
  const weft_result result = weft_cli_take_scene(options, text, r->path, folder, err);
  weft_free(text);
  weft_free(folder);
  return result;
}

static weft_result compare(weft_solver *solver, const replay *r, bool *equal, weft_error *err) {
  uint64_t hash;
  const weft_result result = weft_solver_hash(solver, &hash, err);
  if (result != WEFT_OK) return result;
  json_t *here = weft_json_hash(hash);
  const char *there = json_string_value(json_object_get(r->row, "hash"));
  *equal = strcmp(json_string_value(here), there) == 0;
  if (!*equal) {
    printf("frame %u differs: hash %s here, %s in %s\n", r->number - 1, json_string_value(here),
           there, r->path);
  }
  json_decref(here);
  return WEFT_OK;
}

static weft_result run(replay *r, weft_cli_session *s, bool *equal, weft_error *err) {
  weft_result result = compare(s->solver, r, equal, err);
  while (result == WEFT_OK && *equal) {
    result = next(r, err);
    if (result != WEFT_OK || !r->row) break;
    weft_progress("verifying", r->number - 1, r->rows);
    result = weft_scene_step(&s->scene, s->solver, err);
    if (result == WEFT_OK) result = compare(s->solver, r, equal, err);
  }
  weft_progress_end();
  return result;
}

/* What made the log, and what runs now. */
static void print_both(const replay *r, const weft_cli_session *s) {
  char driver[600];
  const char *gl = weft_driver_name(s->gl, driver, sizeof driver);
  const char *by = json_string_value(json_object_get(r->row, "backend"));
  const char *version = json_string_value(json_object_get(r->row, "version"));
  printf("%s: logged by %s of weft %s; here %s%s%s%s\n", r->path, by ? by : "?",
         version ? version : "?", weft_backend_name(s->backend), gl ? " (" : "", gl ? gl : "",
         gl ? ")" : "");
}

static weft_result verify(replay *r, weft_cli_options *options, bool *equal, weft_error *err) {
  weft_cli_session session;
  weft_result result = next(r, err);
  if (result == WEFT_OK && !r->row) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: it has no rows", r->path);
  }
  if (result == WEFT_OK) result = take_scene(r, options, err);
  if (result == WEFT_OK) result = weft_cli_session_open(options, false, &session, err);
  if (result != WEFT_OK) return result;
  print_both(r, &session);
  result = run(r, &session, equal, err);
  if (result == WEFT_OK && *equal) {
    printf("equal in every bit: the start and %llu frames\n",
           (unsigned long long)weft_solver_frame(session.solver));
  }
  weft_cli_session_close(&session);
  return result;
}

static int open_and_verify(weft_cli_options *options, const weft_positionals *logs) {
  if (logs->count == 0) return weft_cli_usage("name a log, as simulate --log FILE.jsonl wrote it");
  if (options->backend == WEFT_CLI_BACKEND_F64) {
    return weft_cli_usage("--backend f64: double precision has other bits");
  }
  replay r = {.path = logs->items[0], .file = fopen(logs->items[0], "r")};
  weft_error err = {0};
  bool equal = false;
  weft_result result = WEFT_OK;
  if (!r.file) {
    result = weft_fail(&err, WEFT_ERROR_FILE, "%s: %s", r.path, strerror(errno));
  } else {
    for (int c; (c = getc(r.file)) != EOF;) r.rows += c == '\n';
    rewind(r.file);
    result = verify(&r, options, &equal, &err);
    fclose(r.file);
  }
  json_decref(r.row);
  free(r.line);
  if (result != WEFT_OK) return weft_cli_fail(&err);
  return equal ? WEFT_EXIT_OK : WEFT_EXIT_DIFFERENT;
}

int weft_cmd_verify(int argc, char **argv) {
  weft_positionals logs = {0};
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "verify",
      .arguments = "LOG [options]",
      .summary =
          "Runs what a log of `weft simulate --log FILE.jsonl` is of, and compares every frame "
          "with\n"
          "it. The first row holds the scene, its paths as seen from the log. Equal hashes mean\n"
          "equal bits: any backend but f64 on any machine comes to them.",
      .tables = WEFT_CLI_BACKEND | WEFT_CLI_THREADS | WEFT_CLI_GL,
      .max_positionals = 1,
      .positionals = &logs,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  status = open_and_verify(&options, &logs);
  weft_cli_options_free(&options);
  return status;
}
