/* The scene beside itself under a plain sweep: the second solver is that of a run of its own, what
 * the user does is done to both, and either half shows its own. */
#include <stdlib.h>
#include <string.h>

#include "demo_host.h"

static void open_beside(weft_demo_host *host, const char *scene, weft_demo_session *session) {
  scenes_beside = WEFT_BESIDE_PLAIN;
  open_session(host, scene, session);
  scenes_beside = WEFT_BESIDE_NOTHING;
}

static void both(weft_demo_session *session, int frames) {
  weft_error err = {0};
  step(session, frames);
  if (weft_demo_beside_follow(session, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_int_equal(weft_solver_frame(session->beside.solver), weft_solver_frame(session->solver));
}

/* As a textbook has it, set here once more. */
static weft_solver *plain_run(const weft_demo_session *session) {
  weft_params params = session->scene.params;
  params.plain = true;
  params.substeps = 20;
  params.iterations = 1;
  params.line_sweeps = 0;
  params.multilevel = 0;
  params.lra = 0;
  weft_solver *solver = NULL;
  weft_error err = {0};
  if (weft_solver_create(session->scene.model, &params, session->backend, &solver, &err)) {
    fail_msg("%s", err.message);
  }
  return solver;
}

static uint64_t hash_of(weft_solver *solver) {
  uint64_t hash = 0;
  assert_int_equal(weft_solver_hash(solver, &hash, NULL), WEFT_OK);
  return hash;
}

static void advance(const weft_demo_session *session, weft_solver *solver, int frames) {
  weft_scene_instance scene = session->scene;
  for (int f = 0; f < frames; ++f) {
    assert_int_equal(weft_scene_step(&scene, solver, NULL), WEFT_OK);
  }
}

/* Grabbed, then with a collider moved, then let go: against a run that is told the same by hand. */
static void the_user_acts_on_both(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_beside(&host, "duel", &session);
  weft_solver *plain = plain_run(&session);
  const uint32_t held = 16 * 9 + 5, ball = 1;
  weft_vec3 at, velocity, target = weft_v3(0.3f, 1.2f, 0.4f);
  both(&session, 4);
  advance(&session, plain, 4);
  weft_demo_session_particle(&session, held, &at, &velocity);
  assert_int_equal(weft_demo_session_hold(&session, held, NULL), WEFT_OK);
  assert_int_equal(weft_demo_session_pull(&session, target, NULL), WEFT_OK);
  const weft_grab_state pull = weft_solver_grab_state(session.solver); /* with its own patch */
  weft_solver_set_grab_state(plain, &pull);
  both(&session, 9);
  advance(&session, plain, 9);
  assert_true(hash_of(session.beside.solver) == hash_of(plain));
  weft_demo_session_let_go(&session);
  weft_solver_release(plain);
  weft_demo_session_drag(&session, (weft_demo_shape){WEFT_DEMO_COLLIDER, ball});
  weft_demo_session_drag_to(&session, weft_v3(0, 0.4f, 0.1f));
  for (int f = 0; f < 5; ++f) {
    both(&session, 1);
    assert_int_equal(weft_solver_move_collider(plain, ball, offset_of(&session, ball), NULL),
                     WEFT_OK);
    advance(&session, plain, 1);
  }
  assert_true(offset_of(&session, ball).y > 0.2f);
  assert_true(hash_of(session.beside.solver) == hash_of(plain));
  assert_true(hash_of(session.beside.solver) != hash_of(session.solver));
  weft_solver_destroy(plain);
  weft_demo_session_close(&session);
}

static void pins_settings_and_resets_act_on_both(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_beside(&host, "duel", &session);
  both(&session, 6);
  uint64_t before = hash_of(session.beside.solver);
  weft_params params = *weft_solver_params(session.solver);
  params.damping = 2;
  params.lra = 1;
  assert_int_equal(weft_demo_session_retune(&session, &params, NULL), WEFT_OK);
  const weft_params *now = weft_solver_params(session.beside.solver);
  assert_true(now->damping == 2 && now->lra == 0 && now->line_sweeps == 0 && now->substeps == 20);
  assert_int_equal(weft_solver_params(session.solver)->lra, 1);
  assert_true(hash_of(session.beside.solver) == before);
  step(&session, 2); /* not followed yet */
  assert_int_equal(weft_demo_session_pin(&session, 40, NULL), WEFT_OK);
  assert_int_equal(weft_solver_frame(session.beside.solver), 8);
  assert_true(weft_model_inverse_masses(weft_solver_model(session.beside.solver))[40] == 0);
  both(&session, 3);
  assert_int_equal(weft_demo_session_reset(&session, NULL), WEFT_OK);
  assert_int_equal(weft_solver_frame(session.beside.solver), 0);
  assert_true(hash_of(session.beside.solver) == hash_of(session.solver)); /* the rest pose */
  weft_demo_session_close(&session);
}

/* ---- halves ---- */

static void the_mouse_is_in_the_half_it_was_pressed_in(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_beside(&host, "duel", &session);
  both(&session, 30);
  const double presses[] = {5, 118, 122, 239};
  weft_vec3 at[4], velocity;
  for (int k = 0; k < 4; ++k) {
    weft_demo_beside_point(&session, presses[k]);
    weft_demo_view view = weft_demo_view_of(&session, 240, 200);
    assert_int_equal(view.left, k < 2 ? 0 : 121);
    assert_int_equal(view.width, 119);
    assert_true(view.height > 130 && view.height < 200);
    weft_demo_session_particle(&session, 250, &at[k], &velocity);
  }
  weft_vec3 apart = weft_v3_sub(at[0], at[2]);
  assert_true(weft_v3_length(apart) > 1e-3f);
  assert_memory_equal(&at[0], &at[1], sizeof at[0]);
  assert_memory_equal(&at[2], &at[3], sizeof at[0]);
  weft_demo_session_close(&session);
  open_session(&host, "hanging", &session);
  weft_demo_beside_point(&session, 5);
  assert_int_equal(weft_demo_view_of(&session, 240, 200).width, 240);
  assert_null(session.beside.solver);
  weft_demo_session_close(&session);
}

/* A row of the halves as drawn. */
static void read_half(const weft_demo_session *s, int side, uint8_t *pixels) {
  GLint width = (GLint)s->drawn_width, height = (GLint)s->drawn_height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, s->beside.halves_to);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (GLint y = 0; y < height; ++y) {
    glReadPixels(side * width, height - 1 - y, width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                 pixels + 3 * (size_t)(y * width));
  }
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

/* Draws `solver` by itself, and expects that half. */
static void expect_half(weft_demo_session *s, const weft_solver *solver, int side) {
  weft_picture picture = s->picture;
  weft_image image = {0};
  picture.solver = solver;
  assert_true(weft_solver_gl_view(solver, WEFT_BUFFER_X, &picture.positions));
  size_t bytes = (size_t)3 * s->drawn_width * s->drawn_height;
  uint8_t *half = weft_alloc(bytes, 1);
  read_half(s, side, half);
  assert_int_equal(weft_renderer_draw(s->renderer, &picture, NULL), WEFT_OK);
  assert_int_equal(weft_renderer_read(s->renderer, &image, NULL), WEFT_OK);
  assert_int_equal(image.width, s->drawn_width);
  assert_memory_equal(image.pixels, half, bytes);
  weft_free(image.pixels);
  weft_free(half);
}

static void either_half_shows_its_own(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_error err = {0};
  open_beside(&host, "duel", &session);
  weft_solver *plain = plain_run(&session);
  both(&session, 25);
  advance(&session, plain, 25);
  weft_demo_view view = weft_demo_view_of(&session, 240, 200);
  const weft_scene_instance *s = &session.scene;
  weft_camera camera =
      weft_camera_around(s->view_centre, s->view_radius, s->view_yaw, s->view_pitch,
                         (uint32_t)view.width, (uint32_t)view.height);
  const weft_demo_ui ui = {.batch = -1, .picked = WEFT_NO_PARTICLE};
  bool moves;
  if (weft_demo_session_compose(&session, &camera, &ui, &moves, &err) != WEFT_OK ||
      weft_demo_session_draw(&session, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  expect_half(&session, plain, 0);
  assert_int_equal(weft_demo_session_draw(&session, NULL), WEFT_OK);
  expect_half(&session, session.solver, 1);
  weft_solver_destroy(plain);
  weft_demo_session_close(&session);
}

static void captions_say_what_either_measures(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  weft_metrics metrics[2];
  char wanted[2][80];
  open_beside(&host, "duel", &session);
  weft_solver *plain = plain_run(&session);
  both(&session, 30);
  advance(&session, plain, 30);
  assert_int_equal(weft_solver_metrics(plain, &metrics[0], NULL), WEFT_OK);
  assert_int_equal(weft_solver_metrics(session.solver, &metrics[1], NULL), WEFT_OK);
  assert_int_equal(weft_demo_beside_measure(&session, &metrics[1], 12.4, NULL), WEFT_OK);
  for (int side = 0; side < 2; ++side) {
    double strain = 100 * metrics[side].strain_threads_p99;
    snprintf(wanted[side], sizeof wanted[side], "%s: strain %.*f %% (p99)",
             side ? "weft" : "plain sweep",
             strain < 1    ? 2
             : strain < 10 ? 1
                           : 0,
             strain);
    const char *line = session.beside.captions[side].lines[0];
    if (strncmp(line, wanted[side], strlen(wanted[side])) != 0) {
      fail_msg("\"%s\", wanted \"%s\"", line, wanted[side]);
    }
  }
  assert_true(metrics[0].strain_threads_p99 > 2 * metrics[1].strain_threads_p99);
  assert_non_null(strstr(session.beside.captions[1].lines[0], ", 12 ms"));
  assert_string_equal(session.beside.captions[0].lines[1], "20 substeps");
  weft_solver_destroy(plain);
  weft_demo_session_close(&session);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_user_acts_on_both),
      cmocka_unit_test(pins_settings_and_resets_act_on_both),
      cmocka_unit_test(the_mouse_is_in_the_half_it_was_pressed_in),
      cmocka_unit_test(either_half_shows_its_own),
      cmocka_unit_test(captions_say_what_either_measures),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
