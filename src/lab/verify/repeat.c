/* repeat.c: whole runs must end in the same state, however often they are repeated, however many
 * invocations form a group, however many threads the driver has.
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

#include "verify.h"

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
_Static_assert((int)WEFT_REPEAT_RUNS == (int)CASES + 1, "findings have room for all runs");

/* What a child reports. */
typedef struct outcome {
  weft_result result;
  uint64_t hash;
  char message[1024];
} outcome;

static weft_result hash_of_run(const weft_verify_request *request, const weft_backend *backend,
                               uint64_t *hash, weft_error *err) {
  weft_scene_instance scene = {0};
  weft_solver *solver = NULL;
  weft_result result = request->make_scene(request->user, &scene, err);
  if (result != WEFT_OK) return result;
  result = weft_solver_create(scene.model, &scene.params, backend, &solver, err);
  for (uint32_t f = 0; f < request->frames && result == WEFT_OK; ++f) {
    result = weft_scene_step(&scene, solver, err);
  }
  if (result == WEFT_OK) result = weft_solver_hash(solver, hash, err);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  return result;
}

static weft_result run_on_gl(const weft_verify_request *request, uint32_t group_size,
                             uint64_t *hash, weft_error *err) {
  weft_gl_desc desc = request->gl_desc;
  desc.group_size = group_size;
  weft_gl *gl = NULL;
  const weft_backend *backend = NULL;
  weft_result result = weft_gl_create_headless(&desc, &gl, err);
  if (result == WEFT_OK) result = weft_backend_gl(gl, &backend, err);
  if (result == WEFT_OK) result = hash_of_run(request, backend, hash, err);
  weft_gl_destroy(gl);
  return result;
}

static _Noreturn void be_child(const weft_verify_request *request, const repeat_case *c,
                               int pipe_end) {
  outcome out = {0};
  weft_error err = {0};
  if (c->threads) setenv("LP_NUM_THREADS", c->threads, 1);
  out.result = run_on_gl(request, c->group_size, &out.hash, &err);
  snprintf(out.message, sizeof out.message, "%s", err.message);
  ssize_t written = write(pipe_end, &out, sizeof out);
  _exit(written == (ssize_t)sizeof out ? 0 : 1);
}

static weft_result run_child(const weft_verify_request *request, const repeat_case *c, outcome *out,
                             weft_error *err) {
  int ends[2];
  if (pipe(ends) != 0) {
    return weft_fail(err, WEFT_ERROR_FILE, "no pipe to a child process: %s", strerror(errno));
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(request, c, ends[1]);
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

static void add_run(weft_repeat_findings *findings, const char *name, uint64_t hash) {
  findings->runs[findings->count].name = name;
  findings->runs[findings->count++].hash = hash;
  findings->different += hash != findings->runs[0].hash;
}

weft_result weft_verify_repeat(const weft_verify_request *request, weft_repeat_findings *findings,
                               weft_error *err) {
  WEFT_CHECK(!request->gl, "runs are forked before a context is made");
  *findings = (weft_repeat_findings){0};
  uint64_t hash = 0;
  weft_result result = hash_of_run(request, weft_backend_ref(), &hash, err);
  if (result != WEFT_OK) return result;
  add_run(findings, "ref", hash);
  for (int k = 0; k < CASES; ++k) {
    outcome out = {0};
    result = run_child(request, &cases[k], &out, err);
    if (result != WEFT_OK) return result;
    add_run(findings, cases[k].name, out.hash);
    weft_progress("repeating", (uint64_t)k + 1, CASES);
  }
  return WEFT_OK;
}
