/* changes.c: what changes of a solver that runs cost. A sheet hangs from two corners; each change
 * is made and taken back, and a frame follows each: what is put off until then counts as well. */
#include <stdlib.h>
#include <weft/change.h>

#include "bench_internal.h"
#include "machine.h"

typedef struct trial {
  weft_solver *solver;
  weft_params params;          /* of the solver as it was made */
  const weft_model *fabric[2]; /* two fabrics, the first as it was made with */
  const weft_body *body;
  uint32_t middle; /* a particle */
} trial;

/* ---- what is changed: `there`, or back ---- */

static weft_result set(trial *t, const weft_params *p, weft_error *err) {
  return weft_solver_set_params(t->solver, p, err);
}

static weft_result change_gravity(trial *t, bool there, weft_error *err) {
  weft_params p = t->params;
  if (there) p.gravity.z = 1;
  return set(t, &p, err);
}

static weft_result change_iterations(trial *t, bool there, weft_error *err) {
  weft_params p = t->params;
  p.iterations += there;
  return set(t, &p, err);
}

static weft_result change_substeps(trial *t, bool there, weft_error *err) {
  weft_params p = t->params;
  p.substeps += there;
  return set(t, &p, err);
}

static weft_result change_thickness(trial *t, bool there, weft_error *err) {
  weft_params p = t->params;
  if (there) p.self_thickness = 0.002f;
  return set(t, &p, err);
}

static weft_result change_fabric(trial *t, bool there, weft_error *err) {
  return weft_solver_set_model(t->solver, t->fabric[there], err);
}

static weft_result change_pin(trial *t, bool there, weft_error *err) {
  return weft_solver_set_pins(t->solver, &t->middle, 1, there ? 1 : 0, err);
}

static weft_result change_soft_pin(trial *t, bool there, weft_error *err) {
  return weft_solver_set_pins(t->solver, &t->middle, 1, there ? 0.5f : 0, err);
}

static weft_result change_collider(trial *t, bool there, weft_error *err) {
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .a = {0, 0, -1}, .radius = 0.2f};
  if (there) return weft_solver_add_collider(t->solver, &ball, NULL, err);
  return weft_solver_remove_collider(t->solver, 0, err);
}

static weft_result change_body(trial *t, bool there, weft_error *err) {
  if (there) return weft_solver_add_body(t->solver, t->body, NULL, err);
  return weft_solver_remove_body(t->solver, 0, err);
}

static const struct {
  const char *name;
  weft_result (*apply)(trial *t, bool there, weft_error *err);
  bool of_self; /* needs self-collision */
} kinds[WEFT_BENCH_CHANGES] = {
    {"gravity", change_gravity, false},        {"iterations", change_iterations, false},
    {"substeps", change_substeps, false},      {"self-collision thickness", change_thickness, true},
    {"fabric", change_fabric, false},          {"hard pin", change_pin, false},
    {"soft pin", change_soft_pin, false},      {"collider added, removed", change_collider, false},
    {"body added, removed", change_body, true}};

const char *weft_bench_change_name(uint32_t change) { return kinds[change].name; }

/* ---- the clock ---- */

static double least(double a, double b) { return a < b ? a : b; }

/* The seconds that `solver` is busy with a frame. */
static weft_result time_frame(weft_solver *solver, double *seconds, weft_error *err) {
  const double start = weft_clock_seconds();
  const weft_result result = weft_solver_step(solver, err);
  weft_solver_finish(solver);
  *seconds = weft_clock_seconds() - start;
  return result;
}

typedef struct seconds {
  double change, first, second; /* itself; the frame after it, and the one after that */
} seconds;

static weft_result time_one(trial *t, uint32_t kind, bool there, seconds *best, weft_error *err) {
  seconds s = {0};
  const double start = weft_clock_seconds();
  weft_result result = kinds[kind].apply(t, there, err);
  weft_solver_finish(t->solver);
  s.change = weft_clock_seconds() - start;
  if (result == WEFT_OK) result = time_frame(t->solver, &s.first, err);
  if (result == WEFT_OK) result = time_frame(t->solver, &s.second, err);
  best->change = least(best->change, s.change);
  best->first = least(best->first, s.first);
  best->second = least(best->second, s.second);
  return result;
}

/* The first time what is kept for later changes is made. */
static weft_result time_change(const weft_bench_plan *plan, trial *t, uint32_t kind,
                               weft_bench_change *change, weft_error *err) {
  enum { NEVER = 1000 };
  seconds best[2] = {{NEVER, NEVER, NEVER}, {NEVER, NEVER, NEVER}}, ignored = best[0];
  weft_result result = time_one(t, kind, true, &ignored, err);
  if (result == WEFT_OK) result = time_one(t, kind, false, &ignored, err);
  for (uint32_t k = 0; k < plan->samples && result == WEFT_OK; ++k) {
    result = weft_bench_go_on(plan, err);
    if (result == WEFT_OK) result = time_one(t, kind, true, &best[0], err);
    if (result == WEFT_OK) result = time_one(t, kind, false, &best[1], err);
  }
  const double later = best[0].first + best[1].first - best[0].second - best[1].second;
  change->ms = 500 * (best[0].change + best[1].change);
  change->later_ms = later > 0 ? 500 * later : 0;
  return result;
}

static weft_result time_all(const weft_bench_plan *plan, trial *t, weft_bench_changed *row,
                            weft_error *err) {
  double frame = 1000, now;
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < plan->warm_up_frames && result == WEFT_OK; ++k) {
    result = time_frame(t->solver, &now, err);
  }
  for (uint32_t k = 0; k < plan->samples * 2 && result == WEFT_OK; ++k) {
    result = time_frame(t->solver, &now, err);
    frame = least(frame, now);
  }
  row->frame_ms = 1e3 * frame;
  for (uint32_t k = 0; k < WEFT_BENCH_CHANGES && result == WEFT_OK; ++k) {
    if (kinds[k].of_self && !row->self) continue;
    result = time_change(plan, t, k, &row->changes[k], err);
  }
  return result;
}

/* ---- the sheet ---- */

static weft_result make_models(const weft_mesh *mesh, weft_model *models[2], weft_error *err) {
  static const char *const fabrics[] = {"tablecloth", "denim"};
  const weft_pin pins = {.rule = WEFT_PIN_CORNERS};
  weft_result result = WEFT_OK;
  for (int k = 0; k < 2 && result == WEFT_OK; ++k) {
    const weft_model_desc desc = {
        .mesh = mesh, .material = weft_material_find(fabrics[k]), .pins = &pins, .pin_count = 1};
    result = weft_model_create(&desc, &models[k], err);
  }
  return result;
}

static weft_result run(const weft_bench_plan *plan, weft_model *const models[2],
                       const weft_body *body, const weft_backend *backend, weft_bench_changed *row,
                       weft_error *err) {
  trial t = {.fabric = {models[0], models[1]}, .body = body, .middle = row->size / 2 * row->size};
  const weft_params params = {.self_collision = row->self};
  weft_result result = weft_solver_create(models[0], &params, backend, &t.solver, err);
  if (result != WEFT_OK) return result;
  t.params = *weft_solver_params(t.solver);
  result = time_all(plan, &t, row, err);
  weft_solver_destroy(t.solver);
  return result;
}

static weft_result time_sheet(const weft_bench_plan *plan, const weft_backend *backend,
                              weft_bench_changed *row, weft_error *err) {
  weft_mesh sheet = {0}, disc = {0};
  weft_model *models[2] = {NULL, NULL};
  const weft_grid_desc grid = {.rows = row->size, .columns = row->size};
  const weft_disc_desc below = {.radius = 0.2f, .rings = 6, .centre = {0, -2, 0}};
  weft_result result = weft_mesh_grid(&grid, &sheet, err);
  if (result == WEFT_OK) result = weft_mesh_disc(&below, &disc, err);
  if (result == WEFT_OK) result = make_models(&sheet, models, err);
  const weft_body body = {.mesh = &disc};
  if (result == WEFT_OK) result = run(plan, models, &body, backend, row, err);
  for (int k = 0; k < 2; ++k) weft_model_destroy(models[k]);
  weft_mesh_free(&sheet);
  weft_mesh_free(&disc);
  return result;
}

/* ---- all ---- */

static weft_result add_row(const weft_bench_plan *plan, const weft_bench_changed *row,
                           weft_bench_changes *table, weft_error *err) {
  const weft_backend *backend;
  weft_result result = weft_bench_find_backend(row->backend, plan, &backend, err);
  if (result != WEFT_OK || !backend) return result;
  void *rows = table->rows;
  weft_grow(&rows, &table->capacity, table->count + 1, sizeof *table->rows);
  table->rows = rows;
  table->rows[table->count] = *row;
  result = time_sheet(plan, backend, &table->rows[table->count], err);
  table->count += result == WEFT_OK;
  if (result == WEFT_OK && plan->kept) plan->kept();
  return result;
}

weft_result weft_bench_run_changes(const weft_bench_request *request, weft_bench_changes *table,
                                   weft_error *err) {
  weft_result result = WEFT_OK;
  table->load = weft_machine_load();
  for (uint32_t s = 0; s < request->sizes.count; ++s) {
    for (uint32_t b = 0; b < 2 * request->backends.count && result == WEFT_OK; ++b) {
      const weft_bench_changed row = {.size = (uint32_t)strtoul(request->sizes.text[s], NULL, 10),
                                      .backend = request->backends.text[b / 2],
                                      .self = b % 2};
      result = add_row(&request->plan, &row, table, err);
    }
  }
  table->cut = result == WEFT_BENCH_STOPPED;
  return table->cut ? WEFT_OK : result;
}

void weft_bench_changes_free(weft_bench_changes *table) { weft_free(table->rows); }
