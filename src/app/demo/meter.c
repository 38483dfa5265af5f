/* meter.c: times and measures. */
#include "meter.h"

#include <string.h>

static const double interval = 0.5; /* seconds of wall time */

void weft_demo_meter_open(weft_demo_meter *meter) {
  *meter = (weft_demo_meter){.since = weft_clock_seconds()};
  for (int k = 0; k < WEFT_DEMO_TIMER_RING; ++k) {
    weft_gl_timer_create(&meter->solver[k]);
    weft_gl_timer_create(&meter->render[k]);
  }
}

void weft_demo_meter_close(weft_demo_meter *meter) {
  for (int k = 0; k < WEFT_DEMO_TIMER_RING; ++k) {
    weft_gl_timer_destroy(&meter->solver[k]);
    weft_gl_timer_destroy(&meter->render[k]);
  }
}

/* ---- times ---- */

/* The slot of this picture still holds the times of the picture a whole ring ago. False: the GPU
 * is not there yet. */
static bool collect(weft_demo_meter *m, uint32_t slot) {
  if (!m->pending[slot]) return true;
  if (!weft_gl_timer_ready(&m->render[slot])) return false; /* the later one */
  m->pending[slot] = false;
  if (m->steps[slot]) {
    m->solver_seconds +=
        m->by_clock ? m->clock_seconds[slot] : weft_gl_timer_seconds(&m->solver[slot]);
    m->solver_frames += m->steps[slot];
  }
  m->render_seconds += weft_gl_timer_seconds(&m->render[slot]);
  m->render_pictures++;
  return true;
}

static uint32_t slot_of(const weft_demo_meter *m) {
  return (uint32_t)(m->pictures % WEFT_DEMO_TIMER_RING);
}

void weft_demo_meter_solver_begin(weft_demo_meter *m) {
  m->timing = collect(m, slot_of(m));
  m->clock_began = weft_clock_seconds();
  if (m->timing && !m->by_clock) weft_gl_timer_begin(&m->solver[slot_of(m)]);
}

void weft_demo_meter_solver_end(weft_demo_meter *m, uint32_t steps) {
  m->frames_done += steps;
  if (!m->timing) return;
  m->clock_seconds[slot_of(m)] = weft_clock_seconds() - m->clock_began;
  if (!m->by_clock) weft_gl_timer_end(&m->solver[slot_of(m)]);
  m->steps[slot_of(m)] = steps;
}

void weft_demo_meter_render_begin(weft_demo_meter *m) {
  if (m->timing) weft_gl_timer_begin(&m->render[slot_of(m)]);
}

void weft_demo_meter_render_end(weft_demo_meter *m) {
  if (!m->timing) return;
  weft_gl_timer_end(&m->render[slot_of(m)]);
  m->pending[slot_of(m)] = true;
  m->pictures++;
}

void weft_demo_meter_shown(weft_demo_meter *m) { m->shown_pictures++; }

uint64_t weft_demo_projections(const weft_solver *solver) {
  uint64_t count = 0;
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass *pass = weft_solver_pass(solver, k);
    if (weft_pass_constraint(pass->kind) >= 0) count += pass->count;
  }
  return count * weft_solver_params(solver)->substeps;
}

bool weft_demo_meter_speeds(weft_demo_meter *m, const weft_solver *solver, double now,
                            weft_demo_ui *ui) {
  double passed = now - m->since;
  if (passed < interval) return false;
  ui->pictures_per_second = m->shown_pictures / passed;
  ui->projections_per_second =
      (double)m->frames_done * (double)weft_demo_projections(solver) / passed;
  if (m->solver_frames) ui->solver_ms = 1e3 * m->solver_seconds / (double)m->solver_frames;
  if (m->render_pictures) {
    ui->render_ms = 1e3 * m->render_seconds / (double)m->render_pictures;
  }
  if (m->solver_frames) {
    ui->render_ms_a_frame = 1e3 * m->render_seconds / (double)m->solver_frames;
  }
  m->solver_seconds = m->render_seconds = 0;
  m->solver_frames = m->render_pictures = m->frames_done = 0;
  m->shown_pictures = 0;
  m->since = now;
  return true;
}

void weft_demo_meter_forget(weft_demo_meter *m) {
  memset(m->pending, 0, sizeof m->pending);
  m->render_seconds = m->solver_seconds = 0;
  m->render_pictures = m->solver_frames = 0;
}

/* ---- measures ---- */

static void remember(weft_demo_history *h, const weft_metrics *m) {
  const double values[WEFT_DEMO_SERIES] = {100 * m->strain_mean, 100 * m->strain_p99,
                                           100 * m->strain_max, m->kinetic_energy,
                                           m->potential_energy};
  bool full = h->count == WEFT_DEMO_HISTORY;
  for (int k = 0; k < WEFT_DEMO_SERIES; ++k) {
    float *row = h->values[k];
    if (full) memmove(row, row + 1, (WEFT_DEMO_HISTORY - 1) * sizeof *row);
    row[full ? h->count - 1 : h->count] = (float)values[k];
  }
  if (!full) h->count++;
}

weft_result weft_demo_meter_state(weft_demo_meter *m, weft_solver *solver, double now, bool at_once,
                                  weft_demo_ui *ui, weft_error *err) {
  bool first = !ui->measured;
  uint64_t frame = weft_solver_frame(solver);
  if (!at_once && !first && (now - m->measured_at < interval || frame == m->measured_frame)) {
    return WEFT_OK;
  }
  weft_result result = weft_solver_metrics(solver, &ui->metrics, err);
  if (result == WEFT_OK) result = weft_solver_standstill(solver, &ui->still, err);
  if (result != WEFT_OK) return result;
  weft_still_describe(weft_solver_model(solver), &ui->still, ui->still_text, sizeof ui->still_text);
  m->measured_at = now;
  m->measured_frame = frame;
  ui->measured = true;
  weft_strain_add(&m->strain, ui->metrics.strain_threads_p99, weft_solver_frame(solver));
  if (ui->metrics.nonfinite == 0) remember(&ui->history, &ui->metrics);
  return WEFT_OK;
}
