/* Bodies in the window: met where they stand, dragged no faster than a hand, with the cloth on
 * them; part of what is validated; added to a scene that runs; and rubbed anew without a new start.
 */
#include <math.h>
#include <weft_kit/export.h>

#include "blend.h"
#include "demo_host.h"
/* after cmocka */
#include "intersections_seen.h"

static const float radius = 0.15f;
static const char *const ball_file = "demo_ball.obj", *const crossing_file = "demo_crossing.obj",
                         *const under_file = "demo_under.obj",
                         *const moved_file = "demo_under.obj.json"; /* goes up at 0.5 m/s */

static void write_ball(const char *path, weft_vec3 centre) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_blend_solid solid = {.a = centre, .b = centre, .radius_a = radius, .radius_b = radius};
  const weft_blend_desc desc = {.solids = &solid, .solid_count = 1, .edge = 0.04f};
  if (weft_mesh_blend(&desc, &mesh, &err) || weft_mesh_export_obj(path, &mesh, NULL, &err)) {
    fail_msg("%s", err.message);
  }
  weft_mesh_free(&mesh);
}

/* The sheet of `drape` begins at 0.7 m, a metre wide. */
static const weft_vec3 beside = {0.8f, 0.3f, 0}, under = {0.2f, 0.53f, 0.1f};

static int write_files(void **state) {
  (void)state;
  write_ball(ball_file, beside);
  write_ball(crossing_file, weft_v3(0, 0.7f, 0));
  write_ball(under_file, under);
  FILE *keys = fopen(moved_file, "w");
  assert_non_null(keys);
  fputs("{\"keys\": [{\"time\": 0}, {\"time\": 2, \"translation\": [0, 1, 0]}]}", keys);
  return fclose(keys);
}

static int remove_files(void **state) {
  (void)state;
  return remove(ball_file) | remove(crossing_file) | remove(under_file) | remove(moved_file);
}

static weft_demo_choice with_ball(const char *file) {
  return (weft_demo_choice){.fabric = -1, .bending = -1, .bodies = {file}, .body_count = 1};
}

static const weft_demo_shape body = {WEFT_DEMO_BODY, 0};

static weft_ray ray_down(float x, float z) {
  return (weft_ray){.origin = {x, 5, z}, .direction = {0, -2, 0}};
}

static uint64_t crossings_of(weft_demo_session *session) {
  weft_solver *solver = session->solver;
  const weft_model *model = weft_solver_model(solver);
  const weft_params *params = weft_solver_params(solver);
  size_t count = (size_t)weft_model_particle_count(model) + weft_bodies_of(params).particles;
  vec4 *x = weft_alloc(count, sizeof *x);
  weft_intersections_seen seen = {0};
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, count, x);
  assert_int_equal(weft_intersections_look(&seen, model, params, x, 0, NULL), WEFT_OK);
  weft_free(x);
  return seen.with_bodies.triangle_pairs + seen.last.triangle_pairs;
}

static void a_body_is_met_where_it_stands_and_goes_at_a_bounded_speed(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_demo_choice choice = with_ball(ball_file);
  float way;
  open_session_with(&host, "drape", &choice, &session);
  weft_ray ray = ray_down(beside.x, 0.05f);
  weft_demo_shape shape = cast(&session, &ray, &way);
  assert_int_equal(shape.kind, WEFT_DEMO_BODY);
  double top = (double)beside.y + sqrt((double)(radius * radius) - 0.05 * 0.05);
  assert_true(fabs((double)way - (5 - top)) < 2e-3);
  weft_demo_session_drag(&session, shape);
  weft_demo_session_drag_to(&session, weft_v3(0.52f, 0, 0));
  step(&session, 1);
  assert_true(fabsf(weft_demo_session_offset(&session, shape).x - 0.05f) < 1e-6f);
  step(&session, 10);
  assert_true(weft_demo_session_offset(&session, shape).x == 0.52f);
  assert_int_equal(cast(&session, &ray, &way).kind, WEFT_DEMO_NO_SHAPE);
  ray = ray_down(beside.x + 0.52f, 0.05f);
  shape = cast(&session, &ray, &way);
  assert_int_equal(shape.kind, WEFT_DEMO_BODY);
  assert_true(fabs((double)way - (5 - top)) < 2e-3);
  session.hidden = 1;
  assert_int_equal(cast(&session, &ray, &way).kind, WEFT_DEMO_NO_SHAPE);
  session.hidden = 0;
  weft_demo_session_let_go(&session);
  step(&session, 2);
  assert_int_equal(cast(&session, &ray, &way).kind, WEFT_DEMO_BODY);
  assert_int_equal(weft_demo_session_reset(&session, NULL), WEFT_OK);
  assert_int_equal(cast(&session, &ray, &way).kind, WEFT_DEMO_NO_SHAPE);
  assert_true(weft_demo_session_offset(&session, body).x == 0);
  weft_demo_session_close(&session);
}

static weft_metrics measure(weft_demo_session *session) {
  weft_metrics metrics;
  assert_int_equal(weft_solver_metrics(session->solver, &metrics, NULL), WEFT_OK);
  return metrics;
}

/* Under the sheet, then up through where it lies: the sheet goes along, and nothing passes it. */
static void cloth_is_carried_and_never_passed(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_demo_choice choice = with_ball(ball_file);
  open_session_with(&host, "drape", &choice, &session);
  const weft_vec3 targets[] = {{-0.5f, -0.1f, 0}, {-0.6f, 1, 0}, {0.3f, 1.2f, 0.2f}};
  weft_demo_session_drag(&session, body);
  for (int k = 0; k < 3; ++k) {
    weft_demo_session_drag_to(&session, targets[k]);
    for (int f = 0; f < 25; ++f) {
      step(&session, 1);
      if (crossings_of(&session) > 0) fail_msg("frame %d: cloth crosses the body", 25 * k + f + 1);
    }
    if (k == 1) assert_true(measure(&session).box_max.y > 1.3f); /* it began at 0.7 m */
  }
  weft_demo_session_close(&session);
}

static float lowest_of_body(const weft_demo_session *session) {
  uint32_t count = session->scene.bodies[0].mesh->vertex_count;
  weft_vec3 *x = weft_alloc(count, sizeof *x);
  assert_int_equal(weft_solver_read_body(session->solver, 0, x, NULL), WEFT_OK);
  float low = INFINITY;
  for (uint32_t i = 0; i < count; ++i) low = fminf(low, x[i].y);
  weft_free(x);
  return low;
}

/* A still one and one that moves, under the cloth, through the frames at which states are kept. */
static void what_was_dragged_is_replayed_bit_for_bit(void **state) {
  (void)state;
  const char *const files[] = {under_file, moved_file};
  for (int k = 0; k < 2; ++k) {
    weft_demo_host host;
    weft_demo_session session;
    weft_demo_choice choice = with_ball(files[k]);
    open_session_with(&host, "drape", &choice, &session);
    float began = lowest_of_body(&session);
    for (uint32_t f = 0; f < 24; ++f) {
      if (f == 4 || f == 20) weft_demo_session_drag(&session, body);
      if (f == 12) weft_demo_session_let_go(&session);
      weft_demo_session_drag_to(&session, weft_v3(-0.02f * (float)f, 0.01f * (float)f, 0));
      step(&session, 1);
      weft_vec3 offset = weft_demo_session_offset(&session, body);
      if (f % 5 == 4) expect_equal(&session, files[k]);
      weft_vec3 after = weft_demo_session_offset(&session, body);
      assert_memory_equal(&offset, &after, sizeof offset);
      float wanted = began + offset.y + (k ? 0.5f * (float)(f + 1) / 60 : 0);
      if (fabsf(lowest_of_body(&session) - wanted) > 1e-4f) {
        fail_msg("%s, frame %u: at %g, not %g", files[k], f + 1, (double)lowest_of_body(&session),
                 (double)wanted);
      }
    }
    weft_demo_session_close(&session);
  }
}

static void pins_go_with_what_is_dragged_and_are_replayed(void **state) {
  (void)state;
  const char *const files[] = {under_file, moved_file};
  for (int k = 0; k < 2; ++k) {
    weft_demo_host host;
    weft_demo_session session;
    weft_demo_choice choice = with_ball(files[k]);
    open_session_with(&host, "hanging", &choice, &session);
    assert_int_equal(weft_scene_bind_pins(&session.scene, 0, NULL), WEFT_OK);
    assert_int_not_equal(weft_demo_session_hold(&session, 0, NULL), WEFT_OK);
    weft_vec3 velocity, began, now;
    weft_demo_session_particle(&session, 0, &began, &velocity);
    weft_demo_session_drag(&session, body);
    for (uint32_t f = 0; f < 10; ++f) {
      weft_demo_session_drag_to(&session, weft_v3(-0.02f * (float)f, 0.01f * (float)f, 0));
      step(&session, 1);
      if (f % 5 == 4) expect_equal(&session, files[k]);
    }
    weft_demo_session_particle(&session, 0, &now, &velocity);
    weft_vec3 wanted = weft_v3_add(began, weft_demo_session_offset(&session, body));
    if (k) wanted.y += 0.5f * 10 / 60;
    assert_true(weft_v3_length(weft_v3_sub(now, wanted)) < 1e-5f && wanted.x < began.x - 0.17f);
    weft_demo_session_close(&session);
  }
}

/* ---- a body more, while the scene runs ---- */

static weft_demo_joined add(weft_demo_session *session, const char *file) {
  weft_demo_choice choice = session->choice;
  weft_params params = weft_demo_session_params(session);
  weft_demo_joined joined;
  weft_error err = {0};
  choice.bodies[choice.body_count++] = file;
  if (weft_demo_session_add_body(session, &choice, &params, &joined, &err)) {
    fail_msg("%s", err.message);
  }
  assert_int_equal(weft_solver_params(session->solver)->body_count, choice.body_count);
  assert_true(weft_solver_params(session->solver)->self_collision);
  return joined;
}

static void cloth_goes_on_beside_a_body_that_is_added(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_session(&host, "drape", &session);
  step(&session, 12);
  float low = measure(&session).box_min.y;
  weft_demo_joined joined = add(&session, ball_file);
  assert_false(joined.moves || joined.anew || joined.tangled);
  assert_int_equal(weft_solver_frame(session.solver), 12);
  assert_true(measure(&session).box_min.y == low);
  weft_demo_session_drag(&session, body);
  weft_demo_session_drag_to(&session, weft_v3(0.3f, 0, 0));
  step(&session, 10);
  expect_equal(&session, "with a body");
  /* The next leaves it where it was dragged to. */
  size_t count = session.scene.bodies[0].mesh->vertex_count;
  weft_vec3 *at[2];
  for (int k = 0; k < 2; ++k) {
    at[k] = weft_alloc(count, sizeof *at[k]);
    assert_int_equal(weft_solver_read_body(session.solver, 0, at[k], NULL), WEFT_OK);
    if (k == 0) joined = add(&session, ball_file);
  }
  assert_false(joined.anew);
  assert_memory_equal(at[0], at[1], count * sizeof *at[0]);
  weft_free(at[0]);
  weft_free(at[1]);
  step(&session, 10);
  expect_equal(&session, "with two bodies");
  weft_demo_session_close(&session);
}

static void it_begins_anew_where_cloth_is_in_the_way(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_session(&host, "drape", &session);
  step(&session, 5);
  weft_demo_joined joined = add(&session, crossing_file); /* through the sheet as it begins */
  assert_true(joined.anew && joined.tangled > 0 && !joined.moves);
  assert_int_equal(weft_solver_frame(session.solver), 0);
  weft_demo_session_close(&session);
  open_session(&host, "drape", &session);
  step(&session, 5);
  joined = add(&session, moved_file);
  assert_true(joined.anew && joined.moves && joined.tangled == 0);
  assert_int_equal(weft_solver_frame(session.solver), 0);
  step(&session, 9);
  expect_equal(&session, "with a body that moves");
  weft_demo_session_close(&session);
}

/* ---- what is set of a body ---- */

static uint64_t hash_of(weft_demo_session *session) {
  uint64_t hash = 0;
  assert_int_equal(weft_solver_hash(session->solver, &hash, NULL), WEFT_OK);
  return hash;
}

/* The sheet lies on a ball; from the same frame on with the friction it had, and with another. */
static void friction_is_changed_while_cloth_lies_on_it(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_demo_choice choice = with_ball(ball_file);
  uint64_t ends[2];
  for (int k = 0; k < 2; ++k) {
    open_session_with(&host, "drape", &choice, &session);
    weft_demo_session_drag(&session, body);
    weft_demo_session_drag_to(&session, weft_v3(-0.4f, 0.3f, 0));
    step(&session, 20);
    uint64_t before = hash_of(&session);
    weft_params params = weft_demo_session_params(&session);
    if (k == 1) session.scene.bodies[0].friction_static = 2;
    if (k == 1) session.scene.bodies[0].friction_dynamic = 1.5f;
    assert_int_equal(weft_demo_session_retune(&session, &params, NULL), WEFT_OK);
    assert_true(weft_solver_params(session.solver)->bodies[0].friction_dynamic ==
                (k ? 1.5f : 0.3f));
    assert_true(hash_of(&session) == before);
    step(&session, 12);
    expect_equal(&session, "after another friction");
    ends[k] = hash_of(&session);
    weft_demo_session_close(&session);
  }
  assert_true(ends[0] != ends[1]);
}

static void a_hidden_body_is_not_drawn(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_demo_choice choice = with_ball(ball_file);
  choice.bodies[choice.body_count++] = crossing_file;
  open_session_with(&host, "drape", &choice, &session);
  weft_image images[4]; /* by the bits hidden */
  for (uint64_t hidden = 0; hidden < 4; ++hidden) {
    session.hidden = hidden;
    images[hidden] = draw(&session);
  }
  assert_true(differing(&images[0], &images[1]) > 300);
  assert_true(differing(&images[0], &images[2]) > 300);
  assert_true(differing(&images[1], &images[2]) > 300);
  assert_true(differing(&images[1], &images[3]) > 300);
  for (int k = 0; k < 4; ++k) weft_free(images[k].pixels);
  weft_demo_session_close(&session);
}

/* What cannot be leaves everything as it was. */
static void a_body_that_cannot_be_changes_nothing(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_error err = {0};
  open_session(&host, "drape", &session);
  step(&session, 3);
  weft_demo_choice choice = session.choice;
  weft_params params = weft_demo_session_params(&session);
  weft_demo_joined joined;
  choice.bodies[choice.body_count++] = "no_such_ball.obj";
  assert_int_not_equal(weft_demo_session_add_body(&session, &choice, &params, &joined, &err),
                       WEFT_OK);
  assert_non_null(strstr(err.message, "no_such_ball.obj"));
  assert_int_equal(session.choice.body_count, 0);
  step(&session, 3);
  expect_equal(&session, "after a refusal");
  weft_demo_session_close(&session);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_is_met_where_it_stands_and_goes_at_a_bounded_speed),
      cmocka_unit_test(cloth_is_carried_and_never_passed),
      cmocka_unit_test(what_was_dragged_is_replayed_bit_for_bit),
      cmocka_unit_test(pins_go_with_what_is_dragged_and_are_replayed),
      cmocka_unit_test(cloth_goes_on_beside_a_body_that_is_added),
      cmocka_unit_test(it_begins_anew_where_cloth_is_in_the_way),
      cmocka_unit_test(a_body_that_cannot_be_changes_nothing),
      cmocka_unit_test(friction_is_changed_while_cloth_lies_on_it),
      cmocka_unit_test(a_hidden_body_is_not_drawn),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, write_files, remove_files);
}
