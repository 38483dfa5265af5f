/* case_levels.c: coarser levels take stretch out, and do nothing else. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "cases.h"

static bool is_level_pass(weft_pass_kind kind) {
  return kind >= WEFT_PASS_LEVEL_GATHER && kind <= WEFT_PASS_LEVEL_SPREAD;
}

/* Only the passes of the levels. */
static void run_levels(weft_rig *rig) {
  weft_solver *solver = rig->solver;
  if (!solver) return;
  for (size_t k = 0; k < solver->passes.count; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (is_level_pass(pass->kind)) rig->run->backend->run(solver->instance, pass, 0);
  }
  weft_rig_read(rig);
}

static weft_model *square(weft_physics_run *run, uint32_t rows, weft_pin_rule pins) {
  const weft_grid_desc grid = {.rows = rows, .columns = rows, .width = 1, .height = 1};
  return weft_physics_sheet(run, &grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, pins);
}

/* ---- free cloth ---- */

/* Stretched by a third and crumpled: what the levels moved, its sum of momenta against the sum of
 * their sizes. */
static void momentum(weft_physics_run *run) {
  const double allowed = weft_physics_is_double(run) ? 1e-11 : 3e-5;
  weft_model *model = square(run, 49, WEFT_PIN_NONE);
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.multilevel = WEFT_ALL_LEVELS}, &rig);
  if (rig.solver) {
    weft_rng rng = weft_rng_seed(7);
    weft_vec3 *x = weft_alloc(rig.count, sizeof *x);
    for (uint32_t i = 0; i < rig.count; ++i) {
      weft_vec3 p = model->rest_positions[i];
      x[i] = weft_v3(p.x * 1.33f + weft_rng_float(&rng, -0.005f, 0.005f), p.y * 1.2f,
                     0.3f * sinf(5 * p.x + 3 * p.y));
    }
    weft_rig_write(&rig, x, NULL);
    weft_free(x);
    weft_rig_read(&rig);
    double *before = weft_alloc(3 * (size_t)rig.count, sizeof *before);
    memcpy(before, rig.x, 3 * (size_t)rig.count * sizeof *before);
    run_levels(&rig);
    weft_momenta moved = weft_rig_momenta(&rig, before);
    double max = 0;
    for (uint32_t i = 0; i < rig.count; ++i) {
      max = fmax(max, weft_v3d_distance(weft_rig_at(&rig, i), weft_v3d_at(before + 3 * (size_t)i)));
    }
    weft_physics_expect(run, "moved to take out a third of stretch", "m", max, 0.16, 0.08,
                        "half the excess of half the width, or nearly",
                        "the levels must act at all");
    weft_physics_expect(run, "linear momentum of what they moved", "",
                        weft_v3d_length(moved.linear) / moved.size, 0, allowed, "no outer force",
                        "sums of weights and shares are rounded");
    weft_physics_expect(run, "angular momentum of what they moved", "",
                        weft_v3d_length(moved.angular) / moved.size, 0, allowed,
                        "forces between means along the line between them",
                        "sums of weights and shares are rounded");
    weft_free(before);
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- unstretched cloth ---- */

static void max_moved(weft_physics_run *run, const char *what, const weft_model *model,
                      const weft_vec3 *x, double allowed, const char *why) {
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.multilevel = WEFT_ALL_LEVELS}, &rig);
  if (rig.solver) {
    weft_rig_write(&rig, x, NULL);
    run_levels(&rig);
    double max = 0;
    for (uint32_t i = 0; i < rig.count; ++i) {
      max = fmax(max, weft_v3d_distance(weft_rig_at(&rig, i), weft_v3d_from(x[i])));
    }
    weft_physics_expect(run, what, "m", max, 0, allowed, "inextensible cloth may do this", why);
  }
  weft_rig_close(&rig);
}

static void folds(weft_physics_run *run) {
  weft_model *model = square(run, 65, WEFT_PIN_NONE);
  if (weft_physics_ok(run)) {
    weft_vec3 *x = weft_alloc(model->particle_count, sizeof *x);
    for (uint32_t i = 0; i < model->particle_count; ++i) {
      weft_vec3 p = model->rest_positions[i];
      x[i] = weft_v3(0.6f * p.x - 0.8f * p.y + 3, 0.8f * p.x + 0.6f * p.y - 2, 1);
    }
    max_moved(run, "a flat sheet, turned and 3.6 m away", model, x, 2e-6, "half ulps of 3.6 m");
    for (uint32_t i = 0; i < model->particle_count; ++i) {
      weft_vec3 p = model->rest_positions[i];
      double u = 0.8 * (double)p.x + 0.6 * (double)p.y, v = 0.8 * (double)p.y - 0.6 * (double)p.x;
      x[i] = weft_v3((float)(0.07 * sin(u / 0.07)), (float)v, (float)(0.07 * cos(u / 0.07)));
    }
    max_moved(run, "rolled up askew to 14 cm, twice around", model, x, 2e-6, "half ulps of 1 m");
    weft_free(x);
  }
  weft_model_destroy(model);
}

/* ---- what it is for ---- */

/* Upright, two corners held, 20 substeps of 1 iteration, 1 s: without levels 40 rows stretch by a
 * tenth, and finer ones by more. */
static void two_corners(weft_physics_run *run) {
  static const uint32_t rows[] = {16, 40};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_model *model = square(run, rows[k], WEFT_PIN_CORNERS);
    weft_params params = {.multilevel = WEFT_ALL_LEVELS, .lra = 4, .damping = 0.5f};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_step(&rig, 60);
    if (rig.solver) {
      weft_metrics metrics;
      if (weft_solver_metrics(rig.solver, &metrics, &run->err) == WEFT_OK) {
        double top = (double)model->rest_positions[0].y;
        weft_physics_expect(run, weft_physics_text("%u rows: p99 of strain", rows[k]), "%",
                            100 * metrics.strain_p99, 0, 1, "inextensible for practical purposes",
                            "a sheet of this fabric strains 0.03 % under its weight");
        weft_physics_expect(run, weft_physics_text("%u rows: lowest point below the pins", rows[k]),
                            "m", top - (double)metrics.box_min.y, 1, 0.01,
                            "the length of the sheet", "1 % of it, at every resolution");
      }
    }
    weft_rig_close(&rig);
    weft_model_destroy(model);
  }
}

static void run_case(weft_physics_run *run) {
  momentum(run);
  folds(run);
  two_corners(run);
}

const weft_physics_case weft_case_levels = {
    "multilevel", "Multilevel: coarse levels take out stretch, and leave folds and momentum alone",
    "Means of particles on coarser and coarser lattices, held within the length of the cloth "
    "between them before each sweep over the cloth itself (after Mueller 2008). Free cloth "
    "keeps both momenta, cloth that is bent but not stretched is not moved at all, and a "
    "sheet hung by two corners is as long as it should be at every resolution.",
    run_case};
