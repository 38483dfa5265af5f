/* bench_passes.c: time by kind of pass, in runs of their own.
 *
 * A backend that stands before the solver's own and takes the time of every pass: with gl by
 * timestamps that the device writes between runs of passes of one kind, so that nothing waits for
 * the host; elsewhere by the clock around a pass and its end. There nothing is left of what a
 * backend does across passes (the tiles of cpu), and each pass pays for its end. */
#include <string.h>

#include "bench.h"
#include "gl.h"
#include "solver.h"

typedef struct taken {
  weft_gl_timer timer;
  int kind; /* weft_pass_kind, or WEFT_PASS_WHOLE */
} taken;

typedef struct taker {
  weft_backend backend; /* what the solver sees */
  const weft_backend *inner;
  void *instance; /* of inner */
  bool by_device;
  weft_bench_pass *passes;
  taken *frame; /* passes of this frame, with timers that are used again */
  size_t count, made, capacity;
  bool open; /* the last of them runs */
} taker;

/* ---- the backend ---- */

static void run_by_clock(taker *t, const weft_pass *pass, uint32_t substep) {
  double start = weft_clock_seconds();
  t->inner->run(t->instance, pass, substep);
  t->inner->finish(t->instance);
  t->passes[pass->kind].ms += 1e3 * (weft_clock_seconds() - start);
}

static taken *next_timer(taker *t, int kind) {
  void *frame = t->frame;
  weft_grow(&frame, &t->capacity, t->count + 1, sizeof *t->frame);
  t->frame = frame;
  taken *own = &t->frame[t->count++];
  if (t->count > t->made) {
    weft_gl_timer_create(&own->timer);
    t->made = t->count;
  }
  own->kind = kind;
  return own;
}

static void end_timer(taker *t) {
  if (t->open) weft_gl_timer_end(&t->frame[t->count - 1].timer);
  t->open = false;
}

/* Neighbours of one kind share a timer: some drivers hold passes up at each timestamp. */
static void run_by_device(taker *t, const weft_pass *pass, uint32_t substep) {
  if (!t->open || t->frame[t->count - 1].kind != (int)pass->kind) {
    end_timer(t);
    weft_gl_timer_begin(&next_timer(t, (int)pass->kind)->timer);
    t->open = true;
  }
  t->inner->run(t->instance, pass, substep);
}

/* Only gl has it. */
static void take_whole(void *instance, const weft_whole_run *run) {
  taker *t = instance;
  t->passes[WEFT_PASS_WHOLE].runs++;
  taken *own = next_timer(t, WEFT_PASS_WHOLE);
  weft_gl_timer_begin(&own->timer);
  t->inner->run_whole(t->instance, run);
  weft_gl_timer_end(&own->timer);
}

static void take_run(void *instance, const weft_pass *pass, uint32_t substep) {
  taker *t = instance;
  t->passes[pass->kind].runs++;
  if (t->by_device) {
    run_by_device(t, pass, substep);
  } else {
    run_by_clock(t, pass, substep);
  }
}

static void take_finish(void *instance) {
  taker *t = instance;
  end_timer(t);
  t->inner->finish(t->instance);
}

static weft_result take_check(void *instance, const char *what, weft_error *err) {
  const taker *t = instance;
  return t->inner->check(t->instance, what, err);
}

static void take_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                      void *data) {
  const taker *t = instance;
  t->inner->read(t->instance, id, first, count, data);
}

static void take_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                       const void *data) {
  const taker *t = instance;
  t->inner->write(t->instance, id, first, count, data);
}

static void stand_before(weft_solver *solver, taker *t) {
  t->inner = solver->backend;
  t->instance = solver->instance;
  t->backend = *solver->backend;
  t->backend.run = take_run;
  t->backend.run_whole = take_whole;
  t->backend.finish = take_finish;
  t->backend.check = take_check;
  t->backend.read = take_read;
  t->backend.write = take_write;
  solver->backend = &t->backend;
  solver->instance = t;
}

static void step_aside(weft_solver *solver, taker *t) {
  solver->backend = t->inner;
  solver->instance = t->instance;
  for (size_t k = 0; k < t->made; ++k) weft_gl_timer_destroy(&t->frame[k].timer);
  weft_free(t->frame);
}

/* ---- runs ---- */

static void collect(taker *t) {
  for (size_t k = 0; k < t->count; ++k) {
    t->passes[t->frame[k].kind].ms += 1e3 * weft_gl_timer_seconds(&t->frame[k].timer);
  }
  t->count = 0;
}

static weft_result run_once(taker *t, weft_scene_instance *scene, weft_solver *solver,
                            const weft_kept_state *from, uint32_t frames, weft_bench_pass *passes,
                            weft_error *err) {
  weft_result result = weft_bench_rewind(solver, from, err);
  memset(passes, 0, WEFT_TIMED_KINDS * sizeof *passes);
  t->passes = passes;
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    result = weft_scene_step(scene, solver, err);
    t->backend.finish(t);
    collect(t);
  }
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    passes[kind].runs /= frames;
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
  enum { MOST_RUNS = 2 };
  taker t = {.by_device = strcmp(row->backend, "gl") == 0};
  row->pass_clock = t.by_device ? "timestamps of the device" : "clock, each pass waited for";
  stand_before(solver, &t);
  weft_bench_pass passes[WEFT_TIMED_KINDS];
  weft_result result = run_once(&t, scene, solver, from, plan->frames, passes, err);
  for (uint32_t k = 0; k < plan->samples && k < MOST_RUNS && result == WEFT_OK; ++k) {
    result = run_once(&t, scene, solver, from, plan->frames, passes, err);
    bool best = k == 0 || weft_bench_passes_ms(passes) < weft_bench_passes_ms(row->passes);
    if (best) memcpy(row->passes, passes, sizeof passes);
  }
  step_aside(solver, &t);
  if (result == WEFT_OK) warn_of_hash(solver, row);
  return result;
}
