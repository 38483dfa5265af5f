/* Pins that go with a body: a tube around a ball that turns and rises as its keys say. */
#include <math.h>
#include <stdio.h>
#include <weft_kit/export.h>

#include "base.h"
#include "blend.h"
#include "rig_scene.h"
#include "vec3d.h"

static const char *const ball_file = "bound_ball.obj", *const keys_file = "bound_ball.json";
static const float ball_radius = 0.15f;
/* In a second, about the y axis through the pivot. */
static const double turn = 1.2, rise = 0.25, pivot_x = 0.05;

static weft_mesh ball_at(weft_vec3 centre) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_blend_solid solid = {
      .a = centre, .b = centre, .radius_a = ball_radius, .radius_b = ball_radius};
  const weft_blend_desc desc = {.solids = &solid, .solid_count = 1, .edge = 0.05f};
  if (weft_mesh_blend(&desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

static int write_files(void **state) {
  (void)state;
  weft_mesh mesh = ball_at(weft_v3(0, 1, 0));
  assert_int_equal(weft_mesh_export_obj(ball_file, &mesh, NULL, NULL), WEFT_OK);
  weft_mesh_free(&mesh);
  FILE *keys = fopen(keys_file, "w");
  assert_non_null(keys);
  fprintf(keys,
          "{\"pivot\": [%g, 0, 0], \"keys\": [{\"time\": 0}, {\"time\": 1, \"translation\": [0, "
          "%g, 0], \"axis\": [0, 1, 0], \"angle\": %.12g}]}",
          pivot_x, rise, turn * 57.29577951308232);
  return fclose(keys);
}

static int remove_files(void **state) {
  (void)state;
  return remove(ball_file) | remove(keys_file);
}

/* A tube, held at its top, that hangs around where the ball is. */
static weft_scene_instance tube_scene(void) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_tube_desc tube = {.top_radius = 0.2f,
                               .bottom_radius = 0.3f,
                               .height = 0.3f,
                               .rings = 8,
                               .segments = 24,
                               .centre_top = {0, 1.1f, 0}};
  const weft_scene_options options = {.plain = true};
  weft_scene_instance scene;
  assert_int_equal(weft_mesh_tube(&tube, &mesh, &err), WEFT_OK);
  if (weft_scene_from_mesh("tube", &mesh, &options, &scene, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return scene;
}

static void add_ball(weft_scene_instance *scene, const weft_vec3 *still_at) {
  weft_scene_body source = {0};
  weft_error err = {0};
  const weft_motion_desc desc = {.motion = keys_file, .mesh = ball_file};
  if (still_at) source.mesh = ball_at(*still_at);
  weft_result result = still_at ? WEFT_OK : weft_motion_load(&desc, &source.motion, &err);
  if (result == WEFT_OK) result = weft_scene_add_body(scene, &source, &(weft_body){0}, &err);
  if (result != WEFT_OK) fail_msg("%s", err.message);
}

static void bind(weft_scene_instance *scene, uint32_t body) {
  weft_error err = {0};
  if (weft_scene_bind_pins(scene, body, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static weft_vec3d carried(weft_vec3 rest, double time) {
  double angle = turn * time, x = (double)rest.x - pivot_x, z = (double)rest.z;
  return weft_v3d(cos(angle) * x + sin(angle) * z + pivot_x, (double)rest.y + rise * time,
                  cos(angle) * z - sin(angle) * x);
}

static bool is_pinned(const weft_scene_instance *scene, uint32_t i) {
  return weft_model_inverse_masses(scene->model)[i] == 0;
}

static void pins_go_with_a_body_by_its_keys(void **state) {
  (void)state;
  weft_scene_instance scene = tube_scene();
  add_ball(&scene, NULL);
  bind(&scene, WEFT_NEAREST_BODY);
  const weft_vec3 *rest = weft_model_rest_positions(scene.model);
  weft_solver *solver = rig_solver(scene.model, &scene.params, weft_backend_cpu(1));
  for (int f = 0; f < 4; ++f) {
    rig_scene_step(&scene, solver, 6);
    for (uint32_t i = 0; i < scene.mesh.vertex_count; ++i) {
      if (!is_pinned(&scene, i)) continue;
      assert_true(weft_scene_leads(&scene, i));
      rig_near3(weft_v3d_from(rig_position(solver, i)), carried(rest[i], weft_solver_time(solver)),
                2e-6, "pin");
    }
  }
  /* The whole way has been gone, not half of it. */
  assert_true(weft_solver_time(solver) > 0.39);
  uint32_t pinned = weft_model_pinned_count(scene.model);
  assert_int_equal(pinned, 24);
  assert_false(weft_scene_leads(&scene, scene.mesh.vertex_count - 1));
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* One that has been let go stays; a reset begins anew. */
static void a_pin_let_go_stays(void **state) {
  (void)state;
  weft_scene_instance scene = tube_scene();
  add_ball(&scene, NULL);
  bind(&scene, 0);
  weft_solver *solver = rig_solver(scene.model, &scene.params, weft_backend_cpu(1));
  uint32_t i = 0;
  while (!is_pinned(&scene, i)) ++i;
  weft_scene_let_go(&scene, i + 1);
  assert_false(weft_scene_leads(&scene, i + 1));
  rig_scene_step(&scene, solver, 4);
  const weft_vec3 *rest = weft_model_rest_positions(scene.model);
  rig_near3(weft_v3d_from(rig_position(solver, i + 1)), weft_v3d_from(rest[i + 1]), 1e-7, "stays");
  double time = weft_solver_time(solver);
  rig_near3(weft_v3d_from(rig_position(solver, i)), carried(rest[i], time), 2e-6, "goes");
  uint64_t once = rig_hash(solver);
  assert_int_equal(weft_solver_reset(solver, NULL), WEFT_OK);
  rig_scene_step(&scene, solver, 4);
  assert_true(rig_hash(solver) == once);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* A body that stands still is moved by hand. The one that is nearer is meant, or the one named. */
static void pins_go_with_the_body_that_is_dragged(void **state) {
  (void)state;
  const weft_vec3 near_right = {0.05f, 1, 0}, far = {1, 1, 0}, by = {0.02f, 0.03f, -0.01f};
  for (uint32_t k = 0; k < 4; ++k) { /* far, near, the nearest, the nearest of the other order */
    weft_scene_instance scene = tube_scene();
    uint32_t near = k < 3;
    add_ball(&scene, near ? &far : &near_right);
    add_ball(&scene, near ? &near_right : &far);
    bind(&scene, k < 2 ? k : WEFT_NEAREST_BODY);
    weft_solver *solver = rig_solver(scene.model, &scene.params, weft_backend_cpu(1));
    rig_scene_step(&scene, solver, 1);
    assert_int_equal(weft_scene_shift_body(&scene, solver, near, by, NULL), WEFT_OK);
    rig_scene_step(&scene, solver, 2);
    const weft_vec3 *rest = weft_model_rest_positions(scene.model);
    for (uint32_t i = 0; i < scene.mesh.vertex_count; ++i) {
      if (!is_pinned(&scene, i)) continue;
      weft_vec3d wanted = weft_v3d_from(rest[i]);
      if (k > 0) wanted = weft_v3d_add(wanted, weft_v3d_from(by));
      rig_near3(weft_v3d_from(rig_position(solver, i)), wanted, 1e-6, "pin");
    }
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
}

/* The skirt turns its own waist. Bound to a body that stands still, it stands still. */
static void a_scene_moves_no_pin_that_is_bound(void **state) {
  (void)state;
  for (int bound = 0; bound < 2; ++bound) {
    weft_scene_instance scene = rig_scene("skirt", 12);
    const weft_vec3 beside = {1, 1, 0};
    add_ball(&scene, &beside);
    if (bound) bind(&scene, 0);
    weft_solver *solver = rig_solver(scene.model, &scene.params, weft_backend_cpu(1));
    rig_scene_step(&scene, solver, 50);
    double farthest = 0;
    for (uint32_t i = 0; i < scene.mesh.vertex_count; ++i) {
      if (!is_pinned(&scene, i)) continue;
      weft_vec3d rest = weft_v3d_from(weft_model_rest_positions(scene.model)[i]);
      farthest = fmax(farthest, weft_v3d_distance(weft_v3d_from(rig_position(solver, i)), rest));
    }
    assert_true(bound ? farthest < 1e-7 : farthest > 0.01);
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
}

static void refused(weft_scene_instance *scene, uint32_t body, const char *words) {
  weft_error err = {0};
  assert_int_equal(weft_scene_bind_pins(scene, body, &err), WEFT_ERROR_ARGUMENT);
  if (!strstr(err.message, words)) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
}

static void what_cannot_go_along_is_said(void **state) {
  (void)state;
  const weft_vec3 beside = {1, 1, 0};
  weft_scene_instance scene = tube_scene();
  refused(&scene, WEFT_NEAREST_BODY, "tube has no body");
  add_ball(&scene, &beside);
  refused(&scene, 1, "tube has 1 body, and 1 is not among them");
  weft_scene_free(&scene);
  scene = rig_scene("drape", 8);
  add_ball(&scene, &beside);
  refused(&scene, 0, "nothing of drape is pinned");
  weft_scene_free(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pins_go_with_a_body_by_its_keys),
      cmocka_unit_test(a_pin_let_go_stays),
      cmocka_unit_test(pins_go_with_the_body_that_is_dragged),
      cmocka_unit_test(a_scene_moves_no_pin_that_is_bound),
      cmocka_unit_test(what_cannot_go_along_is_said),
  };
  return cmocka_run_group_tests(tests, write_files, remove_files);
}
