/* case_sheet.c: a preprocessed sheet at rest stays at rest however it is turned. */
#include <math.h>

#include "base.h"
#include "cases.h"

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
      turn_sheet(run, (weft_bending)b, bendings[b], (weft_mode)m, weft_mode_name((weft_mode)m));
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
