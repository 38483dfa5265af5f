/* resume.c: the file of --checkpoint: the command that made the run, what it has seen, and the
 * state of its solver. */
#define _POSIX_C_SOURCE 200809L
#include "resume.h"

#include <string.h>
#include <unistd.h>
#include <weft/change.h>

#include "files.h"
#include "output.h"
#include "record.h"

enum { VERSION = 1 };
static const char name_of_record[] = "weft-run";

/* ---- which run ---- */

/* The scene, and what it is made with, a line each. A file is told by its mesh. */
static weft_string command_of(const weft_setup *setup) {
  weft_string text = {0};
  weft_string_add(&text, "%s\n", setup->scene ? setup->scene : "a file");
  for (size_t k = 0; k < setup->said_count; ++k) {
    const weft_given *said = &setup->said[k];
    if (said->around) weft_string_add(&text, "--%s %s\n", said->option, said->text);
  }
  return text;
}

static void record_text(weft_record *r, weft_string *text) {
  uint32_t length = (uint32_t)text->count;
  weft_record_words(r, &length, 1);
  r->odd = r->odd || !weft_record_has(r, length, 1);
  if (r->from && !r->odd) {
    text->bytes = weft_alloc(length + (size_t)1, 1);
    text->count = length;
  }
  if (!r->odd) weft_record_bytes(r, text->bytes, length);
  r->odd = r->odd || length == 0 || text->bytes[length - 1] != '\n';
}

/* The first line that another text has not, NULL: it has all. */
static const char *line_missing(const char *text, const char *in) {
  for (size_t length; *text; text += length) {
    length = strcspn(text, "\n") + 1;
    const char *at = in;
    while (*at && strncmp(at, text, length) != 0) at += strcspn(at, "\n") + 1;
    if (!*at) return text;
  }
  return NULL;
}

static weft_result compare(const char *path, const char *now, const char *was, weft_error *err) {
  const char *lost = line_missing(was, now);
  const char *line = lost ? lost : line_missing(now, was);
  if (!line) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: of a run with%s %.*s, which is%s given here", path,
                   lost ? "" : "out", (int)strcspn(line, "\n"), line, lost ? " not" : "");
}

/* ---- what it has seen ---- */

typedef struct numbers {
  void *at;
  size_t count, width; /* bytes of each */
} numbers;

static void record_numbers(weft_record *r, const numbers *all, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    if (all[k].width == 1) weft_record_flag(r, all[k].at);
    if (all[k].width == 4) weft_record_words(r, all[k].at, all[k].count);
    if (all[k].width == 8) weft_record_longs(r, all[k].at, all[k].count);
  }
}

static void record_still(weft_record *r, weft_standstill *s) {
  uint32_t reason = s->reason;
  const numbers all[] = {{&s->count, 2, 4}, {&s->all, 1, 1},
                         {&s->since, 1, 8}, {&reason, 1, 4},
                         {s->pair, 4, 4},   {s->of_reason, WEFT_STILL_REASONS, 4},
                         {&s->edges, 1, 1}, {&s->distance, 1, 8}};
  record_numbers(r, all, sizeof all / sizeof *all);
  r->odd = r->odd || reason >= WEFT_STILL_REASONS;
  s->reason = (weft_still_reason)(r->odd ? 0 : reason);
}

static void record_count(weft_record *r, weft_intersections *i) {
  const numbers all[] = {{&i->edge_triangle_pairs, 3, 8},
                         {&i->triangles, 2, 4},
                         {i->pairs, 2 * (size_t)WEFT_INTERSECTIONS_LISTED, 4}};
  record_numbers(r, all, sizeof all / sizeof *all);
  r->odd = r->odd || i->listed > WEFT_INTERSECTIONS_LISTED;
}

static void record_seen(weft_record *r, const weft_cli_seen *seen) {
  weft_watch *w = seen->watch;
  weft_intersections_seen *i = seen->intersections;
  const numbers all[] = {{seen->stepping, 1, 8},
                         {&w->strain.samples, 1, 4},
                         {&w->strain.max, 4, 8},
                         {&w->lag.looks, 3, 4},
                         {&w->lag.most, 2, 8},
                         {&w->still.most_frame, 1, 8},
                         {&i->samples, 1, 4},
                         {&i->last_frame, 1, 8},
                         {&i->max_with_bodies, 1, 8},
                         {&i->max_with_shapes, 3, 8},
                         {&i->bodies.body_inside, 2, 4},
                         {&i->bodies.body_held_most, 1, 8},
                         {&i->max_inside, 1, 4},
                         {&i->max_inside_frame, 4, 8}};
  record_numbers(r, all, sizeof all / sizeof *all);
  record_still(r, &w->still.last);
  record_still(r, &w->still.most);
  record_count(r, &i->last);
  record_count(r, &i->with_bodies);
  record_count(r, &i->with_shapes);
}

/* ---- reading ---- */

static void record_front(weft_record *r, weft_cli_checkpoint *c, weft_string *command) {
  weft_record_longs(r, &c->process, 1);
  weft_record_longs(r, &c->frame, 1);
  record_text(r, command);
}

static weft_result no_run(const char *path, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: it holds numbers that no run has", path);
}

weft_result weft_cli_resume_read(weft_cli_checkpoint *c, const weft_cli_options *options,
                                 weft_error *err) {
  char *bytes = NULL;
  if (!c->from) return WEFT_OK;
  weft_result result = weft_mesh_load(c->from, &bytes, &c->size, err);
  if (result != WEFT_OK) return result;
  c->bytes = bytes;
  weft_record r;
  result = weft_record_open(&r, name_of_record, VERSION, c->bytes, c->size, c->from, err);
  if (result != WEFT_OK) return result;
  weft_string now = command_of(&options->setup), was = {0};
  record_front(&r, c, &was);
  result = r.odd ? no_run(c->from, err) : compare(c->from, now.bytes, was.bytes, err);
  weft_string_free(&now);
  weft_string_free(&was);
  if (result == WEFT_OK && c->path) { /* what was left of a file that was being written */
    weft_output_set_aside(c->path, c->process);
    weft_output_forget_aside(c->path);
  }
  if (result != WEFT_OK || c->frame <= options->frames) return result;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: written after frame %llu, and --frames is %u",
                   c->from, (unsigned long long)c->frame, options->frames);
}

weft_result weft_cli_resume(const weft_cli_checkpoint *c, weft_solver *solver,
                            const weft_cli_seen *seen, weft_error *err) {
  weft_record r;
  weft_cli_checkpoint again;
  weft_result result =
      weft_record_open(&r, name_of_record, VERSION, c->bytes, c->size, c->from, err);
  if (result != WEFT_OK) return result;
  weft_string was = {0};
  record_front(&r, &again, &was);
  weft_string_free(&was);
  record_seen(&r, seen);
  if (r.odd) return no_run(c->from, err);
  weft_error why = {0};
  result = weft_solver_load(solver, r.from + r.at, r.end - r.at, &why);
  if (result == WEFT_OK && weft_solver_frame(solver) != c->frame) return no_run(c->from, err);
  if (result != WEFT_ERROR_ARGUMENT && result != WEFT_ERROR_FORMAT) {
    return result == WEFT_OK ? WEFT_OK : weft_fail(err, result, "%s", why.message);
  }
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %.900s", c->from, why.message);
}

/* ---- writing ---- */

static weft_result write_bytes(const char *path, const void *bytes, size_t size, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  fwrite(bytes, 1, size, weft_output_file(out));
  result = weft_output_sync(out, err);
  if (result == WEFT_OK) return weft_output_close(out, err);
  weft_output_abandon(out);
  return result;
}

static weft_result write_run(weft_cli_checkpoint *c, const weft_cli_options *options,
                             weft_solver *solver, const weft_cli_seen *seen, weft_error *err) {
  void *state, *bytes;
  size_t size;
  weft_result result = weft_solver_save(solver, &state, &size, err);
  if (result != WEFT_OK) return result;
  weft_record r = weft_record_begin(name_of_record, VERSION);
  weft_string command = command_of(&options->setup);
  c->process = (uint64_t)getpid();
  c->frame = weft_solver_frame(solver);
  record_front(&r, c, &command);
  record_seen(&r, seen);
  weft_record_bytes(&r, state, size);
  weft_string_free(&command);
  weft_free(state);
  weft_record_end(&r, &bytes, &size);
  result = write_bytes(c->path, bytes, size, err);
  weft_free(bytes);
  return result;
}

weft_result weft_cli_checkpoint_write(weft_cli_checkpoint *c, bool now,
                                      const weft_cli_options *options, weft_solver *solver,
                                      const weft_cli_seen *seen, weft_cli_outputs *outputs,
                                      weft_error *err) {
  const uint64_t frame = weft_solver_frame(solver), before = c->frame;
  weft_error why = {0};
  if (!c->path || (!now && frame % c->every != 0) || frame == 0) return WEFT_OK;
  weft_result result = weft_cli_outputs_hold(outputs, &why);
  if (result == WEFT_OK) result = write_run(c, options, solver, seen, &why);
  c->failed = result == WEFT_ERROR_FILE;
  if (result == WEFT_OK) weft_cli_outputs_forget(outputs);
  if (!c->failed) return result == WEFT_OK ? WEFT_OK : weft_fail(err, result, "%s", why.message);
  c->frame = before;
  weft_log(WEFT_LOG_ERROR, "%s; the run goes on", why.message);
  return WEFT_OK;
}

void weft_cli_checkpoint_free(weft_cli_checkpoint *c) { weft_free(c->bytes); }
