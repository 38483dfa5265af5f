/* Strain that is kept where the rule says it is: of sheets held at two corners, one level that
 * swings down, one upright, under a limit, and of every scene of cloth by default. */
#include "base.h"
#include "rig_scene.h"

/* The largest p99 along threads that is seen every `every` frames. */
static double largest(uint32_t size, float angle, double target, uint32_t frames, uint32_t every) {
  weft_error err = {0};
  const weft_scene_options options = {.size = size, .seed = 1, .angle = angle, .angle_set = true};
  weft_scene_instance scene = rig_scene_of(weft_scene_find("hanging"), &options);
  weft_strain_choice choice;
  if (target > 0) {
    weft_result result =
        weft_params_choose_for_strain(scene.model, target, 0, &scene.params, &choice, &err);
    if (result != WEFT_OK) fail_msg("%s", err.message);
    assert_false(choice.short_of);
  }
  weft_solver *solver = rig_solver(scene.model, &scene.params, weft_backend_cpu(1));
  double max = 0;
  for (uint32_t f = 1; f <= frames; ++f) {
    assert_int_equal(weft_scene_step(&scene, solver, &err), WEFT_OK);
    if (f % every != 0) continue;
    weft_metrics m;
    assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
    assert_int_equal(m.nonfinite, 0);
    if (m.strain_threads_p99 > max) max = m.strain_threads_p99;
  }
  print_message("%u rows, %g rad, target %g: %u substeps, %g\n", size, (double)angle, target,
                scene.params.substeps, max);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  return max;
}

static void a_sheet_that_swings_down_is_held(void **state) {
  (void)state;
  assert_true(largest(64, 0, 0.01, 36, 4) <= 0.01);
  assert_true(largest(32, 0, 0.02, 90, 6) <= 0.02);
}

static void an_upright_sheet_is_held(void **state) {
  (void)state;
  assert_true(largest(64, 1.5707963f, 0.01, 24, 4) <= 0.01);
  assert_true(largest(32, 1.5707963f, 0.005, 60, 6) <= 0.005);
}

/* Otherwise the tests above show nothing. */
static void without_a_limit_it_is_not(void **state) {
  (void)state;
  assert_true(largest(32, 0, 0, 36, 4) > 0.03);
}

/* ---- wind and hands ---- */

static weft_vec3 place_of(weft_solver *solver, uint32_t particle) {
  const uint32_t count = weft_model_particle_count(weft_solver_model(solver));
  weft_vec3 *x = weft_alloc(count, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  const weft_vec3 place = x[particle];
  weft_free(x);
  return place;
}

/* A hand takes a particle after a second and goes 1 m away in a third of one. */
static void pull(weft_solver *solver, uint32_t particle, weft_vec3 *from, uint32_t frame) {
  const float way = fminf(1, ((float)frame - 60) / 20);
  if (frame == 60) {
    *from = place_of(solver, particle);
    assert_int_equal(weft_solver_grab(solver, particle, *from, NULL), WEFT_OK);
  }
  if (frame <= 60) return;
  const weft_vec3 to = weft_v3_add(*from, weft_v3_scale(weft_v3(0.6f, 0.5f, 0.7f), way));
  assert_int_equal(weft_solver_move_grab(solver, to, NULL), WEFT_OK);
}

/* The largest p99 in 130 frames of a sheet of 1 m at two corners; as a user has it who gives
 * nothing but wind or a hand. */
static double drive(uint32_t size, const weft_params *params, uint32_t particle) {
  const weft_grid_desc grid = {.rows = size, .columns = size, .plane = WEFT_PLANE_XZ};
  weft_model *model =
      rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  weft_solver *solver = NULL;
  assert_int_equal(weft_solver_create(model, params, weft_backend_cpu(1), &solver, NULL), WEFT_OK);
  weft_vec3 from = {0, 0, 0};
  double p99 = 0;
  for (uint32_t f = 1; f <= 130; ++f) {
    if (params->grab) pull(solver, particle, &from, f);
    assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
    weft_metrics m;
    assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
    p99 = fmax(p99, m.strain_threads_p99);
  }
  print_message("%u rows, %s: %u substeps, p99 %g\n", size, params->grab ? "pulled" : "in wind",
                weft_solver_params(solver)->substeps, p99);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return p99;
}

/* p99 was 49 % and 159 % in the storm, 6 % to 43 % under a hand, before the rule knew of them. */
static void wind_and_hands_are_held(void **state) {
  (void)state;
  const weft_params storm = {
      .air_density = 1.2f, .wind = {0, 0, 14}, .gust = 0.6f, .damping = 0.2f};
  const weft_params breeze = {
      .air_density = 1.2f, .wind = {0, 0, 4}, .gust = 0.3f, .damping = 0.2f};
  const weft_params hand = {.grab = true, .damping = 0.2f};
  static const uint32_t sizes[] = {24, 64};
  for (int k = 0; k < 2; ++k) {
    const uint32_t n = sizes[k], corner = n * n - 1, middle = n / 2 * n + n / 2;
    assert_true(drive(n, &storm, 0) <= 0.0103);
    assert_true(drive(n, &breeze, 0) <= 0.0103);
    assert_true(drive(n, &hand, corner) <= 0.0103);
    assert_true(drive(n, &hand, middle) <= 0.0103);
  }
}

/* p99 of strain may be a hundredth above what the fabric takes by itself, and self-collision may
 * cut short one motion of 200. What it takes is the largest p99 on f64, 100 to 200 substeps of 2
 * line sweeps (4 on meshes other than grids), in the same scene at 24 or 48, as measured; of the
 * stack on cpu. wring is held without it. Pleats begin sharply folded, and as they unroll bending
 * stretches threads the more the shorter a substep is: 11 % in the first frame at 1,000. */
typedef struct held_scene {
  const char *name;
  uint32_t size, frames;
  double own;
  uint32_t from; /* the first frame looked at */
} held_scene;

static const held_scene scenes[] = {
    {"hanging", 24, 45, 0.0030, 1}, {"duel", 48, 90, 0.0030, 1},
    {"drape", 24, 30, 0.0046, 1},   {"flag", 24, 40, 0.0069, 1},
    {"curtain", 24, 60, 0.0017, 1}, {"skirt", 24, 60, 0.0040, 1},
    {"poncho", 48, 40, 0.0091, 1},  {"pleats", 24, 30, 0.0030, 10},
    {"tumble", 24, 36, 0.0097, 1},  {"wring", 48, 60, 0, 1},
    {"heap", 24, 40, 0.0077, 1},    {"stack", 12, 22, 0.0128, 1},
    {"knot", 24, 40, 0.0054, 1},    {"handkerchief", 24, 40, 0.0011, 1},
    {"walk", 24, 60, 0.0040, 1},
};

static void check_default(const held_scene *row) {
  const weft_scene_options options = {.size = row->size, .seed = 1};
  weft_scene_instance s = {0};
  weft_error err = {0};
  const weft_scene *scene = weft_scene_find(row->name);
  if (weft_scene_make(scene, &options, &s, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_cpu(1));
  double max = 0, limited = 0;
  for (uint32_t f = 0; f < row->frames; ++f) {
    assert_int_equal(weft_scene_step(&s, solver, &err), WEFT_OK);
    weft_metrics m;
    assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
    assert_int_equal(m.nonfinite, 0);
    if (f + 1 >= row->from) max = fmax(max, m.strain_threads_p99);
    limited += m.self_limited;
  }
  limited /= (double)weft_model_particle_count(s.model) * s.params.substeps * row->frames;
  print_message("%s %u: %u substeps, %.3g %% for %.3g %%, %.2g %% cut\n", row->name, row->size,
                s.params.substeps, 100 * max, 100 * row->own, 100 * limited);
  if (!(max <= row->own + 0.01)) fail_msg("%s stretches by %g", row->name, max);
  if (!(limited <= 0.005)) fail_msg("%s: %g of motions cut short", row->name, limited);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
}

static void every_cloth_is_held_by_default(void **state) {
  (void)state;
  uint32_t cloths = 0;
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    cloths += (weft_scene_at(k)->uses & WEFT_SCENE_CLOTH) != 0;
  }
  assert_int_equal(cloths, sizeof scenes / sizeof *scenes);
  for (uint32_t k = 0; k < cloths; ++k) check_default(&scenes[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wind_and_hands_are_held),
      cmocka_unit_test(a_sheet_that_swings_down_is_held),
      cmocka_unit_test(an_upright_sheet_is_held),
      cmocka_unit_test(without_a_limit_it_is_not),
      cmocka_unit_test(every_cloth_is_held_by_default),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
