/* soft_pins.c: pins of a weight between 0 and 1. */
#include "soft_pins.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "exact.h"
#include "solver.h"

/* 1/s^2, of a weight of 0.5: as stiff as a grab by default. */
static const double default_stiffness = 2500;

/* ---- the list ---- */

/* Where it is, or would be inserted. */
static uint32_t place_of(const weft_softs *soft, uint32_t particle) {
  uint32_t low = 0, high = soft->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (soft->items[middle].particle < particle) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

weft_soft *weft_soft_find(const weft_solver *solver, uint32_t particle) {
  const weft_softs *soft = &solver->soft;
  const uint32_t at = place_of(soft, particle);
  return at < soft->count && soft->items[at].particle == particle ? &soft->items[at] : NULL;
}

static void insert(weft_softs *soft, const weft_soft *item) {
  const uint32_t at = place_of(soft, item->particle);
  WEFT_CHECK(soft->count < soft->capacity, "soft pins come where there is room");
  memmove(&soft->items[at + 1], &soft->items[at], (soft->count - at) * sizeof *soft->items);
  soft->items[at] = *item;
  ++soft->count;
}

static void take_out(weft_softs *soft, uint32_t particle) {
  const uint32_t at = place_of(soft, particle);
  if (at == soft->count || soft->items[at].particle != particle) return;
  --soft->count;
  memmove(&soft->items[at], &soft->items[at + 1], (soft->count - at) * sizeof *soft->items);
}

uint32_t weft_soft_count_with(const weft_solver *solver, const uint32_t *particles, uint32_t count,
                              float weight) {
  uint32_t all = solver->soft.count;
  for (uint32_t k = 0; k < count && weight > 0 && weight < 1; ++k) {
    all += weft_soft_find(solver, particles[k]) == NULL;
  }
  return all;
}

void weft_soft_set(weft_solver *solver, const uint32_t *particles, uint32_t count, float weight) {
  const bool holds = weight > 0 && weight < 1;
  for (uint32_t k = 0; k < count; ++k) {
    weft_soft *known = weft_soft_find(solver, particles[k]);
    if (!holds) {
      take_out(&solver->soft, particles[k]);
    } else if (known) {
      known->weight = weight;
    } else {
      vec4 x;
      weft_solver_read_buffer(solver, WEFT_BUFFER_X, particles[k], 1, &x);
      const weft_vec3d here = weft_origin_leave_in_double(solver->origin, x);
      insert(&solver->soft, &(weft_soft){particles[k], weight, here, here});
    }
  }
}

void weft_soft_copy(weft_softs *to, const weft_softs *from) {
  if (from->count > to->capacity) {
    weft_soft_free(to);
    to->items = weft_alloc(from->count, sizeof *to->items);
    weft_keep_memory(to->items); /* whoever it is of was there before */
    to->capacity = from->count;
  }
  if (from->count) memcpy(to->items, from->items, from->count * sizeof *to->items);
  to->count = from->count;
}

void weft_soft_take(weft_solver *solver, const weft_softs *from) {
  weft_soft_copy(&solver->soft, from);
  weft_soft_forget_pinned(solver);
}

void weft_soft_forget_pinned(weft_solver *solver) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < solver->soft.count && !solver->params.compensated; ++k) {
    const weft_soft item = solver->soft.items[k];
    if (!weft_is_pin(solver->model, item.particle)) solver->soft.items[kept++] = item;
  }
  solver->soft.count = kept;
}

void weft_soft_free(weft_softs *soft) {
  weft_free(soft->items);
  *soft = (weft_softs){0};
}

/* ---- springs ---- */

void weft_solver_weigh(weft_solver *solver) {
  solver->free_mass = 0;
  for (uint32_t i = 0; i < solver->model->particle_count; ++i) {
    const double w = (double)solver->model->inverse_masses[i];
    if (w > 0) solver->free_mass += 1 / w;
  }
}

/* All share the mass of what is free evenly, so that cloth hangs as low from many as from few. */
weft_soft_spring weft_soft_spring_of(const weft_solver *solver, const weft_soft *soft) {
  const double w = (double)soft->weight, share = solver->free_mass / solver->soft.count;
  const double inverse = (double)solver->model->inverse_masses[soft->particle];
  weft_soft_spring s = {.mass = inverse > 0 ? 1 / inverse : 0};
  s.stiffness = w / (1 - w) * default_stiffness * share;
  s.damping = sqrt(s.stiffness * share);
  return s;
}

/* As passes see it. */
static weft_vec3 entered(const weft_solver *solver, weft_vec3d point) {
  return exact_snap3(weft_origin_enter(solver->origin, point));
}

/* m (x - x*) = k dt^2 (point - x) - d dt (x - before - step): backward Euler from x*, solved for x.
 */
weft_soft_pin weft_soft_element(const weft_solver *solver, const weft_soft *soft) {
  const weft_soft_spring s = weft_soft_spring_of(solver, soft);
  const uint32_t substeps = solver->params.substeps;
  const double dt = (double)solver->params.frame_dt / substeps;
  const double pull = s.stiffness * dt * dt, brake = s.damping * dt, all = s.mass + pull + brake;
  const weft_vec3 from = entered(solver, soft->from), to = entered(solver, soft->to);
  const weft_vec3d way = weft_v3d_sub(weft_v3d_from(to), weft_v3d_from(from));
  const weft_vec3 step = weft_v3d_round(weft_v3d_scale(way, 1.0 / substeps));
  return (weft_soft_pin){.from = exact_vec4(from, 0),
                         .to = exact_vec4(to, 0),
                         .step = exact_vec4(exact_flush3(step), 0),
                         .pull = exact_snap((float)(pull / all)),
                         .brake = exact_snap((float)(brake / all)),
                         .particle = soft->particle};
}

/* ---- frames ---- */

void weft_soft_upload(weft_solver *solver) {
  const uint32_t room = solver->params.soft_pins;
  if (solver->soft.count == 0) return;
  for (uint32_t k = 0; k < room; ++k) {
    solver->soft_elements[k] = (weft_soft_pin){.particle = WEFT_SOFT_NONE};
    if (k < solver->soft.count) {
      solver->soft_elements[k] = weft_soft_element(solver, &solver->soft.items[k]);
    }
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_SOFT_PINS, 0, room, solver->soft_elements);
}

void weft_soft_end(weft_solver *solver) {
  for (uint32_t k = 0; k < solver->soft.count; ++k) {
    solver->soft.items[k].from = solver->soft.items[k].to;
  }
}

void weft_soft_write(weft_solver *solver, const weft_vectors *positions) {
  for (uint32_t k = 0; k < solver->soft.count; ++k) {
    weft_soft *soft = &solver->soft.items[k];
    soft->from = soft->to = weft_vectors_at(positions, soft->particle);
  }
}
