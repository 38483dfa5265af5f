/* passes.c: time by kind of pass, in runs of their own.
 *
 * With gl by timestamps that the device writes between runs of passes of one kind, so that nothing
 * waits for the host; elsewhere by the clock around a pass and its end. There nothing is left of
 * what a backend does across passes (the tiles of cpu), and each pass pays for its end. */
#include <string.h>

#include "bench_internal.h"
#include "gl.h"
#include "solver_gl.h"

typedef struct span {
  weft_gl_timer timer;
  int kind; /* weft_pass_kind, or WEFT_PASS_SINGLE */
} span;

typedef struct pass_timer {
  bool by_device;
  weft_bench_pass *passes;
  const weft_gl *gl;   /* by the device */
  uint64_t dispatches; /* before the pass that runs */
  double start;        /* s, of the pass that runs; by the clock */
  span *frame;         /* of this frame, with timers that are used again; by the device */
  size_t count, made, capacity;
  bool open; /* the last of them runs */
} pass_timer;

/* ---- around a pass ---- */

static void open_span(pass_timer *t, int kind) {
  void *frame = t->frame;
  weft_grow(&frame, &t->capacity, t->count + 1, sizeof *t->frame);
  t->frame = frame;
  span *own = &t->frame[t->count++];
  if (t->count > t->made) {
    weft_gl_timer_create(&own->timer);
    t->made = t->count;
  }
  own->kind = kind;
  weft_gl_timer_begin(&own->timer);
  t->open = true;
}

static void close_span(pass_timer *t) {
  if (t->open) weft_gl_timer_end(&t->frame[t->count - 1].timer);
  t->open = false;
}

static uint64_t dispatches(const pass_timer *t) {
  return t->gl ? weft_solver_gl_counts(t->gl).dispatches : 0;
}

/* Neighbours of one kind share a timer: some drivers hold passes up at each timestamp. */
static void before(void *user, int kind) {
  pass_timer *t = user;
  if (t->by_device) {
    t->dispatches = dispatches(t);
    if (t->open && t->frame[t->count - 1].kind == kind) return;
    close_span(t);
    if (kind < WEFT_TIMED_KINDS) open_span(t, kind);
  }
  t->start = weft_clock_seconds();
}

static void after(void *user, int kind) {
  pass_timer *t = user;
  t->passes[kind].runs++;
  t->passes[kind].dispatches += (double)(dispatches(t) - t->dispatches);
  if (!t->by_device) t->passes[kind].ms += 1e3 * (weft_clock_seconds() - t->start);
  if (kind == WEFT_PASS_SINGLE) close_span(t);
}

static void collect(pass_timer *t) {
  for (size_t k = 0; k < t->count; ++k) {
    t->passes[t->frame[k].kind].ms += 1e3 * weft_gl_timer_seconds(&t->frame[k].timer);
  }
  t->count = 0;
}

static void free_timer(pass_timer *t) {
  for (size_t k = 0; k < t->made; ++k) weft_gl_timer_destroy(&t->frame[k].timer);
  weft_free(t->frame);
}

/* ---- runs ---- */

static weft_result run_once(pass_timer *t, weft_scene_instance *scene, weft_solver *solver,
                            const weft_kept_state *from, uint32_t frames, weft_bench_pass *passes,
                            weft_error *err) {
  weft_result result = weft_bench_rewind(solver, from, err);
  memset(passes, 0, WEFT_TIMED_KINDS * sizeof *passes);
  t->passes = passes;
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    result = weft_scene_step(scene, solver, err);
    weft_solver_finish(solver);
    collect(t);
  }
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    passes[kind].runs /= frames;
    passes[kind].dispatches /= frames;
    passes[kind].ms /= frames;
  }
  return result;
}

double weft_bench_passes_ms(const weft_bench_pass *passes) {
  double sum = 0;
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) sum += passes[kind].ms;
  return sum;
}

double weft_bench_passes_runs(const weft_bench_pass *passes) {
  double sum = 0;
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) sum += passes[kind].runs;
  return sum;
}

weft_bench_pass weft_bench_self(const weft_bench_pass *passes) {
  weft_bench_pass sum = {0};
  for (uint32_t kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    if (!weft_pass_is_self(kind)) continue;
    sum.runs += passes[kind].runs;
    sum.dispatches += passes[kind].dispatches;
    sum.ms += passes[kind].ms;
    sum.bytes += passes[kind].bytes;
    sum.roofline_ms += passes[kind].roofline_ms;
  }
  return sum;
}

static void warn_of_hash(weft_solver *solver, const weft_bench_row *row) {
  uint64_t hash;
  weft_error why;
  if (weft_solver_hash(solver, &hash, &why) == WEFT_OK && hash == row->hash) return;
  weft_log(WEFT_LOG_WARNING,
           "%s at size %u on %s: the runs with passes timed ended in another state", row->scene,
           row->size, row->backend);
}

/* Of two runs the quicker; one before them makes what is made once. */
weft_result weft_bench_time_passes(const weft_bench_plan *plan, weft_scene_instance *scene,
                                   weft_solver *solver, const weft_kept_state *from,
                                   weft_bench_row *row, weft_error *err) {
  enum { MAX_RUNS = 2 };
  pass_timer t = {.by_device = strcmp(row->backend, "gl") == 0};
  t.gl = t.by_device ? plan->gl : NULL;
  row->pass_clock = t.by_device ? "timestamps of the device" : "clock, each pass waited for";
  const weft_pass_observer observer = {&t, before, after, !t.by_device};
  weft_observed *observed = weft_solver_observe(solver, &observer);
  weft_bench_pass passes[WEFT_TIMED_KINDS];
  weft_result result = run_once(&t, scene, solver, from, plan->frames, passes, err);
  for (uint32_t k = 0; k < plan->samples && k < MAX_RUNS && result == WEFT_OK; ++k) {
    result = run_once(&t, scene, solver, from, plan->frames, passes, err);
    bool best = k == 0 || weft_bench_passes_ms(passes) < weft_bench_passes_ms(row->passes);
    if (best) memcpy(row->passes, passes, sizeof passes);
  }
  weft_solver_observe_end(observed);
  free_timer(&t);
  if (result == WEFT_OK) warn_of_hash(solver, row);
  return result;
}
