/* The scene stands in the middle of what panels leave free, and pixels and points agree about it.
 */
#include "layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "figures.h"
#include "orbit.h"
#include "rows.h"

static const weft_scene_instance scene = {
    .view_centre = {0.3f, 1, -0.2f}, .view_radius = 0.7f, .view_yaw = 0.6f, .view_pitch = 0.3f};

static double seen_x(const weft_camera *c, weft_vec3 point, const weft_demo_layout *l) {
  double x = NAN, y;
  assert_true(weft_demo_project(c, point, l->width, l->height, &x, &y));
  return x;
}

static void a_scene_is_seen_whole_between_panels(void **state) {
  (void)state;
  const weft_demo_layout layouts[] = {{900, 600, 224, 255},
                                      {1280, 800, 240, 0},
                                      {1920, 1080, 0, 300},
                                      {600, 900, 150, 200},
                                      {1000, 500, 0, 0}};
  for (size_t k = 0; k < sizeof layouts / sizeof *layouts; ++k) {
    const weft_demo_layout *l = &layouts[k];
    weft_camera c = weft_demo_home_camera(&scene, l);
    double left = l->left, right = l->width - l->right;
    assert_true(fabs(seen_x(&c, scene.view_centre, l) - (left + right) / 2) < 0.01);
    for (int side = -1; side <= 1; side += 2) { /* to the camera's right and left */
      float r = 0.95f * (float)side * scene.view_radius;
      weft_vec3 edge = {scene.view_centre.x + r * cosf(c.yaw), scene.view_centre.y,
                        scene.view_centre.z - r * sinf(c.yaw)};
      double x = seen_x(&c, edge, l);
      if (x < left || x > right) fail_msg("layout %zu: side %d at %g", k, side, x);
    }
  }
  const weft_demo_layout narrow = {300, 600, 224, 255};
  assert_true(weft_demo_free_width(&narrow) == 75);
}

static void the_ray_through_a_pixel_meets_what_is_seen_there(void **state) {
  (void)state;
  srand(3);
  for (int k = 0; k < 2000; ++k) {
    weft_demo_layout l = {900 + rand() % 600, 500 + rand() % 600, rand() % 300, rand() % 300};
    weft_camera c = weft_demo_home_camera(&scene, &l);
    c.yaw = (float)(rand() % 600) / 100;
    c.pitch = (float)(rand() % 200 - 100) / 100;
    c.aside[1] = (float)(rand() % 100 - 50) / 100;
    double px = rand() % 900, py = rand() % 500, x, y;
    weft_ray ray = weft_demo_ray(&c, px, py, l.width, l.height);
    float way = 1 + (float)(rand() % 30) / 10;
    weft_vec3 point = {ray.origin.x + way * ray.direction.x, ray.origin.y + way * ray.direction.y,
                       ray.origin.z + way * ray.direction.z};
    assert_true(weft_demo_project(&c, point, l.width, l.height, &x, &y));
    if (hypot(x - px, y - py) > 0.05) fail_msg("(%g, %g) comes back as (%g, %g)", px, py, x, y);
    weft_vec3 behind = {ray.origin.x - ray.direction.x, ray.origin.y - ray.direction.y,
                        ray.origin.z - ray.direction.z};
    assert_false(weft_demo_project(&c, behind, l.width, l.height, &x, &y));
  }
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

static void what_was_changed_is_carried_to_another_scene_of_its_kind(void **state) {
  (void)state;
  weft_params from = weft_params_default(), to = from, now = from;
  to.substeps = 10; /* its own, as is the other's */
  to.damping = 2;
  now.damping = 0.5f;
  now.wind = weft_v3(3, 0, 0);
  weft_demo_rows_carry(&now, &from, &to);
  assert_int_equal(now.substeps, 10);
  assert_true(now.damping == 0.5f && now.wind.x == 3);
}

static void every_row_says_what_it_is(void **state) {
  (void)state;
  for (uint32_t k = 0; weft_demo_row_at(k); ++k) {
    const weft_demo_row *row = weft_demo_row_at(k);
    assert_true(row->label && *row->label && row->option && *row->option);
    assert_true(strlen(row->label) < 18); /* beside its slider */
    if (row->kind == WEFT_DEMO_CHOICE) assert_non_null(row->choices);
    if (row->kind <= WEFT_DEMO_COUNT) assert_true(row->low < row->high);
    for (uint32_t j = 0; j < k; ++j) {
      assert_int_not_equal(weft_demo_row_at(j)->offset, row->offset);
      assert_string_not_equal(weft_demo_row_at(j)->option, row->option);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_is_seen_whole_between_panels),
      cmocka_unit_test(the_ray_through_a_pixel_meets_what_is_seen_there),
      cmocka_unit_test(figures_have_three_digits_and_a_unit),
      cmocka_unit_test(what_was_changed_is_carried_to_another_scene_of_its_kind),
      cmocka_unit_test(every_row_says_what_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
