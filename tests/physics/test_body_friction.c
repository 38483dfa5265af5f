/* The friction of a body while a solver runs: from then on the cloth does what it does in a solver
 * made with it, on every backend with the same bits. */
#include <math.h>

#include "../refuses.h"
#include "rig.h"
/* after rig.h */
#include "vec3.h"

/* A sheet on a plate that leans: gravity does. */
typedef struct scene {
  weft_vec3 corners[4];
  uint32_t triangles[6];
  weft_mesh plate;
  weft_body body;
  weft_model *model;
  weft_params params;
} scene;

enum { SIDE = 8 };
static const float slope = 0.3f, g = 9.81f;

static void open_scene(scene *s, float mu) {
  *s = (scene){.corners = {{-5, 0, -5}, {5, 0, -5}, {5, 0, 5}, {-5, 0, 5}},
               .triangles = {0, 2, 1, 0, 3, 2}};
  s->plate = (weft_mesh){
      .vertex_count = 4, .triangle_count = 2, .positions = s->corners, .triangles = s->triangles};
  s->body = (weft_body){.mesh = &s->plate, .friction_static = mu, .friction_dynamic = mu};
  s->model = rig_grid_model(&(weft_grid_desc){.rows = SIDE,
                                              .columns = SIDE,
                                              .width = 0.2f,
                                              .height = 0.2f,
                                              .plane = WEFT_PLANE_XZ,
                                              .centre = weft_v3(0.01f, 0.003f, 0.02f)},
                            (weft_model_desc){.material = weft_material_find("tshirt")});
  const float whole = sqrtf(1 + slope * slope);
  s->params = (weft_params){.self_collision = true,
                            .self_static = 0.3f,
                            .self_dynamic = 0.3f,
                            .gravity = weft_v3(g * slope / whole, -g / whole, 0),
                            .bodies = &s->body,
                            .body_count = 1};
}

static void close_scene(scene *s) { weft_model_destroy(s->model); }

static void set(weft_solver *solver, float mu) {
  weft_error err = {0};
  if (weft_solver_set_body_friction(solver, 0, mu, mu, &err) != WEFT_OK)
    fail_msg("%s", err.message);
}

static double along(weft_solver *solver) {
  weft_vec3 x[SIDE * SIDE];
  weft_error err = {0};
  double sum = 0;
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  for (int i = 0; i < SIDE * SIDE; ++i) sum += (double)x[i].x;
  return sum / (SIDE * SIDE);
}

/* Rough enough it lies, smooth it slides by g sin a, and rough again it stops. */
static void cloth_does_what_the_friction_says(void **state) {
  (void)state;
  scene s;
  open_scene(&s, 0.9f);
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_cpu(0));
  rig_step(solver, 30);
  const double lying = along(solver);
  assert_true(fabs(lying - 0.01) < 2e-3);
  set(solver, 0);
  rig_step(solver, 30);
  const double slid = along(solver) - lying;
  const double wanted = 0.5 * (double)g * (double)slope / sqrt(1 + (double)(slope * slope)) * 0.25;
  print_message("slid %.4g m, g sin a t^2/2 is %.4g m\n", slid, wanted);
  assert_true(fabs(slid - wanted) < 0.03 * wanted);
  set(solver, 0.9f);
  rig_step(solver, 60);
  const double stopped = along(solver);
  rig_step(solver, 10);
  assert_true(fabs(along(solver) - stopped) < 1e-4);
  weft_solver_destroy(solver);
  close_scene(&s);
}

/* Friction at rest holds what lies, on a slope of less than it; friction in motion slows what
 * slides: x = v t + g (sin a - mu cos a) t^2/2. */
static void at_rest_and_in_motion_are_two_frictions(void **state) {
  (void)state;
  const float at_rest = 0.6f, sliding = 0.1f, speed = 1, t = 0.5f;
  scene s;
  open_scene(&s, at_rest);
  s.body.friction_dynamic = sliding;
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_cpu(0));
  rig_step(solver, 60);
  const double lying = along(solver);
  print_message("lies %.3g m from where it was put\n", lying - 0.01);
  assert_true(fabs(lying - 0.01) < 2e-3);
  weft_vec3 velocities[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; ++i) velocities[i] = weft_v3(speed, 0, 0);
  assert_int_equal(weft_solver_write(solver, NULL, velocities, NULL), WEFT_OK);
  rig_step(solver, (uint32_t)(60 * t));
  const double slid = along(solver) - lying;
  const double pull = (double)(g * (slope - sliding)) / sqrt(1 + (double)(slope * slope));
  const double wanted = (double)(speed * t) + 0.5 * pull * (double)(t * t);
  print_message("slid %.4g m, theory has %.4g m\n", slid, wanted);
  assert_true(fabs(slid - wanted) < 0.05 * wanted);
  weft_solver_destroy(solver);
  close_scene(&s);
}

static uint64_t hash_after(weft_solver *solver, uint32_t frames) {
  rig_step(solver, frames);
  return rig_hash(solver);
}

/* Also after a reset, and from the middle of a run on all backends alike. */
static void it_is_as_if_made_with_it(void **state) {
  scene rough, smooth;
  open_scene(&rough, 0.9f);
  open_scene(&smooth, 0.1f);
  const weft_backend *backends[4] = {weft_backend_ref(), weft_backend_cpu(1), weft_backend_cpu(2)};
  const int count = rig_gl_context ? 4 : 3;
  if (rig_gl_context) backends[3] = rig_backend(state);
  uint64_t middle = 0;
  for (int b = 0; b < count; ++b) {
    weft_error err = {0};
    weft_solver *made = rig_solver(smooth.model, &smooth.params, backends[b]);
    weft_solver *told = rig_solver(rough.model, &rough.params, backends[b]);
    const uint64_t wanted = hash_after(made, 8);
    assert_true(hash_after(told, 8) != wanted);
    set(told, 0.1f);
    assert_int_equal(weft_solver_reset(told, &err), WEFT_OK);
    assert_true(hash_after(told, 8) == wanted);
    set(told, 0.9f);
    const uint64_t now = hash_after(told, 8);
    if (b == 0) middle = now;
    assert_true(now == middle);
    weft_solver_destroy(made);
    weft_solver_destroy(told);
  }
  close_scene(&rough);
  close_scene(&smooth);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  scene s;
  open_scene(&s, 0.9f);
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_ref());
  const uint64_t before = rig_hash(solver);
  REFUSES("body 1 does not exist, the solver has 1",
          weft_solver_set_body_friction(solver, 1, 0, 0, E));
  REFUSES("static friction of body 0 is -1", weft_solver_set_body_friction(solver, 0, -1, 0, E));
  REFUSES("dynamic friction of body 0 is nan", weft_solver_set_body_friction(solver, 0, 0, NAN, E));
  assert_int_equal(weft_solver_set_body_friction(NULL, 0, 0, 0, NULL), WEFT_ERROR_ARGUMENT);
  assert_true(rig_hash(solver) == before);
  weft_solver_destroy(solver);
  s.params.no_self_pushes = true;
  solver = rig_solver(s.model, &s.params, weft_backend_ref());
  REFUSES("the solver was made without pushes", weft_solver_set_body_friction(solver, 0, 1, 1, E));
  weft_solver_destroy(solver);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_does_what_the_friction_says),
      cmocka_unit_test(at_rest_and_in_motion_are_two_frictions),
      {"it_is_as_if_made_with_it", it_is_as_if_made_with_it, NULL, NULL, &rig_places[1]},
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
