/* A collider moved while it runs is one on a given path: it pushes, carries and sweeps with the
 * velocity of its offset, goes home with a reset and comes along where a state does. */
#include "rig.h"
/* after rig.h */
#include "base.h"
#include "find_nonfinite.h"

static void move(weft_solver *solver, uint32_t collider, weft_vec3 offset) {
  weft_error err = {0};
  if (weft_solver_move_collider(solver, collider, offset, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
}

static const weft_vec3 origin = {0, 0, 0};
static const float one = 1;

/* ---- the conveyor of test_contact, driven frame by frame ---- */

static void friction_carries_at_the_speed_of_the_offset(void **state) {
  weft_grid_desc grid = {.rows = 9, .columns = 9, .plane = WEFT_PLANE_XZ};
  weft_model *model = rig_sheet(&grid, "trousers", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE,
                         .b = {0, 1, 0},
                         .friction_static = 0.8f,
                         .friction_dynamic = 0.8f};
  weft_params params = {.colliders = &plane, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  rig_step(solver, 15);
  weft_vec3 start = rig_position(solver, 40);
  for (int f = 1; f <= 60; ++f) {
    move(solver, 0, weft_v3(0.5f * (float)f / 60, 0, 0));
    rig_step(solver, 1);
  }
  double slip = 0.5 * 0.5 / (2 * 0.8 * 9.81);
  weft_vec3 end = rig_position(solver, 40);
  rig_near((double)(end.x - start.x), 0.5 - slip, 0.002, "way the cloth was carried");
  rig_near((double)rig_velocity(solver, 40).x, 0.5, 0.01, "speed of the carried cloth");
  rig_step(solver, 60); /* the offset stays, so friction stops the cloth over the same slip */
  rig_near((double)(rig_position(solver, 40).x - start.x), 0.5, 0.002, "way at rest");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* 300 m/s: each substep the ball goes 2.5 times its diameter and would jump over the particle. */
static void a_jerk_does_not_jump_over_a_particle(void **state) {
  weft_model *model = rig_model(1, &origin, &one);
  weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .a = {-1, 0, 0}, .radius = 0.05f};
  weft_params params = {.no_gravity = true, .colliders = &ball, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  move(solver, 0, weft_v3(5, 0, 0));
  rig_step(solver, 1);
  weft_vec3 x = rig_position(solver, 0);
  if (!(x.x >= 4.05f - 1e-4f)) fail_msg("the particle stayed behind at x = %.6g", (double)x.x);
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* ---- poses ---- */

static weft_collider_pose pose_in(weft_solver *solver, uint32_t substep, uint32_t collider) {
  weft_collider_pose pose;
  uint32_t count = solver->params.collider_count;
  weft_solver_read_buffer(solver, WEFT_BUFFER_COLLIDERS, substep * count + collider, 1, &pose);
  return pose;
}

/* On top of what the scene itself does; the ends of a capsule go together, a normal stays. */
static void an_offset_is_added_to_a_given_path(void **state) {
  weft_model *model = rig_model(1, &origin, &one);
  const weft_collider_key keys[] = {{.time = 0, .a = {0, 2, 0}, .b = {0, 3, 0}},
                                    {.time = 1, .a = {0, 2, 6}, .b = {0, 3, 6}}};
  const weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_CAPSULE, .radius = 0.1f, .keys = keys, .key_count = 2},
      {.shape = WEFT_COLLIDER_PLANE, .a = {0, -1, 0}, .b = {0, 1, 0}}};
  weft_params params = {.substeps = 4, .colliders = shapes, .collider_count = 2};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  move(solver, 0, weft_v3(0.4f, 0, 0));
  move(solver, 1, weft_v3(0, 0.4f, 0));
  weft_solver_begin_frame(solver);
  for (uint32_t s = 0; s < 4; ++s) {
    weft_collider_pose p = pose_in(solver, s, 0), floor = pose_in(solver, s, 1);
    double part = (s + 1) / 4.0;
    rig_near((double)p.a.x, 0.4 * part, 1e-6, "end a along the offset");
    rig_near((double)p.b.x, 0.4 * part, 1e-6, "end b along the offset");
    rig_near((double)p.a.z, 0.1 * part, 1e-6, "end a along the path");
    rig_near((double)p.move_a.x, 0.1, 1e-6, "way of end a in a substep");
    rig_near((double)p.move_b.x, 0.1, 1e-6, "way of end b in a substep");
    rig_near((double)p.move_a.z, 0.025, 1e-6, "way of end a along the path");
    rig_near((double)floor.a.y, -1 + 0.4 * part, 1e-6, "height of the plane");
    rig_near((double)floor.b.y, 1, 0, "normal of the plane");
  }
  weft_solver_end_frame(solver);
  rig_step(solver, 1);
  rig_near((double)pose_in(solver, 0, 0).move_a.x, 0, 0, "way once it has come to rest");
  rig_near((double)pose_in(solver, 0, 0).a.x, 0.4, 1e-6, "offset at rest");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* ---- what becomes of the offset ---- */

static void reset_puts_it_back_and_states_carry_it(void **state) {
  weft_model *model = rig_model(1, &origin, &one);
  weft_collider ball = {
      .shape = WEFT_COLLIDER_SPHERE, .a = {2, 0, 0}, .radius = 0.1f, .offset = {0, 0.25f, 0}};
  weft_params params = {.colliders = &ball, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  weft_solver *other = rig_solver(model, &params, weft_backend_ref());
  weft_kept_state kept;
  weft_kept_state_alloc(solver, &kept);
  move(solver, 0, weft_v3(0, 1, 0));
  rig_step(solver, 1);
  assert_int_equal(weft_solver_keep(solver, &kept, NULL), WEFT_OK);
  assert_int_equal(weft_solver_copy_state_from(other, solver, NULL), WEFT_OK);
  rig_step(other, 1);
  assert_true(pose_in(other, 0, 0).a.y == 1 && pose_in(other, 0, 0).move_a.y == 0);
  assert_int_equal(weft_solver_reset(solver, NULL), WEFT_OK);
  rig_step(solver, 1);
  assert_true(pose_in(solver, 0, 0).a.y == 0.25f && pose_in(solver, 0, 0).move_a.y == 0);
  weft_solver_restore(solver, &kept);
  rig_step(solver, 1);
  assert_true(pose_in(solver, 0, 0).a.y == 1 && pose_in(solver, 0, 0).move_a.y == 0);
  weft_kept_state_free(&kept);
  weft_solver_destroy(other);
  weft_solver_destroy(solver);
  rig_model_free(model);
}

static void what_cannot_be_is_refused(void **state) {
  weft_model *model = rig_model(1, &origin, &one);
  weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.1f};
  weft_params params = {.colliders = &ball, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  weft_error err = {0};
  assert_int_equal(weft_solver_move_collider(solver, 1, origin, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "collider 1 does not exist"));
  weft_vec3 far = {0, 2e6f, 0}, none = {NAN, 0, 0};
  assert_int_equal(weft_solver_move_collider(solver, 0, far, &err), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_move_collider(solver, 0, none, &err), WEFT_ERROR_NOT_FINITE);
  weft_solver_destroy(solver);
  ball.offset = far;
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "offset of collider 0"));
  rig_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(friction_carries_at_the_speed_of_the_offset),
      RIG_BOTH(a_jerk_does_not_jump_over_a_particle),
      RIG_BOTH(an_offset_is_added_to_a_given_path),
      RIG_BOTH(reset_puts_it_back_and_states_carry_it),
      RIG_BOTH(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
