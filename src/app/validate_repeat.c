/* validate_repeat.c: whole runs must end in the same state, however often they are repeated,
 * however many invocations form a group, however many threads the driver has.
 *
 * A software driver reads LP_NUM_THREADS when its screen is made and never again, so each run has a
 * process of its own, forked while this one has no context yet. */
#define _POSIX_C_SOURCE 200809L /* fork, setenv */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "validate.h"

typedef struct repeat_case {
  const char *name;
  uint32_t group_size;
  const char *threads; /* NULL: the driver's choice */
} repeat_case;

static const repeat_case cases[] = {
    {"group size 64", 64, NULL},   {"again", 64, NULL},           {"group size 32", 32, NULL},
    {"group size 128", 128, NULL}, {"LP_NUM_THREADS=0", 64, "0"}, {"LP_NUM_THREADS=1", 64, "1"},
    {"LP_NUM_THREADS=2", 64, "2"}, {"LP_NUM_THREADS=4", 64, "4"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* What a child reports. */
typedef struct outcome {
  weft_result result;
  uint64_t hash;
  char message[1024];
} outcome;

static weft_result hash_of_run(const weft_app_options *options, uint64_t *hash, weft_error *err) {
  weft_app_session session = {0};
  weft_result result = weft_app_session_open(options, false, &session, err);
  for (uint32_t f = 0; f < options->frames && result == WEFT_OK; ++f) {
    result = weft_scene_step(&session.scene, session.solver, err);
  }
  if (result == WEFT_OK) result = weft_solver_hash(session.solver, hash, err);
  weft_app_session_close(&session);
  return result;
}

static outcome run_here(const weft_app_options *options) {
  outcome out = {0};
  weft_error err = {0};
  out.result = hash_of_run(options, &out.hash, &err);
  snprintf(out.message, sizeof out.message, "%s", err.message);
  return out;
}

static _Noreturn void be_child(const weft_app_options *options, const repeat_case *c,
                               int pipe_end) {
  weft_app_options own = *options;
  own.group_size = c->group_size;
  own.backend = WEFT_APP_BACKEND_GL;
  if (c->threads) setenv("LP_NUM_THREADS", c->threads, 1);
  outcome out = run_here(&own);
  ssize_t written = write(pipe_end, &out, sizeof out);
  _exit(written == (ssize_t)sizeof out ? 0 : 1);
}

static weft_result run_child(const weft_app_options *options, const repeat_case *c, outcome *out,
                             weft_error *err) {
  int ends[2];
  if (pipe(ends) != 0) {
    return weft_fail(err, WEFT_ERROR_FILE, "no pipe to a child process: %s", strerror(errno));
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(options, c, ends[1]);
  }
  close(ends[1]);
  ssize_t got = child > 0 ? read(ends[0], out, sizeof *out) : -1;
  close(ends[0]);
  if (child < 0) return weft_fail(err, WEFT_ERROR_FILE, "no child process: %s", strerror(errno));
  int status = 0;
  waitpid(child, &status, 0);
  if (got != (ssize_t)sizeof *out) {
    return weft_fail(err, WEFT_ERROR_GL, "the run with %s ended with status %d", c->name, status);
  }
  if (out->result != WEFT_OK) return weft_fail(err, out->result, "%s", out->message);
  return WEFT_OK;
}

static void say_hash(const char *name, uint64_t hash, uint64_t expected, json_t *rows) {
  printf("  %-17s %016llx%s\n", name, (unsigned long long)hash,
         hash == expected ? "" : "  DIFFERENT");
  json_array_append_new(rows, json_pack("{s:s, s:o, s:b}", "run", name, "hash",
                                        weft_hex_json(hash, 16), "equal", hash == expected));
}

weft_result weft_validate_repeat(weft_validation *v, weft_error *err) {
  WEFT_CHECK(!v->gl, "runs are forked before a context is made");
  weft_app_options options = *v->options;
  options.backend = WEFT_APP_BACKEND_REF;
  outcome ref = run_here(&options);
  if (ref.result != WEFT_OK) return weft_fail(err, ref.result, "%s", ref.message);
  json_t *rows = json_array();
  json_object_set_new(v->report, "repeat", rows);
  printf("repeat: state hashes after %u frames\n", options.frames);
  say_hash("ref", ref.hash, ref.hash, rows);
  uint32_t different = 0;
  for (int k = 0; k < CASES; ++k) {
    outcome out = {0};
    weft_result result = run_child(v->options, &cases[k], &out, err);
    if (result != WEFT_OK) return result;
    say_hash(cases[k].name, out.hash, ref.hash, rows);
    different += out.hash != ref.hash;
    weft_progress("repeating", (uint64_t)k + 1, CASES);
  }
  printf("  %s\n", different ? "DIFFERENT" : "EQUAL: one hash for all");
  if (different) v->different = true;
  return WEFT_OK;
}
