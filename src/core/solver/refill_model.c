/* refill_model.c: a solver takes another model of the same constraints, as of another fabric or
 * with other pins, without other tables. */
#include <string.h>

#include "refill.h"
#include "solver.h"

/* ---- what differs ---- */

static bool same(const void *a, const void *b, size_t count, size_t size) {
  if (!a || !b) return a == b;
  return count == 0 || memcmp(a, b, count * size) == 0;
}

static bool same_group(const weft_constraint_group *a, const weft_constraint_group *b) {
  return a->type == b->type && a->role == b->role && a->sense == b->sense && a->count == b->count &&
         a->colour_count == b->colour_count &&
         same(a->colour_first, b->colour_first, a->colour_count + 1u, sizeof *a->colour_first) &&
         same(a->particles, b->particles, (size_t)a->count * a->arity, sizeof *a->particles) &&
         same(a->source, b->source, a->count, sizeof *a->source);
}

/* Triangles are the same already. */
static bool same_structure(const weft_model *a, const weft_model *b) {
  bool alike =
      a->group_count == b->group_count && a->rider_count == b->rider_count &&
      a->radius == b->radius && a->grid_columns == b->grid_columns &&
      same(a->riders, b->riders, a->rider_count, sizeof *a->riders) &&
      same(a->rest_positions, b->rest_positions, a->particle_count, sizeof *a->rest_positions);
  for (uint32_t g = 0; g < a->group_count && alike; ++g) {
    alike = same_group(&a->groups[g], &b->groups[g]);
  }
  return alike;
}

static bool same_pins(const weft_model *a, const weft_model *b) {
  if (a->pinned_count != b->pinned_count) return false;
  for (uint32_t i = 0; i < a->particle_count; ++i) {
    if ((a->inverse_masses[i] == 0) != (b->inverse_masses[i] == 0)) return false;
  }
  return true;
}

/* Levels have masses, contact has lengths, and bodies inside shapes leave pins alone. */
uint32_t weft_refill_of_models(const weft_solver *solver, const weft_model *model) {
  const weft_model *now = solver->model;
  const weft_params *params = &solver->params;
  const uint32_t what = WEFT_REFILL_CONSTRAINTS | WEFT_REFILL_PASSES;
  if (now->triangle_count == 0 || !same_structure(now, model)) return 0;
  if (solver->buffer_counts[WEFT_BUFFER_LEVEL_X] > 0 || weft_contact_active(now, params)) return 0;
  if (same_pins(now, model)) return what;
  if (weft_lra_active(now, params) != weft_lra_active(model, params)) return 0;
  if (solver->shapes.count > 0 || model->pinned_count == 0 || now->pinned_count == 0) return 0;
  return what | (weft_lra_active(now, params) ? WEFT_REFILL_ATTACHMENTS : 0);
}

/* ---- masses and pins ---- */

void weft_refill_free_pins(weft_refill_pins *pins) {
  weft_free(pins->from);
  weft_free(pins->to);
  weft_free(pins->particles);
  weft_free(pins->paths);
  *pins = (weft_refill_pins){0};
}

void weft_refill_lengthen_pins(weft_solver *solver, uint32_t pins) {
  weft_refill_pins *to = &solver->refill->pins, longer = {.room = pins};
  if (pins <= to->room) return;
  weft_refill_free_pins(to);
  {
    WEFT_OWN_MEMORY(&solver->owned);
    longer.from = weft_alloc(pins, sizeof *longer.from);
    longer.to = weft_alloc(pins, sizeof *longer.to);
    longer.particles = weft_alloc(pins, sizeof *longer.particles);
    longer.paths = weft_alloc(pins, sizeof *longer.paths);
  }
  *to = longer;
}

/* Both lists ascend. Those that are on their way go on; all others stand where they are. */
static uint32_t list_pins(weft_solver *solver, weft_refill_pins *pins) {
  uint32_t count = 0, j = 0;
  bool moving = false;
  for (uint32_t i = 0; i < solver->model->particle_count; ++i) {
    if (!weft_is_pin(solver->model, i)) continue;
    while (j < solver->pinned_count && solver->pin_particles[j] < i) ++j;
    const bool before = j < solver->pinned_count && solver->pin_particles[j] == i;
    pins->particles[count] = i;
    pins->from[count] = pins->to[count] =
        weft_origin_leave_in_double(solver->origin, solver->staging[i]);
    if (before && solver->pins_moving) {
      pins->from[count] = solver->pin_from[j];
      pins->to[count] = solver->pin_to[j];
      moving = true;
    }
    ++count;
  }
  solver->pins_moving = moving;
  return count;
}

static void take_pins(weft_solver *solver) {
  weft_refill_pins *pins = &solver->refill->pins;
  const uint32_t count = list_pins(solver, pins);
  const weft_refill_pins before = {solver->pin_from, solver->pin_to, solver->pin_particles,
                                   solver->pin_paths, solver->pins_room};
  solver->pin_from = pins->from;
  solver->pin_to = pins->to;
  solver->pin_particles = pins->particles;
  solver->pin_paths = pins->paths;
  solver->pins_room = pins->room;
  solver->pinned_count = count;
  *pins = before;
}

static void let_go(weft_solver *solver) {
  for (uint32_t k = 0; k < solver->grab.count; ++k) {
    if (solver->model->inverse_masses[solver->grab.particles[k]] > 0) continue;
    weft_solver_release(solver);
    return;
  }
}

void weft_refill_take_model(weft_solver *solver) {
  const uint32_t n = solver->model->particle_count;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, solver->staging);
  for (uint32_t i = 0; i < n; ++i) solver->staging[i].w = solver->model->inverse_masses[i];
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, solver->staging);
  take_pins(solver);
  weft_solver_weigh(solver);
  weft_soft_forget_pinned(solver);
  let_go(solver);
}
