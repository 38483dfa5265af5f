/* The scene stands in the middle of what panels leave free, and pixels and points agree about it.
 */
#include "layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "figures.h"
#include "orbit.h"
#include "session.h"

static weft_scene_instance made(const char *name, uint32_t size) {
  weft_scene_instance scene;
  weft_error err = {0};
  const weft_scene_options options = {.size = size};
  if (weft_scene_make(weft_scene_find(name), &options, &scene, &err)) fail_msg("%s", err.message);
  return scene;
}

static void panels_leave_room_in_the_middle(void **state) {
  (void)state;
  weft_demo_layout l = weft_demo_layout_of(900, 600, 224, 254.8);
  assert_true(l.left == 224 && l.across == 421);
  l = weft_demo_layout_of(1280, 800, 0, 0);
  assert_true(l.left == 0 && l.across == 1280);
  l = weft_demo_layout_of(300, 600, 224, 255); /* never nothing */
  assert_true(l.left == 224 && l.across == 75);
}

/* Whatever the room, and however wide the cloth is. */
static void a_scene_begins_between_the_edges_of_its_picture(void **state) {
  (void)state;
  static const int rooms[][2] = {{421, 600}, {785, 800}, {1400, 1080}, {900, 640}, {250, 700}};
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    weft_scene_instance scene = made(weft_scene_at(k)->name, weft_scene_at(k)->picture_size);
    const weft_vec3 *points = weft_model_rest_positions(scene.model);
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; ++r) {
      int width = rooms[r][0], height = rooms[r][1];
      weft_camera c = weft_demo_home_camera(&scene, width, height);
      double x, y;
      assert_true(weft_demo_project(&c, scene.view_centre, width, height, &x, &y));
      assert_true(hypot(x - width / 2.0, y - height / 2.0) < 0.1);
      for (uint32_t i = 0; i < weft_model_particle_count(scene.model); ++i) {
        assert_true(weft_demo_project(&c, points[i], width, height, &x, &y));
        if (x < 0 || x > width) {
          fail_msg("%s in %d x %d: particle %u at %g", scene.name, width, height, i, x);
        }
      }
    }
    weft_scene_free(&scene);
  }
}

static void the_ray_through_a_pixel_meets_what_is_seen_there(void **state) {
  (void)state;
  srand(3);
  weft_scene_instance scene = made("drape", 8);
  for (int k = 0; k < 2000; ++k) {
    int width = 300 + rand() % 1200, height = 300 + rand() % 800;
    weft_camera c = weft_demo_home_camera(&scene, width, height);
    c.yaw = (float)(rand() % 600) / 100;
    c.pitch = (float)(rand() % 200 - 100) / 100;
    double px = rand() % width, py = rand() % height, x, y;
    weft_ray ray = weft_demo_ray(&c, px, py, width, height);
    float way = 1 + (float)(rand() % 30) / 10;
    weft_vec3 point = {ray.origin.x + way * ray.direction.x, ray.origin.y + way * ray.direction.y,
                       ray.origin.z + way * ray.direction.z};
    assert_true(weft_demo_project(&c, point, width, height, &x, &y));
    if (hypot(x - px, y - py) > 0.05) fail_msg("(%g, %g) comes back as (%g, %g)", px, py, x, y);
    weft_vec3 behind = {ray.origin.x - ray.direction.x, ray.origin.y - ray.direction.y,
                        ray.origin.z - ray.direction.z};
    assert_false(weft_demo_project(&c, behind, width, height, &x, &y));
  }
  weft_scene_free(&scene);
}

static void figures_have_three_digits_and_a_unit(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *unit, *text;
  } rows[] = {
      {0, "J", "0 J"},
      {0.000993, "J", "993 \xc2\xb5J"},
      {0.00423, "J", "4.23 mJ"},
      {1.08449, "%", "1.08 %"},
      {108.4, "%", "108 %"},
      {0.1304, "%", "0.130 %"},
      {5.87e-6, "%", "0.000 %"},
      {0.0099996, "s", "10.0 ms"},
      {15612345, "/s", "15.6 M/s"},
      {-2.0004, "J", "-2.00 J"},
      {0.6664, "/s", "0.666 /s"},
      {999.6, "%", "1,000 %"},
      {123456, "%", "123,000 %"},
      {0.9999, "m", "1.00 m"},
      {999.9e-6, "m", "1.00 mm"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    char text[WEFT_DEMO_FIGURE];
    weft_demo_figure_of(text, rows[k].value, rows[k].unit);
    assert_string_equal(text, rows[k].text);
  }
  char text[WEFT_DEMO_FIGURE];
  weft_demo_figure(text, NAN);
  assert_string_equal(text, "?");
  weft_demo_figure_of(text, -1.797e308, "J");
  assert_true(strlen(text) < 20);
}

/* A limit that is passed is no promise. */
static void a_promise_says_what_is(void **state) {
  (void)state;
  char text[WEFT_DEMO_PROMISE];
  weft_demo_promise(text, 0.01031, 0.0098);
  assert_string_equal(text, ", for at most 1.03 %");
  weft_demo_promise(text, 0.01031, 0.042);
  assert_string_equal(text, ", 1.03 % asked, now 4.20 %");
}

static void what_was_changed_is_carried_to_another_scene_of_its_kind(void **state) {
  (void)state;
  weft_params from = weft_params_default(), to = from, now = from;
  to.substeps = 10; /* its own, as is the other's */
  to.damping = 2;
  now.damping = 0.5f;
  now.wind = weft_v3(3, 0, 0);
  weft_demo_session_carry(&now, &from, &to);
  assert_int_equal(now.substeps, 10);
  assert_true(now.damping == 0.5f && now.wind.x == 3);
}

static void every_row_says_what_it_is(void **state) {
  (void)state;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const weft_param_info *p = &weft_param_infos[k];
    if (p->option) assert_true(*p->option && p->help && *p->help);
    if (!p->panel.part) continue;
    assert_true(p->panel.label && *p->panel.label && p->option);
    assert_true(strlen(p->panel.label) < 18); /* beside its slider */
    if (p->kind == WEFT_KIND_CHOICE) assert_non_null(p->choices[1]);
    if (p->kind <= WEFT_KIND_COUNT) assert_true(p->panel.low < p->panel.high);
    for (uint32_t j = 0; p->option && j < k; ++j) {
      const char *other = weft_param_infos[j].option;
      if (other) assert_string_not_equal(other, p->option);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_promise_says_what_is),
      cmocka_unit_test(panels_leave_room_in_the_middle),
      cmocka_unit_test(a_scene_begins_between_the_edges_of_its_picture),
      cmocka_unit_test(the_ray_through_a_pixel_meets_what_is_seen_there),
      cmocka_unit_test(figures_have_three_digits_and_a_unit),
      cmocka_unit_test(what_was_changed_is_carried_to_another_scene_of_its_kind),
      cmocka_unit_test(every_row_says_what_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
