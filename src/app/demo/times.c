/* times.c: timers around spans of passes, read later. */
#include "times.h"

#include <string.h>

_Static_assert((int)WEFT_DEMO_MAX_PASSES >= (int)WEFT_TIMED_KINDS,
               "the UI state has a row for each kind");

/* ---- life ---- */

static void make(weft_demo_times *t) {
  if (t->made) return;
  t->made = true;
  for (int f = 0; f < WEFT_DEMO_TIMES_RING; ++f) {
    for (int k = 0; k < WEFT_DEMO_TIMES_SPANS; ++k) weft_gl_timer_create(&t->ring[f].timers[k]);
    weft_gl_timer_create(&t->ring[f].whole);
  }
}

void weft_demo_times_close(weft_demo_times *t) {
  for (int f = 0; f < WEFT_DEMO_TIMES_RING && t->made; ++f) {
    for (int k = 0; k < WEFT_DEMO_TIMES_SPANS; ++k) weft_gl_timer_destroy(&t->ring[f].timers[k]);
    weft_gl_timer_destroy(&t->ring[f].whole);
  }
  *t = (weft_demo_times){.by_clock = t->by_clock};
}

/* ---- reading ---- */

/* False: the GPU has not come so far. */
static bool collect(weft_demo_times *t, weft_demo_times_frame *f) {
  if (f->count == 0) return true;
  if (!weft_gl_timer_ready(&f->whole)) return false; /* the last one */
  for (uint32_t k = 0; k < f->count; ++k) {
    t->seconds[f->kinds[k]] += weft_gl_timer_seconds(&f->timers[k]);
    t->timed[f->kinds[k]]++;
  }
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) t->ran[kind] += f->ran[kind];
  t->whole_seconds += weft_gl_timer_seconds(&f->whole);
  t->frames_read++;
  f->count = 0;
  return true;
}

static void clear_sums(weft_demo_times *t) {
  memset(t->seconds, 0, sizeof t->seconds);
  memset(t->timed, 0, sizeof t->timed);
  memset(t->ran, 0, sizeof t->ran);
  t->whole_seconds = 0;
  t->frames_read = 0;
}

void weft_demo_times_forget(weft_demo_times *t) {
  for (int f = 0; f < WEFT_DEMO_TIMES_RING; ++f) t->ring[f].count = 0;
  clear_sums(t);
}

void weft_demo_times_show(weft_demo_times *t, weft_demo_ui *ui) {
  if (t->frames_read == 0) return;
  ui->pass_count = 0;
  ui->passes_ms = 0;
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    if (t->timed[kind] == 0) continue;
    double spans = (double)t->ran[kind] / (double)t->frames_read;
    weft_demo_pass_time *row = &ui->passes[ui->pass_count++];
    row->name = weft_timed_name(kind);
    row->ms = 1e3 * t->seconds[kind] / (double)t->timed[kind] * spans;
    ui->passes_ms += row->ms;
  }
  ui->passes_whole_ms = 1e3 * t->whole_seconds / (double)t->frames_read;
  clear_sums(t);
}

/* ---- a frame ---- */

typedef struct walk {
  weft_demo_times *times;
  weft_demo_times_frame *frame;
  uint32_t stride, next; /* spans until one is timed */
  bool timing;
  weft_solver *by_clock; /* NULL: by timers */
  int kind;
  double began;
} walk;

static void begin_span(walk *w, int kind) {
  if (w->by_clock) {
    w->timing = true;
    w->kind = kind;
    w->began = weft_clock_seconds();
    return;
  }
  weft_demo_times_frame *f = w->frame;
  f->ran[kind]++;
  w->timing = w->next == 0 && f->count < WEFT_DEMO_TIMES_SPANS;
  w->next = w->next == 0 ? w->stride - 1 : w->next - 1;
  if (!w->timing) return;
  f->kinds[f->count] = kind;
  weft_gl_timer_begin(&f->timers[f->count]);
}

static void end_span(walk *w) {
  if (!w->timing) return;
  if (w->by_clock) {
    weft_solver_finish(w->by_clock);
    w->times->seconds[w->kind] += weft_clock_seconds() - w->began;
    w->times->timed[w->kind]++;
    w->times->ran[w->kind]++;
    w->timing = false;
    return;
  }
  weft_gl_timer_end(&w->frame->timers[w->frame->count++]);
  w->times->queries += 2;
  w->timing = false;
}

static void run_substep(walk *w, weft_solver *solver, uint32_t substep) {
  int kind = -1;
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass *pass = weft_solver_pass(solver, k);
    if (!weft_solver_pass_active(solver, pass)) continue;
    if ((int)pass->kind != kind) {
      end_span(w);
      kind = (int)pass->kind;
      begin_span(w, kind);
    }
    weft_solver_run_pass(solver, pass, substep);
  }
  end_span(w);
}

static uint32_t spans_of_substep(const weft_solver *solver) {
  uint32_t spans = 0;
  int kind = -1;
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass *pass = weft_solver_pass(solver, k);
    if (!weft_solver_pass_active(solver, pass)) continue;
    spans += (int)pass->kind != kind;
    kind = (int)pass->kind;
  }
  return spans;
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  return b == 0 ? a : common_divisor(b, a % b);
}

/* Every how many spans one is timed; has nothing in common with their number in a substep, so that
 * all of them have their turn. */
static uint32_t stride_of(const weft_solver *solver) {
  if (weft_solver_runs_single(solver)) return 1;
  uint32_t spans = spans_of_substep(solver);
  uint64_t all = (uint64_t)spans * weft_solver_params(solver)->substeps;
  uint32_t stride = (uint32_t)((all + WEFT_DEMO_TIMES_SPANS - 1) / WEFT_DEMO_TIMES_SPANS);
  if (stride <= 1) return 1;
  while (common_divisor(stride, spans) != 1) ++stride;
  return stride;
}

static void run_substeps(walk *w, weft_solver *solver) {
  if (weft_solver_runs_single(solver)) {
    begin_span(w, WEFT_PASS_SINGLE);
    weft_solver_run_substeps(solver, 0, weft_solver_params(solver)->substeps);
    end_span(w);
  }
  for (uint32_t s = 0; s < weft_solver_params(solver)->substeps && !weft_solver_runs_single(solver);
       ++s) {
    run_substep(w, solver, s);
  }
}

static weft_result run_frame(walk *w, weft_solver *solver, weft_error *err) {
  weft_solver_begin_frame(solver);
  for (bool again = true; again;) {
    run_substeps(w, solver);
    const weft_result result = weft_solver_again(solver, &again, err);
    if (result != WEFT_OK) return result;
  }
  weft_solver_end_frame(solver);
  return WEFT_OK;
}

static weft_result run_by_clock(weft_demo_times *t, weft_solver *solver, weft_error *err) {
  walk w = {.times = t, .by_clock = solver};
  double began = weft_clock_seconds();
  const weft_result result = run_frame(&w, solver, err);
  t->whole_seconds += weft_clock_seconds() - began;
  t->frames_read++;
  return result;
}

static weft_result run_timed(weft_demo_times *t, weft_demo_times_frame *frame, weft_solver *solver,
                             weft_error *err) {
  memset(frame->ran, 0, sizeof frame->ran);
  weft_gl_timer_begin(&frame->whole);
  walk w = {.times = t, .frame = frame, .stride = stride_of(solver)};
  w.next = (uint32_t)(t->frames % w.stride);
  const weft_result result = run_frame(&w, solver, err);
  weft_gl_timer_end(&frame->whole);
  t->queries += 2;
  return result;
}

weft_result weft_demo_times_step(weft_demo_times *t, weft_scene_instance *scene,
                                 weft_solver *solver, weft_error *err) {
  weft_demo_times_frame *frame = &t->ring[t->frames % WEFT_DEMO_TIMES_RING];
  if (!t->by_clock) make(t);
  bool rests = t->by_clock ? t->frames % WEFT_DEMO_TIMES_EVERY != 0 : !collect(t, frame);
  if (rests) {
    t->frames += t->by_clock;
    return weft_scene_step(scene, solver, err);
  }
  weft_result result = weft_scene_lead(scene, solver, err);
  if (result != WEFT_OK) return result;
  result = t->by_clock ? run_by_clock(t, solver, err) : run_timed(t, frame, solver, err);
  t->frames++;
  return result;
}
