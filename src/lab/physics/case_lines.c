/* case_lines.c: lines solved as a whole: the linear system itself, momenta, and what it is for. */
#include <math.h>
#include <string.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"

static weft_model *square(weft_physics_run *run, uint32_t rows, const char *fabric,
                          weft_pin_rule pins) {
  const weft_grid_desc grid = {.rows = rows, .columns = rows, .width = 1, .height = 1};
  return weft_physics_sheet(run, &grid, fabric, WEFT_BENDING_NONE, true, pins);
}

/* Only the lines: all of them, or those of the first colour. */
static void run_lines(weft_rig *rig, bool first_colour) {
  weft_solver *solver = rig->solver;
  if (!solver) return;
  for (size_t k = 0; k < solver->passes.count; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (pass->kind != WEFT_PASS_PROJECT_LINES || (first_colour && pass->batch > 0)) continue;
    rig->run->backend->run(solver->instance, pass, 0);
  }
  weft_rig_read(rig);
}

/* Stretched by a third, waved and shaken; returns the positions as the solver has them. */
static double *crumple(weft_rig *rig) {
  weft_rng rng = weft_rng_seed(11);
  weft_vec3 *x = weft_alloc(rig->count, sizeof *x);
  for (uint32_t i = 0; i < rig->count; ++i) {
    weft_vec3 p = rig->model->rest_positions[i];
    x[i] = weft_v3(p.x * 1.33f + weft_rng_float(&rng, -0.005f, 0.005f), p.y * 1.2f,
                   0.3f * sinf(5 * p.x + 3 * p.y));
  }
  weft_rig_write(rig, x, NULL);
  weft_free(x);
  weft_rig_read(rig);
  double *before = weft_alloc(3 * (size_t)rig->count, sizeof *before);
  memcpy(before, rig->x, 3 * (size_t)rig->count * sizeof *before);
  return before;
}

/* ---- the system ---- */

/* The constraint between two particles, as preprocessed. */
static const weft_constraint_group *find(const weft_model *model, uint32_t a, uint32_t b,
                                         uint32_t *which) {
  const weft_constraint_group *g = &model->groups[0];
  for (uint32_t i = 0; i < g->count; ++i) {
    uint32_t p = g->particles[2 * (size_t)i], q = g->particles[2 * (size_t)i + 1];
    *which = i;
    if ((p == a && q == b) || (p == b && q == a)) return g;
  }
  return NULL;
}

/* XPBD asks for (J M^-1 J^T + alpha~) dlambda = -C, and moves particles by M^-1 J^T dlambda; so
 * after the move C + J dx = -alpha~ dlambda. The multipliers follow from what a row was moved by:
 * from its free end on, an edge has all the momentum that came before it. Returns the largest
 * error of that, against the largest C. */
static double row_error(const weft_model *model, const double *before, const double *after,
                        uint32_t row, double dt) {
  uint32_t n = model->grid_columns;
  weft_vec3d momentum = {0, 0, 0};
  double max = 0, worst = 0;
  for (uint32_t c = 0; c + 1 < n; ++c) {
    uint32_t a = row * n + c, b = a + 1, which = 0;
    const weft_constraint_group *g = find(model, a, b, &which);
    if (!g) return NAN;
    weft_vec3d xa = weft_v3d_at(before + 3 * (size_t)a), xb = weft_v3d_at(before + 3 * (size_t)b);
    weft_vec3d move_a = weft_v3d_sub(weft_v3d_at(after + 3 * (size_t)a), xa);
    weft_vec3d move_b = weft_v3d_sub(weft_v3d_at(after + 3 * (size_t)b), xb);
    weft_vec3d d = weft_v3d_sub(xb, xa);
    momentum = weft_v3d_add_scaled(momentum, (double)model->masses[a], move_a);
    double length = weft_v3d_length(d), violation = length - (double)g->rest[which];
    weft_vec3d along = weft_v3d_scale(d, 1 / length);
    double left = violation + weft_v3d_dot(along, weft_v3d_sub(move_b, move_a));
    double wanted = (double)g->compliance[which] / (dt * dt) * weft_v3d_dot(along, momentum);
    worst = fmax(worst, fabs(left - wanted));
    max = fmax(max, fabs(violation));
  }
  return worst / max;
}

static void one_solve(weft_physics_run *run) {
  static const struct {
    const char *fabric;
    uint32_t rows;
  } cases[] = {{"tshirt", 33}, {"inextensible", 33}, {"tablecloth", 200}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_model *model = square(run, cases[k].rows, cases[k].fabric, WEFT_PIN_NONE);
    weft_rig rig;
    weft_rig_open(run, model, &(weft_params){.line_sweeps = 1}, &rig);
    if (rig.solver) {
      double *before = crumple(&rig), worst = 0, dt = 1.0 / 1200;
      run_lines(&rig, true);
      for (uint32_t row = 0; row < cases[k].rows; row += 16) {
        double error = row_error(model, before, rig.x, row, dt);
        worst = error > worst || isnan(error) ? error : worst;
      }
      const char *name =
          weft_physics_text("%s, rows of %u: error of a solve", cases[k].fabric, cases[k].rows);
      weft_physics_expect(run, name, "", worst, 0, 1e-3, "C + J dx = -alpha~ dlambda, of the max C",
                          "the diagonal is 2^-18 too large, times multipliers that a third of "
                          "stretch along a row adds up");
      weft_free(before);
    }
    weft_rig_close(&rig);
    weft_model_destroy(model);
  }
}

static void momentum(weft_physics_run *run) {
  const double allowed = weft_physics_is_double(run) ? 5e-9 : 3e-7;
  weft_model *model = square(run, 49, "tablecloth", WEFT_PIN_NONE);
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.line_sweeps = 1}, &rig);
  if (rig.solver) {
    double *before = crumple(&rig);
    run_lines(&rig, true);
    weft_momenta moved = weft_rig_momenta(&rig, before);
    weft_physics_expect(run, "linear momentum of what rows moved", "",
                        weft_v3d_length(moved.linear) / moved.size, 0, allowed, "no outer force",
                        "masses and their reciprocals are rounded floats");
    weft_physics_expect(run, "angular momentum of what rows moved", "",
                        weft_v3d_length(moved.angular) / moved.size, 0, allowed,
                        "forces along the line between two particles", "as above");
    weft_free(before);
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- what it is for ---- */

/* A sheet hung from its top, at rest under its weight: the tension at height h above the hem is
 * rho g h, so that it strains by rho g H/(2 C) on average. A sweep over edges adds to that
 * 0.49 g N^2 dt^2/H, see the case `strain`: 0.5 % at 40 edges. */
static void hung(weft_physics_run *run) {
  static const uint32_t rows[] = {13, 41};
  const weft_material *fabric = weft_material_find("tshirt");
  const double damping = 8, keep = exp(-damping / 1200);
  for (size_t k = 0; k < sizeof rows / sizeof *rows && fabric; ++k) {
    weft_model *model = square(run, rows[k], "tshirt", WEFT_PIN_TOP);
    weft_params params = {.line_sweeps = 1, .damping = (float)damping};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_step(&rig, 60);
    weft_rig_read(&rig);
    if (weft_physics_ok(run)) {
      uint32_t n = rows[k], middle = n / 2;
      double top = rig.x[3 * middle + 1];
      double low = rig.x[3 * (size_t)((n - 1) * n + middle) + 1];
      double strain = top - low - 1;
      double expected =
          (double)fabric->area_density * WEFT_PHYSICS_G * keep / 2 / (double)fabric->stretch_weft;
      weft_physics_expect(run, weft_physics_text("%u rows: mean strain down the middle", n), "",
                          strain, expected, 0.03 * expected, "rho g H/(2 C)",
                          "3 %: a little is carried by the diagonals, and sides draw in");
    }
    weft_rig_close(&rig);
    weft_model_destroy(model);
  }
}

/* Upright, two corners held, as in the case `levels`. */
static void two_corners(weft_physics_run *run) {
  static const uint32_t rows[] = {40};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_model *model = square(run, rows[k], "tablecloth", WEFT_PIN_CORNERS);
    weft_params params = {.line_sweeps = 1, .lra = 4, .damping = 0.5f};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_step(&rig, 60);
    weft_metrics metrics;
    if (rig.solver && weft_solver_metrics(rig.solver, &metrics, &run->err) == WEFT_OK) {
      weft_physics_expect(run, weft_physics_text("%u rows: p99 of strain along threads", rows[k]),
                          "%", 100 * metrics.strain_threads_p99, 0, 0.05,
                          "inextensible for practical purposes",
                          "this fabric strains 0.03 % under its weight, more beside a pin");
    }
    weft_rig_close(&rig);
    weft_model_destroy(model);
  }
}

static void run_case(weft_physics_run *run) {
  one_solve(run);
  momentum(run);
  hung(run);
  two_corners(run);
}

const weft_physics_case weft_case_lines = {
    "lines", "Line solver: the system, momenta, and stretch that theory allows",
    "The stretch constraints along a thread make a tridiagonal system, solved directly once a "
    "substep (line relaxation; Deul et al. 2018 for rods). What a solve moves must satisfy the "
    "equations of XPBD, keep both momenta, and leave hung cloth with the strain of its fabric, at "
    "any resolution.",
    run_case};
