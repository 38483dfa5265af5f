/* case_sheet.c: preprocessed sheets: how far a hung one stretches, and that a rest one stays at
 * rest however it is turned. */
#include <math.h>
#include <string.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"

/* ---- the strain law ---- */

enum { COLUMNS = 5 };

/* Over the edges along the direction of hanging: between vertices one row apart in one column. */
static double mean_strain_down(const weft_rig *rig) {
  const weft_constraint_group *g = &rig->model->groups[0];
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *p = &g->particles[2 * i];
    if (p[0] + COLUMNS != p[1] && p[1] + COLUMNS != p[0]) continue;
    double length = weft_v3d_distance(weft_rig_at(rig, p[0]), weft_rig_at(rig, p[1]));
    sum += length / (double)g->rest[i] - 1;
    ++count;
  }
  return count ? sum / count : NAN;
}

static double hung_strain(weft_physics_run *run, uint32_t edges) {
  weft_grid_desc grid = {.rows = edges + 1, .columns = COLUMNS, .width = 4.0f / (float)edges};
  weft_model *model =
      weft_physics_sheet(run, &grid, "inextensible", WEFT_BENDING_NONE, true, WEFT_PIN_TOP);
  const double damping = 16;
  weft_params params = {.damping = (float)damping};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_step(&rig, 75);
  weft_rig_read(&rig);
  double strain = weft_physics_ok(run) ? mean_strain_down(&rig) * exp(damping / 1200) : NAN;
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return strain;
}

static void strain_law(weft_physics_run *run) {
  static const double edges[] = {32, 64, 128};
  double strain[3], law[3], dt = 1.0 / 1200;
  for (int k = 0; k < 3; ++k) {
    strain[k] = hung_strain(run, (uint32_t)edges[k]);
    law[k] = 0.49 * WEFT_PHYSICS_G * edges[k] * edges[k] * dt * dt;
    weft_physics_expect(run, weft_physics_text("mean strain, %.0f edges down", edges[k]), "",
                        strain[k], law[k], 0.1 * law[k],
                        "0.49 g N^2 dt^2 / L, a fit to sheets of 32 to 128 edges; g N^2 dt^2/(2 L) "
                        "is derived for chains, see chain",
                        "10 %: the constant grows a little with N, from 0.51 to 0.53 here");
  }
  weft_physics_expect(run, "order in N", "", weft_physics_slope(3, edges, strain), 2, 0.05,
                      "0.49 g N^2 dt^2 / L",
                      "the constant of the law varies by a few percent with N");
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Strain of a hung sheet", "edges from top to bottom", "mean strain",
                                true, true, false});
  weft_physics_theory(run, plot, "0.49 g N^2 dt^2 / L", 3, edges, law);
  weft_physics_curve(run, plot, "hung sheet", 3, edges, strain);
}

const weft_physics_case weft_case_strain = {
    "strain", "A top-hung sheet stretches by 0.49 g N^2 dt^2 / L",
    "A sheet of hard stretch constraints, 1 m long and N edges high, hangs still from its top edge "
    "at 20 substeps of one sweep a frame. What one sweep leaves of the stretch of each substep "
    "adds "
    "up to the law; measured is the mean over the edges that run down.",
    strain_law};

/* ---- a sheet at rest, turned and moved ---- */

/* By 0.7 rad about (1, 2, 3), then along. */
static weft_vec3 turned(weft_vec3 v) {
  weft_vec3d turn = weft_v3d_scale(weft_v3d(1, 2, 3), 0.7 / sqrt(14.0));
  return weft_v3d_round(
      weft_v3d_add(weft_v3d_rotate(weft_v3d_from(v), turn), weft_v3d(0.3, -0.2, 0.7)));
}

static double largest_move(const weft_rig *rig, const weft_vec3 *from) {
  double max = 0;
  for (uint32_t i = 0; i < rig->count; ++i) {
    max = fmax(max, weft_v3d_distance(weft_rig_at(rig, i), weft_v3d_from(from[i])));
  }
  return max;
}

static void turn_sheet(weft_physics_run *run, weft_bending bending, const char *name,
                       weft_mode mode, const char *mode_name) {
  weft_grid_desc grid = {.rows = 24, .columns = 24};
  weft_model *model = weft_physics_sheet(run, &grid, "inextensible", bending, false, WEFT_PIN_NONE);
  weft_params params = {.no_gravity = true, .substeps = 1, .mode = mode};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_vec3 *x = weft_alloc(rig.count, sizeof *x);
  for (uint32_t i = 0; model && i < rig.count; ++i) x[i] = turned(model->rest_positions[i]);
  weft_rig_write(&rig, x, NULL);
  weft_rig_step(&rig, 1);
  weft_rig_read(&rig);
  weft_physics_expect(run, weft_physics_text("max move, %s, %s", name, mode_name), "m",
                      largest_move(&rig, x), 0, 1e-6, "rigid motion changes no constraint",
                      "the turned pose is rounded to floats, 6e-8 m at 1 m, and hard constraints "
                      "even that out over their neighbours");
  weft_free(x);
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void rigid_motion(weft_physics_run *run) {
  static const char *const bendings[] = {"isometric", "dihedral", "across"};
  for (int b = 0; b < 3; ++b) {
    for (int m = 0; m < 3; ++m) {
      turn_sheet(run, (weft_bending)b, bendings[b], (weft_mode)m, weft_mode_names[m]);
    }
  }
}

const weft_physics_case weft_case_rigid = {"rigid",
                                           "A sheet at rest, turned and moved, stays where it is",
                                           "A hard sheet of 24 x 24 particles is turned by 0.7 rad "
                                           "about (1, 2, 3) and moved, and one step "
                                           "without gravity is taken: stretch, shear and each "
                                           "bending constraint, in each mode, must leave "
                                           "every particle where it is.",
                                           rigid_motion};
