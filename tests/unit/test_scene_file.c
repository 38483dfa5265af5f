/* Scene files as a program sees them: states of known hashes, keys against setters called by hand
 * and against theory, and what is wrong by file, line and key. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <weft/change.h>
#include <weft_kit/scene.h>

#include "motion_rig.h"

static weft_scene_file *parsed(const char *text) {
  weft_scene_file *scene;
  weft_error err = {0};
  if (weft_scene_file_parse(text, NULL, &scene, &err) != WEFT_OK) fail_msg("%s", err.message);
  return scene;
}

static weft_solver *solver_of(const weft_scene_file *scene, const weft_backend *backend) {
  weft_solver *solver;
  weft_error err = {0};
  if (weft_scene_file_solver(scene, backend, &solver, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return solver;
}

static void step(weft_scene_file *scene, weft_solver *solver, uint32_t frames) {
  weft_error err = {0};
  for (uint32_t f = 0; f < frames; ++f) {
    if (weft_scene_file_step(scene, solver, &err) != WEFT_OK) fail_msg("%s", err.message);
  }
}

static uint64_t hash_of(weft_solver *solver) {
  uint64_t hash;
  assert_int_equal(weft_solver_hash(solver, &hash, NULL), WEFT_OK);
  return hash;
}

static uint64_t run(const char *text, const weft_backend *backend, uint32_t frames) {
  weft_scene_file *scene = parsed(text);
  weft_solver *solver = solver_of(scene, backend);
  step(scene, solver, frames);
  const uint64_t hash = hash_of(solver);
  weft_solver_destroy(solver);
  weft_scene_file_destroy(scene);
  return hash;
}

/* ---- states ---- */

/* The hash stands in tests/cli/hashes.txt. */
static void a_built_in_scene_ends_where_weft_simulate_does(void **state) {
  (void)state;
  const char *text = "{\"weft\": 1, \"cloth\": {\"scene\": \"skirt\", \"size\": 20}}";
  const uint64_t wanted = 0x32f8052c0f00b2a0;
  assert_true(run(text, weft_backend_ref(), 8) == wanted);
  assert_true(run(text, weft_backend_cpu(2), 8) == wanted);
  weft_scene_file *scene = parsed(text), *again;
  assert_int_equal(weft_scene_file_frames(scene), 120);
  char path[200];
  snprintf(path, sizeof path, "%s", in_folder("s.weft.json"));
  assert_int_equal(weft_scene_file_write(scene, path, NULL), WEFT_OK);
  assert_int_equal(weft_scene_file_read(path, &again, NULL), WEFT_OK);
  weft_solver *solver = solver_of(again, weft_backend_cpu(2));
  step(again, solver, 8);
  assert_true(hash_of(solver) == wanted);
  weft_solver_destroy(solver);
  weft_scene_file_destroy(again);
  weft_scene_file_destroy(scene);
  assert_string_equal(weft_scene_builtin(0), "duel");
}

/* ---- keys against setters ---- */

static const char *const sheet =
    "{\"weft\": 1, \"cloth\": {\"scene\": \"hanging\", \"size\": 10}, \"parameters\": {"
    "\"air_density\": 1.2, \"wind\": [4, 0, 0]}}";
static const char *const keyed =
    "{\"weft\": 1, \"cloth\": {\"scene\": \"hanging\", \"size\": 10}, \"parameters\": {"
    "\"air_density\": 1.2}, \"pins\": [{\"rule\": \"corners\", \"keys\": ["
    "{\"time\": 0.1, \"weight\": 0.5}, {\"time\": 0.15, \"weight\": 0}]}],"
    "\"keys\": [{\"time\": 0.05, \"wind\": [0, 0, 2]}, {\"time\": 0.15, \"wind\": [4, 0, 0]},"
    "{\"time\": 0.1, \"iterations\": 3}]}";

/* What the keys say at a frame's beginning. */
static void set_by_hand(weft_solver *solver, double time) {
  weft_params p = *weft_solver_params(solver);
  const double part = fmin(1, fmax(0, (time - (double)0.05f) / ((double)0.15f - (double)0.05f)));
  p.wind = (weft_vec3){(float)(part * 4), 0, (float)(2 + part * -2)};
  if (time > 0.0999) p.iterations = 3;
  assert_int_equal(weft_solver_set_params(solver, &p, NULL), WEFT_OK);
  const float weight = time > 0.1499 ? 0 : time > 0.0999 ? 0.5f : 1;
  const uint32_t corners[] = {0, 9};
  if (weft_solver_pin_weight(solver, 0) != weight) {
    assert_int_equal(weft_solver_set_pins(solver, corners, 2, weight, NULL), WEFT_OK);
  }
}

static void keys_do_what_setters_do(void **state) {
  (void)state;
  enum { FRAMES = 15 };
  weft_scene_file *plain = parsed(sheet), *timed = parsed(keyed);
  weft_solver *by_hand = solver_of(plain, weft_backend_cpu(2)),
              *by_keys = solver_of(timed, weft_backend_cpu(2));
  for (int f = 0; f < FRAMES; ++f) {
    set_by_hand(by_hand, weft_solver_time(by_hand));
    step(plain, by_hand, 1);
    step(timed, by_keys, 1);
    assert_true(hash_of(by_hand) == hash_of(by_keys));
  }
  assert_true(weft_solver_pin_weight(by_keys, 0) == 0);
  assert_true(run(keyed, weft_backend_ref(), FRAMES) == hash_of(by_keys));
  assert_true(run(sheet, weft_backend_ref(), FRAMES) != hash_of(by_keys));
  weft_solver_destroy(by_hand);
  weft_solver_destroy(by_keys);
  weft_scene_file_destroy(plain);
  weft_scene_file_destroy(timed);
}

/* As --wind does. */
static void wind_by_keys_brings_air(void **state) {
  (void)state;
  const char *still = "{\"weft\": 1, \"cloth\": {\"scene\": \"hanging\", \"size\": 8}",
             *blows = ", \"keys\": [{\"time\": 0, \"wind\": [0, 0, 6]}]",
             *air = ", \"parameters\": {\"air_density\": 1.2}";
  char text[3][300];
  snprintf(text[0], sizeof text[0], "%s%s}", still, blows);
  snprintf(text[1], sizeof text[1], "%s%s%s}", still, blows, air);
  snprintf(text[2], sizeof text[2], "%s}", still);
  const uint64_t hash = run(text[0], weft_backend_ref(), 4);
  assert_true(hash == run(text[1], weft_backend_ref(), 4));
  assert_true(hash != run(text[2], weft_backend_ref(), 4));
}

/* Reset, it goes the same way again. */
static void keys_follow_the_time_of_the_solver(void **state) {
  (void)state;
  weft_scene_file *scene = parsed(keyed);
  weft_solver *solver = solver_of(scene, weft_backend_cpu(2));
  step(scene, solver, 8);
  const uint64_t wanted = hash_of(solver);
  step(scene, solver, 4);
  assert_int_equal(weft_solver_reset(solver, NULL), WEFT_OK);
  step(scene, solver, 8);
  assert_true(hash_of(solver) == wanted);
  weft_solver_destroy(solver);
  weft_scene_file_destroy(scene);
}

/* ---- keys against theory ---- */

static double mean_height(weft_solver *solver) {
  enum { MOST = 256 };
  weft_vec3 x[MOST];
  const uint32_t count = weft_model_particle_count(weft_solver_model(solver));
  assert_true(count <= MOST);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += (double)x[i].y;
  return sum / count;
}

/* Cloth that nothing holds, in gravity that grows with time: each frame has that of its beginning,
 * and velocities are updated before positions. */
static void gravity_that_grows_makes_cloth_fall_so(void **state) {
  (void)state;
  enum { FRAMES = 24, SUBSTEPS = 10 };
  weft_scene_file *scene = parsed(
      "{\"weft\": 1, \"cloth\": {\"scene\": \"hanging\", \"size\": 8}, \"pins\": [{\"rule\": "
      "\"none\"}], \"ground\": \"off\", \"parameters\": {\"substeps\": 10, \"damping\": 0,"
      "\"self_collision\": false, \"air_density\": 0, \"frame_dt\": 0.0125},"
      "\"keys\": [{\"time\": 0, \"gravity\": [0, 0, 0]}, {\"time\": 0.2, \"gravity\": [0, -6, "
      "0]}]}");
  weft_solver *solver = solver_of(scene, weft_backend_ref());
  const double dt = 0.0125, h = dt / SUBSTEPS, begin = mean_height(solver);
  double v = 0, y = 0;
  for (int f = 0; f < FRAMES; ++f) {
    const double gravity = f * dt < 0.2 ? -6 * f * dt / 0.2 : -6;
    for (int s = 0; s < SUBSTEPS; ++s) {
      v += gravity * h;
      y += v * h;
    }
    step(scene, solver, 1);
    assert_true(fabs(mean_height(solver) - begin - y) < 2e-5);
  }
  assert_true(y < -0.1);
  weft_solver_destroy(solver);
  weft_scene_file_destroy(scene);
}

/* A quarter turn about y, and up: x goes to -z. */
static void pins_turn_and_move_as_their_keys_say(void **state) {
  (void)state;
  weft_scene_file *scene = parsed(
      "{\"weft\": 1, \"cloth\": {\"scene\": \"hanging\", \"size\": 8}, \"pins\": [{\"vertices\": "
      "[0, 7], \"keys\": [{\"time\": 0}, {\"time\": 0.2, \"move\": [0, 0.1, 0], "
      "\"turn\": [0, 90, 0]}]}]}");
  weft_solver *solver = solver_of(scene, weft_backend_cpu(1));
  const weft_vec3 *rest = weft_model_rest_positions(weft_scene_file_model(scene));
  weft_vec3 x[64];
  const weft_vec3 a = rest[0], b = rest[7];
  const double middle[3] = {((double)a.x + (double)b.x) / 2, ((double)a.y + (double)b.y) / 2,
                            ((double)a.z + (double)b.z) / 2};
  step(scene, solver, 6); /* half of the way */
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  const double arm = ((double)a.x - middle[0]) * sqrt(0.5);
  assert_true(fabs((double)x[0].x - middle[0] - arm) < 1e-5);
  assert_true(fabs((double)x[0].z - middle[2] + arm) < 1e-5);
  assert_true(fabs((double)x[0].y - (double)a.y - 0.05) < 1e-5);
  step(scene, solver, 8); /* and past the last key */
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  assert_true(fabs((double)x[0].x - middle[0]) < 1e-5);
  assert_true(fabs((double)x[0].z - middle[2] + ((double)a.x - middle[0])) < 1e-5);
  assert_true(fabs((double)x[0].y - (double)a.y - 0.1) < 1e-5);
  weft_solver_destroy(solver);
  weft_scene_file_destroy(scene);
}

/* ---- what is wrong ---- */

static void is_refused(const char *text, const char *words) {
  weft_scene_file *scene = (weft_scene_file *)&scene;
  weft_error err = {0};
  assert_int_equal(weft_scene_file_parse(text, NULL, &scene, &err), WEFT_ERROR_FORMAT);
  assert_null(scene);
  if (!strstr(err.message, words)) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
}

static void what_is_wrong_is_said_with_line_and_key(void **state) {
  (void)state;
  is_refused("{\"weft\": 1,\n \"cloth\": {\"scene\": \"skirt\",\n  \"about\": 3}}",
             "scene:3: cloth.about: there is no such key");
  is_refused(
      "{\"weft\": 1, \"about\": \"} \\\" ] {\",\n\n \"cloth\": {\"scene\": \"skirt\"},\n"
      " \"pins\": [{\"rule\": \"top\"},\n  {\"box\": [0, 0, 0, 1, 1, 1],\n   \"keys\": ["
      "{\"time\": 0},\n    {\"time\": 0, \"move\":\n [1, 1, 1]}]}]}",
      "scene:7: pins[1].keys[1]: the time 0 s does not come after 0 s");
  is_refused(
      "{\"weft\": 1, \"cloth\": {\"scene\": \"skirt\", \"layer\": {\"a.b[0]\": 1,\n\"c.d\": "
      "\"x\"}}}",
      "scene:2: cloth.layer.c.d: \"x\" is not a whole number");
  is_refused("{\"weft\": 2, \"cloth\": {}}", "scene:1: weft: this is a file of version 2");
  is_refused("{\"weft\": 1}", "it has no \"cloth\"");
  is_refused("[]", "scene:1: the file: [] is not an object");
  is_refused("{\"weft\": 1,\n\"cloth\": {\"scene\": \"skrt\"}}",
             "scene:2: cloth.scene: there is no such scene, did you mean skirt?");
  is_refused("{\"weft\": 1,\n\"cloth\": {\"scene\": \"skirt\"},\n\"parameters\": {\"gust\": 2}}",
             "scene:3: parameters.gust: 2 is out of range, allowed is 0 to 1");
}

/* What shows once the scene is made has its place as well. */
static void what_cannot_be_made_is_said_with_line_and_key(void **state) {
  (void)state;
  weft_scene_file *scene;
  weft_error err = {0};
  assert_int_not_equal(
      weft_scene_file_parse("{\"weft\": 1, \"cloth\":\n {\"file\": \"no such.obj\"}}", "/tmp/",
                            &scene, &err),
      WEFT_OK);
  assert_non_null(strstr(err.message, "scene:2: cloth.file: /tmp/no such.obj: "));
  assert_int_not_equal(
      weft_scene_file_parse("{\"weft\": 1, \"cloth\": {\"scene\": \"hanging\"},\n \"parameters\": "
                            "{\n\"multilevel_slack\": 0.1, \"multilevel\": 0}}",
                            NULL, &scene, &err),
      WEFT_OK);
  assert_non_null(strstr(err.message, "scene:3: parameters.multilevel_slack: does nothing here"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_built_in_scene_ends_where_weft_simulate_does),
      cmocka_unit_test(keys_do_what_setters_do),
      cmocka_unit_test(wind_by_keys_brings_air),
      cmocka_unit_test(keys_follow_the_time_of_the_solver),
      cmocka_unit_test(gravity_that_grows_makes_cloth_fall_so),
      cmocka_unit_test(pins_turn_and_move_as_their_keys_say),
      cmocka_unit_test(what_is_wrong_is_said_with_line_and_key),
      cmocka_unit_test(what_cannot_be_made_is_said_with_line_and_key),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
