/* Every correction the solver makes is along the gradient of its constraint, turns with the pose
 * it is made in, and is none at all where a cloth rests. */
#include "rig.h"
/* after rig.h */
#include "f64.h"
#include "gradient_case.h"
#include "gradients.h"

enum { SEED = 20 };

/* A nearly flat hinge moves by 1e-4 m only, so that `coarse` is allowed for it. */
static void check_gradients(const weft_backend *backend, double fine, double coarse) {
  uint32_t count = weft_physics_gradient_count();
  weft_gradient_error *errors = calloc(count, sizeof *errors);
  weft_error err = {0};
  if (weft_physics_gradient_errors(backend, SEED, errors, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  bool good = true;
  for (uint32_t k = 0; k < count; ++k) {
    const weft_gradient_error *e = &errors[k];
    print_message("%-28s %4u moves: gradient %.1e, force %.1e, torque %.1e\n", e->name, e->moves,
                  e->gradient, e->force, e->torque);
    assert_true(e->moves >= WEFT_GRADIENT_POSES);
    double allowed = strstr(e->name, "nearly flat") ? coarse : fine;
    good = good && e->gradient < allowed && e->force < allowed && e->torque < allowed;
  }
  free(errors);
  assert_true(good);
}

static void corrections_follow_gradients(void **state) {
  check_gradients(rig_backend(state), 1e-4, 0.05);
}

static void corrections_follow_gradients_in_doubles(void **state) {
  (void)state;
  check_gradients(weft_backend_f64(), 1e-10, 1e-10);
}

/* Whatever writes positions projects a constraint, but for these. level_spread carries the
 * corrections of many means at once: the case `levels` and unit.test_levels hold it; project_lines
 * and project_bends those of many constraints, which unit.test_lines and the oracle solve
 * otherwise. self_apply adds the corrections of pairs, and self_advance cuts motions:
 * physics.test_self_collision. self_extrapolate and self_restore go somewhere and back, and shift
 * moves nothing: unit.test_origin. soft_pins is held against theory: physics.test_soft_pins. ride
 * puts attached particles where their triangles are: physics.test_attached, and the oracle. */
static bool corrects(weft_pass_kind kind) {
  if (kind == WEFT_PASS_CONTACT_PROJECT) return true; /* contact_apply adds its corrections */
  if (kind == WEFT_PASS_PREDICT || kind == WEFT_PASS_MOVE_PINS || kind == WEFT_PASS_MOVE_BODIES ||
      kind == WEFT_PASS_MOVE_SHAPES || kind == WEFT_PASS_GRAB || kind == WEFT_PASS_SOFT_PINS ||
      kind == WEFT_PASS_JACOBI_APPLY || kind == WEFT_PASS_CONTACT_APPLY ||
      kind == WEFT_PASS_LEVEL_SPREAD || kind == WEFT_PASS_PROJECT_LINES ||
      kind == WEFT_PASS_PROJECT_BENDS || kind == WEFT_PASS_SELF_EXTRAPOLATE ||
      kind == WEFT_PASS_SELF_RESTORE || kind == WEFT_PASS_SELF_SHORTEN ||
      kind == WEFT_PASS_SELF_APPLY || kind == WEFT_PASS_SELF_ADVANCE || kind == WEFT_PASS_SHIFT ||
      kind == WEFT_PASS_RIDE) {
    return false;
  }
  const weft_pass_info *info = &weft_pass_infos[kind];
  for (uint32_t b = 0; b < info->binding_count; ++b) {
    if (info->bindings[b].buffer == WEFT_BUFFER_X && info->bindings[b].writes) return true;
  }
  return false;
}

static void every_correcting_pass_has_its_gradients_checked(void **state) {
  (void)state;
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    if (!corrects((weft_pass_kind)kind)) continue;
    bool found = false;
    for (uint32_t k = 0; k < weft_gradient_case_count; ++k) {
      found = found || weft_gradient_cases[k].pass == (weft_pass_kind)kind;
    }
    if (!found) fail_msg("%s has no case in gradient_cases.c", weft_pass_infos[kind].name);
  }
}

/* ---- turned and moved ---- */

static void check_turned(const weft_backend *backend, double allowed) {
  bool good = true;
  for (uint32_t k = 0; k < weft_physics_gradient_count(); ++k) {
    double metres;
    weft_error err = {0};
    if (weft_physics_turned_error(backend, SEED, k, &metres, &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
    print_message("%-28s %.1e m\n", weft_physics_gradient_name(k), metres);
    good = good && metres < allowed;
  }
  assert_true(good);
}

static void a_turned_pose_gets_the_turned_correction(void **state) {
  check_turned(rig_backend(state), 1e-6);
}

static void a_turned_pose_gets_the_turned_correction_in_doubles(void **state) {
  (void)state;
  check_turned(weft_backend_f64(), 1e-12);
}

/* ---- a cloth at rest ---- */

/* By 0.7 rad about (1, 2, 3), then along, in doubles. */
static void turn_cloth(const weft_model *model, double *x) {
  weft_vec3d turn = weft_v3d_scale(weft_v3d(1, 2, 3), 0.7 / sqrt(14.0));
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3d at = weft_v3d_rotate(weft_v3d_from(model->rest_positions[i]), turn);
    x[3 * i] = at.x + 0.3;
    x[3 * i + 1] = at.y - 0.7;
    x[3 * i + 2] = at.z + 1.1;
  }
}

static void write_cloth(weft_solver *solver, const double *x) {
  uint32_t n = solver->model->particle_count;
  if (solver->backend == weft_backend_f64()) {
    double *rows = weft_f64_elements(solver->instance, WEFT_BUFFER_X, 0, n);
    for (uint32_t i = 0; i < n; ++i) memcpy(rows + 4 * i, x + 3 * i, 3 * sizeof *x);
    return;
  }
  weft_vec3 *singles = calloc(n, sizeof *singles);
  for (uint32_t i = 0; i < n; ++i) {
    singles[i] = weft_v3((float)x[3 * i], (float)x[3 * i + 1], (float)x[3 * i + 2]);
  }
  rig_write(solver, singles, NULL);
  free(singles);
}

static void read_cloth(weft_solver *solver, double *x) {
  uint32_t n = solver->model->particle_count;
  if (solver->backend == weft_backend_f64()) {
    assert_int_equal(weft_solver_read_f64(solver, x, NULL, NULL), WEFT_OK);
    return;
  }
  weft_vec3 *singles = calloc(n, sizeof *singles);
  assert_int_equal(weft_solver_read(solver, singles, NULL, NULL), WEFT_OK);
  for (uint32_t i = 0; i < n; ++i) {
    x[3 * i] = (double)singles[i].x;
    x[3 * i + 1] = (double)singles[i].y;
    x[3 * i + 2] = (double)singles[i].z;
  }
  free(singles);
}

/* The furthest that one substep without gravity moves a particle of the turned rest pose. */
static double moved_at_rest(const weft_backend *backend, const char *fabric, weft_bending bending,
                            weft_mode mode) {
  const weft_grid_desc grid = {.rows = 17, .columns = 17};
  weft_model *model = rig_sheet(&grid, fabric, bending, false, WEFT_PIN_NONE);
  size_t n = 3 * (size_t)model->particle_count;
  double *before = calloc(n, sizeof *before), *after = calloc(n, sizeof *after);
  turn_cloth(model, before);
  weft_params params = {.no_gravity = true, .mode = mode};
  weft_solver *solver = rig_solver(model, &params, backend);
  write_cloth(solver, before);
  read_cloth(solver, before);
  weft_solver_begin_frame(solver);
  weft_solver_run_substep(solver, 0);
  read_cloth(solver, after);
  double max = 0;
  for (size_t k = 0; k < n; ++k) max = fmax(max, fabs(after[k] - before[k]));
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  free(before);
  free(after);
  return max;
}

/* Rest lengths are floats in doubles as well: half an ulp of each may be put right. */
static void check_at_rest(const weft_backend *backend, double allowed) {
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL,
                                          WEFT_BENDING_ACROSS};
  bool good = true;
  for (size_t b = 0; b < sizeof bendings / sizeof *bendings; ++b) {
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_JACOBI; ++mode) {
      double soft = moved_at_rest(backend, "denim", bendings[b], (weft_mode)mode);
      double hard = moved_at_rest(backend, "inextensible", bendings[b], (weft_mode)mode);
      print_message("bending %zu, mode %d: moved by %.1e m (denim), %.1e m (inextensible)\n", b,
                    mode, soft, hard);
      good = good && soft < allowed && hard < allowed;
    }
  }
  assert_true(good);
}

static void a_turned_rest_cloth_stays_where_it_is(void **state) {
  check_at_rest(rig_backend(state), 4e-7);
}

static void a_turned_rest_cloth_stays_where_it_is_in_doubles(void **state) {
  (void)state;
  check_at_rest(weft_backend_f64(), 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(corrections_follow_gradients),
      cmocka_unit_test(corrections_follow_gradients_in_doubles),
      cmocka_unit_test(every_correcting_pass_has_its_gradients_checked),
      RIG_BOTH(a_turned_pose_gets_the_turned_correction),
      cmocka_unit_test(a_turned_pose_gets_the_turned_correction_in_doubles),
      RIG_BOTH(a_turned_rest_cloth_stays_where_it_is),
      cmocka_unit_test(a_turned_rest_cloth_stays_where_it_is_in_doubles),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
