/* Friction of cloth on cloth: a patch that lies on a tilted sheet, beside the textbook's block on a
 * slope. */
#include "rig.h"
/* after rig.h */
#include "base.h"

enum { PATCH = 20, SLOPE_ROWS = 16, SLOPE_COLUMNS = 42 };
static const double gravity = 9.81;
static const double slope_length = 0.8, slope_width = 0.3, thickness = 0.003;

/* ---- a patch on a slope ---- */

/* About z: what lay flat rises towards +x. */
static weft_vec3 tilted(double x, double y, double z, double angle) {
  double c = cos(angle), s = sin(angle);
  return weft_v3((float)(c * x - s * y), (float)(s * x + c * y), (float)z);
}

/* The patch comes first. It is high above the slope: what is near it in the rest pose would be
 * allowed to stay nearer than the thickness. It lies askew, and near the upper end. */
static void place(weft_mesh *all, uint32_t patch, double angle, double height) {
  double c = cos(0.3), s = sin(0.3);
  for (uint32_t i = 0; i < all->vertex_count; ++i) {
    double x = (double)all->positions[i].x, z = (double)all->positions[i].z;
    bool above = i < patch;
    all->positions[i] =
        above ? tilted(c * x - s * z + 0.5 * (slope_length - 0.3), height, s * x + c * z, angle)
              : tilted(x, 0, z, angle);
  }
}

static weft_mesh both_sheets(uint32_t *patch) {
  weft_grid_desc small = {
      .rows = PATCH, .columns = PATCH, .width = 0.2f, .height = 0.2f, .plane = WEFT_PLANE_XZ};
  weft_grid_desc large = {.rows = SLOPE_ROWS,
                          .columns = SLOPE_COLUMNS,
                          .width = (float)slope_length,
                          .height = (float)slope_width,
                          .plane = WEFT_PLANE_XZ};
  weft_mesh a = rig_grid(&small), b = rig_grid(&large), all = {0};
  all.vertex_count = a.vertex_count + b.vertex_count;
  all.triangle_count = a.triangle_count + b.triangle_count;
  all.positions = weft_alloc(all.vertex_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  uint32_t n = a.vertex_count, corners = 3 * a.triangle_count;
  memcpy(all.positions, a.positions, n * sizeof *a.positions);
  memcpy(all.positions + n, b.positions, b.vertex_count * sizeof *b.positions);
  memcpy(all.triangles, a.triangles, corners * sizeof *a.triangles);
  for (uint32_t k = 0; k < 3 * b.triangle_count; ++k) {
    all.triangles[corners + k] = b.triangles[k] + n;
  }
  weft_mesh_free(&a);
  weft_mesh_free(&b);
  *patch = n;
  return all;
}

typedef struct slope {
  weft_model *model;
  weft_solver *solver;
  weft_vec3 *x, *v;
  uint32_t patch; /* particles */
  double angle;
} slope;

/* mu: at rest and sliding. */
static slope slope_above(double angle, double hold, double rub, uint32_t substeps, double lift) {
  slope s = {.angle = angle};
  weft_mesh all = both_sheets(&s.patch);
  uint32_t held = all.vertex_count - s.patch;
  uint32_t *list = weft_alloc(held, sizeof *list);
  for (uint32_t k = 0; k < held; ++k) list[k] = s.patch + k;
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = held};
  weft_vec3 *flat = weft_alloc(all.vertex_count, sizeof *flat);
  memcpy(flat, all.positions, all.vertex_count * sizeof *flat);
  place(&all, s.patch, angle, 0.2);
  s.model = rig_preprocess(&(weft_model_desc){
      .mesh = &all, .material = weft_material_find("tablecloth"), .pins = &pin, .pin_count = 1});
  const weft_params params = {.self_collision = true,
                              .self_thickness = (float)thickness,
                              .self_static = (float)hold,
                              .self_dynamic = (float)rub,
                              .substeps = substeps};
  s.solver = rig_solver(s.model, &params, weft_backend_cpu(0));
  memcpy(all.positions, flat, all.vertex_count * sizeof *flat);
  place(&all, s.patch, angle, thickness + lift);
  rig_write(s.solver, all.positions, NULL);
  s.x = calloc(all.vertex_count, sizeof *s.x);
  s.v = calloc(all.vertex_count, sizeof *s.v);
  weft_free(flat);
  weft_free(list);
  weft_mesh_free(&all);
  return s;
}

static slope slope_at(double angle, double hold, double rub, uint32_t substeps) {
  return slope_above(angle, hold, rub, substeps, 0);
}

static void slope_free(slope *s) {
  weft_solver_destroy(s->solver);
  weft_model_destroy(s->model);
  free(s->x);
  free(s->v);
}

/* Means over the patch, down the slope. */
typedef struct motion {
  double way, speed;
} motion;

static motion look_at(slope *s) {
  weft_error err = {0};
  assert_int_equal(weft_solver_read(s->solver, s->x, s->v, &err), WEFT_OK);
  double c = cos(s->angle), sn = sin(s->angle);
  motion m = {0, 0};
  for (uint32_t i = 0; i < s->patch; ++i) {
    m.way -= (c * (double)s->x[i].x + sn * (double)s->x[i].y) / s->patch;
    m.speed -= (c * (double)s->v[i].x + sn * (double)s->v[i].y) / s->patch;
  }
  return m;
}

/* ---- beside theory ---- */

static const double degree = 3.14159265358979323846 / 180;

/* When a patch that was laid down has come to rest on the slope; and half a second later. */
enum { BEGIN = 6, END = 36, SUBSTEPS = 20 };

typedef struct slid {
  double way, acceleration;
} slid;

static slid slide_of(slope s) {
  rig_step(s.solver, BEGIN);
  motion before = look_at(&s);
  rig_step(s.solver, END - BEGIN);
  motion after = look_at(&s);
  slope_free(&s);
  double seconds = (END - BEGIN) / 60.0;
  return (slid){after.way - before.way, (after.speed - before.speed) / seconds};
}

static slid slide_from(double hold, double rub, double angle, uint32_t substeps) {
  return slide_of(slope_at(angle, hold, rub, substeps));
}

/* g (sin - mu cos) */
static void check_pull(double hold, double rub, double angle, double tolerance, uint32_t substeps) {
  slid s = slide_from(hold, rub, angle, substeps);
  double expected = gravity * (sin(angle) - rub * cos(angle));
  print_message("mu %.1f/%.1f at %.2f degrees: %.4f m/s^2, in theory %.4f\n", hold, rub,
                angle / degree, s.acceleration, expected);
  rig_near(s.acceleration, expected, tolerance * expected, "the acceleration");
}

static void check_acceleration(double hold, double rub, double angle, double tolerance) {
  check_pull(hold, rub, angle, tolerance, SUBSTEPS);
}

static void a_patch_slides_down_with_what_friction_leaves(void **state) {
  (void)state;
  check_acceleration(0, 0, 5 * degree, 0.01);
  check_acceleration(0.3, 0.3, atan(0.3) + 3 * degree, 0.01);
  check_acceleration(0.5, 0.5, atan(0.5) + 3 * degree, 0.01);
}

/* Speed and acceleration of what sticks, with many substeps and with few. */
static void check_stuck(double hold, double rub, double angle, uint32_t substeps) {
  slid s = slide_from(hold, rub, angle, substeps);
  print_message("mu %.1f/%.1f at %.2f degrees, %u substeps: %.4f mm in half a second\n", hold, rub,
                angle / degree, substeps, 1e3 * s.way);
  rig_near(s.way, 0, 2e-5, "the way of what sticks, m");
}

/* It sticks a degree below the angle of friction and slides a degree above it. */
static void friction_lets_go_at_its_angle(void **state) {
  (void)state;
  static const double mus[] = {0.3, 0.5};
  for (int k = 0; k < 2; ++k) {
    check_stuck(mus[k], mus[k], atan(mus[k]) - degree, SUBSTEPS);
    check_acceleration(mus[k], mus[k], atan(mus[k]) + degree, 0.03);
  }
  check_stuck(0.5, 0.5, atan(0.5) - degree, 6);
}

/* One pair that bears less than its share for a moment must not make all of them slide. */
static void what_sticks_by_more_than_it_slides_stays(void **state) {
  (void)state;
  check_stuck(0.6, 0.2, atan(0.5), SUBSTEPS);
  check_stuck(0.6, 0.2, atan(0.5), 8);
  check_acceleration(0.4, 0.2, atan(0.5), 0.03);
}

/* It comes down with as much speed along the slope as friction can hold, and bounces a little. At
 * 160 substeps a depth at rest is 2 ulps of a position, so it creeps. */
static void what_is_dropped_stays_with_any_number_of_substeps(void **state) {
  (void)state;
  for (uint32_t substeps = 20; substeps <= 160; substeps *= 2) {
    slid s = slide_of(slope_above(atan(0.5), 0.6, 0.2, substeps, 1e-3));
    print_message("dropped by 1 mm, %u substeps: %.4f mm in half a second\n", substeps,
                  1e3 * s.way);
    rig_near(s.way, 0, substeps > 80 ? 5e-3 : 1e-3, "the way of what was dropped, m");
  }
  check_pull(0.6, 0.2, atan(0.6) + degree, 0.03, 40);
  check_pull(0.4, 0.2, atan(0.5), 0.03, 40);
}

/* ---- what is remembered ---- */

static uint32_t kept_count(weft_solver *solver) {
  uint32_t count;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &count);
  return count;
}

static uint64_t hash_later(weft_solver *solver) {
  rig_step(solver, 3);
  return rig_hash(solver);
}

/* The list as another order of threads would have filled it. */
static void reverse_kept(weft_solver *solver) {
  uint32_t count = kept_count(solver);
  weft_self_cached *kept = calloc(count, sizeof *kept), *back = calloc(count, sizeof *back);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, count, kept);
  for (uint32_t k = 0; k < count; ++k) back[k] = kept[count - 1 - k];
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, count, back);
  free(kept);
  free(back);
}

/* What has slid belongs to the state; in which order it is listed does not. */
static void memory_is_a_set_that_goes_on(void **state) {
  (void)state;
  slope s = slope_at(atan(0.3) - 2 * degree, 0.3, 0.3, SUBSTEPS);
  rig_step(s.solver, BEGIN);
  assert_true(kept_count(s.solver) > s.patch);
  const weft_params *params = weft_solver_params(s.solver);
  weft_solver *same = rig_solver(s.model, params, weft_backend_cpu(0));
  weft_solver *other = rig_solver(s.model, params, weft_backend_ref());
  weft_solver *without = rig_solver(s.model, params, weft_backend_cpu(0));
  weft_error err = {0};
  assert_int_equal(weft_solver_copy_state_from(same, s.solver, &err), WEFT_OK);
  assert_int_equal(weft_solver_copy_state_from(other, s.solver, &err), WEFT_OK);
  reverse_kept(other);
  /* Positions that the host gives have slid nowhere. */
  assert_int_equal(weft_solver_read(s.solver, s.x, s.v, &err), WEFT_OK);
  assert_int_equal(weft_solver_copy_state_from(without, s.solver, &err), WEFT_OK);
  rig_write(without, s.x, s.v);
  assert_int_equal(kept_count(without), 0);
  uint64_t hash = hash_later(s.solver);
  assert_true(hash_later(same) == hash);
  assert_true(hash_later(other) == hash);
  assert_true(hash_later(without) != hash);
  weft_solver_destroy(same);
  weft_solver_destroy(other);
  weft_solver_destroy(without);
  slope_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_patch_slides_down_with_what_friction_leaves),
      cmocka_unit_test(friction_lets_go_at_its_angle),
      cmocka_unit_test(what_sticks_by_more_than_it_slides_stays),
      cmocka_unit_test(what_is_dropped_stays_with_any_number_of_substeps),
      cmocka_unit_test(memory_is_a_set_that_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
