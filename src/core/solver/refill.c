/* refill.c: a solver takes other parameters without other tables.
 *
 * First all is made that may fail, beside what the solver has; then the backend writes the tables,
 * and the solver takes the rest. So bits are those of a solver that was made so: tables come from
 * the same functions, and whatever else there is does not depend on what has changed. */
#include "refill.h"

#include <string.h>

#include "fill.h"
#include "param.h"

/* Tables that the list of passes is made of. */
static const weft_buffer_id of_passes[] = {WEFT_BUFFER_LEVEL_STEPS, WEFT_BUFFER_LINE_COLOURS,
                                           WEFT_BUFFER_LINE_LEFT, WEFT_BUFFER_PATCH_DISPATCHES};
enum { OF_PASSES = sizeof of_passes / sizeof *of_passes };

static uint32_t groups_with_terms(const weft_model *model, const weft_params *params) {
  uint32_t groups = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    groups |= (uint32_t)weft_group_has_terms(&model->groups[g], params) << g;
  }
  return groups;
}

void weft_refill_note(weft_solver *solver, const weft_contents *contents) {
  weft_contents *to = &solver->tables;
  weft_contents_init(to);
  to->parts = contents->parts;
  solver->with_terms = groups_with_terms(solver->model, &solver->params);
  const weft_buffer_contents *vertices = &contents->buffers[WEFT_BUFFER_SELF_VERTICES];
  if (solver->backend->refill && vertices->count) {
    solver->self_floor = ((const weft_self_vertex *)vertices->data)->floor;
  }
  for (int k = 0; k < OF_PASSES; ++k) {
    const weft_buffer_contents *from = &contents->buffers[of_passes[k]];
    void *copy = weft_contents_set(to, of_passes[k], from->count);
    if (from->count) memcpy(copy, from->data, (size_t)from->count * from->stride);
  }
}

/* ---- what is kept ---- */

static void drop_lines(struct weft_refill *r) {
  if (r->lines_of) weft_lines_free(&r->lines);
  r->lines_of = NULL;
}

static struct weft_refill *begin(weft_solver *solver) {
  if (!solver->refill) {
    WEFT_OWN_MEMORY(&solver->owned);
    struct weft_refill *made = weft_alloc(1, sizeof *made);
    made->passes.capacity = solver->passes.capacity;
    made->passes.items = weft_alloc(made->passes.capacity, sizeof *made->passes.items);
    weft_contents_init(&made->tables);
    solver->refill = made;
  }
  struct weft_refill *r = solver->refill;
  r->tables.again = &solver->owned;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) r->tables.buffers[id].filled = false;
  if (r->lines_of != solver->model) drop_lines(r); /* memory ran out */
  return r;
}

static void make_lines(weft_solver *solver, const weft_model *model, struct weft_refill *r) {
  if (r->lines_of == model) return;
  drop_lines(r);
  WEFT_OWN_MEMORY(&solver->owned);
  weft_lines lines;
  weft_lines_build(model, &lines);
  r->lines = lines;
  r->lines_of = model;
}

void weft_refill_free(weft_solver *solver) {
  weft_contents_free(&solver->tables);
  struct weft_refill *r = solver->refill;
  if (!r) return;
  weft_contents_free(&r->tables);
  drop_lines(r);
  weft_refill_free_pins(&r->pins);
  weft_free(r->passes.items);
  weft_free(r);
  solver->refill = NULL;
}

/* ---- which tables ---- */

/* Patches hold copies of constraints. */
static bool can_refill(const weft_solver *solver, const weft_params *wanted, uint32_t what) {
  const weft_params *now = &solver->params;
  if (!what || !solver->backend->refill || solver->single) return false;
  if (solver->model->part_count > 0 || weft_patches_active(now)) return false;
  const bool self = weft_self_active(solver->model, now);
  if (self && weft_self_steps_are_long(now) != weft_self_steps_are_long(wanted)) return false;
  if (self && weft_self_pushes(now) != weft_self_pushes(wanted)) return false;
  return (now->line_sweeps > 0) == (wanted->line_sweeps > 0) && (now->lra > 0) == (wanted->lra > 0);
}

/* Epsilon of self-collision depends on where colliders are. */
static bool has_other_floor(const weft_solver *solver) {
  const weft_params all = weft_solver_with_shapes(solver);
  if (!weft_self_active(solver->model, &all) || all.collider_count == 0) return false;
  const weft_vec3d origin = weft_origin_at_start(solver->model, &all);
  return solver->self_floor != (float)weft_self_least(solver->model, &all, origin);
}

static void fill_constraints(weft_solver *solver, const weft_model *model,
                             const weft_params *params, struct weft_refill *r) {
  weft_fill_groups(model, params, &r->tables);
  if (solver->buffer_counts[WEFT_BUFFER_LINE_LEFT] == 0) return;
  make_lines(solver, model, r);
  weft_lines_fill_with(model, params, &r->lines, &r->tables);
}

static weft_result fill_distances(weft_solver *solver, const weft_params *all,
                                  struct weft_refill *r, weft_error *err) {
  if (!weft_self_active(solver->model, all)) return WEFT_OK;
  const weft_vec3d origin = weft_origin_at_start(solver->model, all);
  weft_result result = weft_self_fill_distances(solver->model, all, origin, &r->tables, err);
  if (result != WEFT_OK) return result;
  const uint64_t count = solver->buffer_counts[WEFT_BUFFER_SELF_PATCHES];
  const weft_self_part *part = r->tables.buffers[WEFT_BUFFER_SELF_PARTS].data;
  weft_self_patch *patches = weft_contents_set(&r->tables, WEFT_BUFFER_SELF_PATCHES, count);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PATCHES, 0, count, patches);
  for (uint64_t p = 0; p < count; ++p) patches[p].reach = part->reach;
  return WEFT_OK;
}

static void fill_frame(const weft_solver *solver, const weft_model *model,
                       const weft_params *wanted, weft_contents *to) {
  weft_uniforms *u = weft_contents_set(to, WEFT_BUFFER_UNIFORMS, 1);
  *u = solver->uniforms;
  weft_uniforms_change(wanted, u);
  if (model != solver->model) {
    weft_uniforms_take_mass(model, u);
    weft_contents_set(to, WEFT_BUFFER_PINS, model->pinned_count);
  }
  if (wanted->substeps == solver->params.substeps) return;
  weft_contents_set(to, WEFT_BUFFER_SUBSTEPS, wanted->substeps);
  weft_colliders_fill(wanted, to);
}

static weft_result fill(weft_solver *solver, const weft_model *model, const weft_params *wanted,
                        uint32_t what, struct weft_refill *r, weft_error *err) {
  weft_params all = weft_solver_with_shapes(solver);
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) weft_param_copy(&all, wanted, row);
  if (what & WEFT_REFILL_CONSTRAINTS) fill_constraints(solver, model, wanted, r);
  if (what & WEFT_REFILL_ATTACHMENTS) weft_lra_fill(model, wanted, &r->tables);
  fill_frame(solver, model, wanted, &r->tables);
  return what & WEFT_REFILL_DISTANCES ? fill_distances(solver, &all, r, err) : WEFT_OK;
}

/* Whether those that were filled are as long as those there are, but for what comes with frames. */
static bool fits(const weft_solver *solver, uint32_t what, const weft_contents *tables) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &tables->buffers[id];
    const bool longer = weft_buffer_infos[id].use == WEFT_USE_FRAME;
    if (table->filled && !longer && table->count != solver->buffer_counts[id]) return false;
  }
  /* Whether lines keep bending depends on the substep. */
  const bool bends = tables->buffers[WEFT_BUFFER_LINE_BENDS].filled;
  return !(what & WEFT_REFILL_CONSTRAINTS) ||
         bends == (solver->buffer_counts[WEFT_BUFFER_LINE_BENDS] > 0);
}

/* ---- what else depends on them ---- */

static void list_passes(const weft_solver *solver, const weft_model *model,
                        const weft_params *wanted, struct weft_refill *r) {
  weft_contents all = solver->tables;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *filled = &r->tables.buffers[id];
    all.buffers[id].count = filled->filled ? filled->count : solver->buffer_counts[id];
    if (filled->filled) all.buffers[id].data = filled->data;
  }
  weft_solver_pass_list(model, wanted, &all, &r->passes);
}

/* Host buffers of a frame; they begin as those of a new solver. */
static void lengthen_frame(weft_solver *solver, const weft_params *wanted) {
  const size_t substeps = wanted->substeps;
  if (substeps <= solver->substeps_room) return;
  weft_substep *longer = NULL;
  weft_collider_pose *poses = NULL;
  {
    WEFT_OWN_MEMORY(&solver->owned);
    longer = weft_alloc(substeps, sizeof *longer);
    poses = weft_alloc((substeps + 1) * wanted->collider_count, sizeof *poses);
  }
  weft_free(solver->substeps);
  weft_free(solver->poses);
  solver->substeps = longer;
  solver->poses = poses;
  solver->substeps_room = wanted->substeps;
}

static void take_tables(weft_solver *solver, struct weft_refill *r) {
  const weft_pass_list before = solver->passes;
  solver->passes = r->passes;
  r->passes = before;
  solver->uniforms = *(const weft_uniforms *)r->tables.buffers[WEFT_BUFFER_UNIFORMS].data;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (r->tables.buffers[id].filled) solver->buffer_counts[id] = r->tables.buffers[id].count;
  }
  for (int k = 0; k < OF_PASSES; ++k) {
    const weft_buffer_contents *from = &r->tables.buffers[of_passes[k]];
    void *to = solver->tables.buffers[of_passes[k]].data;
    if (from->filled && from->count) memcpy(to, from->data, (size_t)from->count * from->stride);
  }
}

static void take(weft_solver *solver, const weft_model *model, const weft_params *wanted,
                 struct weft_refill *r) {
  const double now = weft_solver_time(solver);
  const bool other_time = wanted->frame_dt != solver->params.frame_dt;
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    weft_param_copy(&solver->params, wanted, row);
  }
  if (other_time) solver->began = now - (double)solver->frame * (double)solver->params.frame_dt;
  take_tables(solver, r);
  const bool other_model = model != solver->model;
  solver->model = model;
  if (other_model) weft_refill_take_model(solver);
  if (solver->grab.count > 0) weft_grab_strength(solver);
  weft_budget_outdate(solver);
}

weft_result weft_solver_refill(weft_solver *solver, const weft_model *model,
                               const weft_params *wanted, uint32_t what, bool *done,
                               weft_error *err) {
  *done = false;
  if (!can_refill(solver, wanted, what)) return WEFT_OK;
  const uint32_t with_terms = groups_with_terms(model, wanted);
  if (with_terms & ~solver->with_terms) what |= WEFT_REFILL_CONSTRAINTS;
  struct weft_refill *r = begin(solver);
  if (model != solver->model) weft_solver_settle_given(solver);
  weft_result result = fill(solver, model, wanted, what, r, err);
  if (result == WEFT_OK && fits(solver, what, &r->tables) && !has_other_floor(solver)) {
    list_passes(solver, model, wanted, r);
    lengthen_frame(solver, wanted);
    if (model != solver->model) weft_refill_lengthen_pins(solver, model->pinned_count);
    result = solver->backend->refill(solver->instance, &r->tables, r->passes.items, r->passes.count,
                                     err);
    *done = result == WEFT_OK;
  }
  if (*done) {
    take(solver, model, wanted, r);
    if (what & WEFT_REFILL_CONSTRAINTS) solver->with_terms = with_terms;
  }
  if (r->lines_of != solver->model) drop_lines(r);
  return result;
}
