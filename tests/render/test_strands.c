/* Balls and rods cover what geometry says, in their own colours, wherever the solver's buffer puts
 * them, and cast shadows. */
#include "cmocka_all.h"
#include "render_test.h"

/* Particles without triangles, seen nearly in parallel from 40 m; a pixel is pixel_size() wide. */
static void open_strands(stage *s, const weft_vec3 *places, uint32_t count,
                         weft_renderer_desc desc) {
  desc.width = desc.height = 300;
  stage_open(s, test_particles(places, count), desc);
  s->picture.camera = (weft_camera){.distance = 40, .fov = 0.05f};
}

static double pixel_size(void) { return 2 * 40 * tan(0.025) / 300; }

static void balls_cover_their_discs_in_their_own_colours(void **state) {
  (void)state;
  const weft_vec3 places[] = {{-0.5f, 0.3f, 0}, {0.4f, -0.2f, 0}, {0, 0, 0}};
  const weft_strand strands[] = {{0, 0, 0.2f, 0xcc0000}, {1, 1, 0.3f, 0x0000cc}};
  const uint32_t samples[] = {1, 16};
  for (int k = 0; k < 2; ++k) {
    stage s;
    open_strands(
        &s, places, 3,
        (weft_renderer_desc){.samples = samples[k], .strands = strands, .strand_count = 2});
    s.picture.sun_set = true; /* from the camera: no side in the dark */
    s.picture.sun_pitch = 0.05f;
    stage_draw(&s);
    /* a pixel at the rim, mixed with the sky, has neither colour: 3 % of the smaller disc */
    double area = pixel_size() * pixel_size();
    assert_true(fabs(count_pixels(&s.image, is_red) * area / (3.14159 * 0.04) - 1) < 0.06);
    assert_true(fabs(count_pixels(&s.image, is_blue) * area / (3.14159 * 0.09) - 1) < 0.06);
    double u, v;
    seen_at(&s, places[0], &u, &v);
    assert_true(is_red(pixel_at(&s.image, u, v)));
    stage_close(&s);
  }
}

static void a_rod_covers_its_capsule_and_a_prop_its_own(void **state) {
  (void)state;
  const weft_vec3 places[] = {{-0.4f, -0.4f, 0}, {0.3f, 0.3f, 0}};
  const weft_strand strand = {0, 1, 0.05f, 0xcc0000};
  const weft_prop prop = {{-0.6f, 0.5f, 0.2f}, {0.1f, 0.5f, 0.2f}, 0.1f, 0x0000cc};
  stage s;
  open_strands(
      &s, places, 2,
      (weft_renderer_desc){
          .samples = 1, .strands = &strand, .strand_count = 1, .props = &prop, .prop_count = 1});
  s.picture.sun_set = true;
  stage_draw(&s);
  double area = pixel_size() * pixel_size(), length = 0.7 * sqrt(2);
  double rod = 0.1 * length + 3.14159 * 0.0025, wide = 0.2 * 0.7 + 3.14159 * 0.01;
  assert_true(fabs(count_pixels(&s.image, is_red) * area / rod - 1) < 0.05);
  assert_true(fabs(count_pixels(&s.image, is_blue) * area / wide - 1) < 0.05);
  stage_close(&s);
}

static void strands_follow_the_buffer_and_take_the_dye(void **state) {
  (void)state;
  const weft_vec3 places[] = {{0, 0, 0}, {0.5f, 0, 0}};
  const weft_strand strands[] = {{0, 0, 0.1f, WEFT_STRAND_DYE}};
  stage s;
  open_strands(&s, places, 2,
               (weft_renderer_desc){.samples = 1, .strands = strands, .strand_count = 1});
  s.picture.look.front = (weft_colour){0.8f, 0.02f, 0.02f};
  s.picture.sun_set = true;
  stage_draw(&s);
  assert_true(is_red(pixel_at(&s.image, 0.5, 0.5)));
  const vec4 moved = {-0.6f, 0.4f, 0, 1};
  weft_gl_buffer_write(&s.positions, 0, sizeof moved, &moved);
  stage_draw(&s);
  assert_false(is_red(pixel_at(&s.image, 0.5, 0.5)));
  double u, v;
  seen_at(&s, (weft_vec3){-0.6f, 0.4f, 0}, &u, &v);
  assert_true(is_red(pixel_at(&s.image, u, v)));
  stage_close(&s);
}

static void a_ball_throws_its_shadow_away_from_the_sun(void **state) {
  (void)state;
  const weft_vec3 places[] = {{0, 0.5f, 0}};
  const weft_strand strand = {0, 0, 0.2f, 0x808080};
  int grey_at[2][2];
  for (int with = 0; with < 2; ++with) {
    stage s;
    open_strands(
        &s, places, 1,
        (weft_renderer_desc){
            .samples = 1, .shadow_size = 512, .strands = &strand, .strand_count = (uint32_t)with});
    s.picture.ground = true;
    s.picture.camera = (weft_camera){.pitch = 1.2f, .distance = 5, .fov = 0.5f};
    s.picture.radius = 1.5f;
    s.picture.sun_set = true;
    s.picture.sun_yaw = 1.5707963f; /* from +x, 45 degrees high */
    s.picture.sun_pitch = 0.78539816f;
    stage_draw(&s);
    for (int side = 0; side < 2; ++side) {
      double u, v;
      seen_at(&s, (weft_vec3){side ? 0.5f : -0.5f, 0, 0}, &u, &v);
      grey_at[with][side] = grey(pixel_at(&s.image, u, v));
    }
    stage_close(&s);
  }
  assert_true(grey_at[1][0] < grey_at[0][0] - 20);
  assert_true(abs(grey_at[1][1] - grey_at[0][1]) <= 1);
}

/* Thousands of balls in rows: coarser each, but all there. */
static void sand_is_all_there(void **state) {
  (void)state;
  enum { SIDE = 80 };
  weft_vec3 *places = weft_alloc(SIDE * SIDE, sizeof *places);
  weft_strand *strands = weft_alloc(SIDE * SIDE, sizeof *strands);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    places[i] =
        (weft_vec3){-0.8f + 0.02f * (float)(i % SIDE), -0.8f + 0.02f * (float)(i / SIDE), 0};
    strands[i] = (weft_strand){i, i, 0.01f, 0xcc0000};
  }
  stage s;
  open_strands(&s, places, SIDE * SIDE,
               (weft_renderer_desc){.samples = 1, .strands = strands, .strand_count = SIDE * SIDE});
  s.picture.sun_set = true;
  stage_draw(&s);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    double u, v;
    seen_at(&s, places[i], &u, &v);
    assert_true(is_red(pixel_at(&s.image, u, v)));
  }
  stage_close(&s);
  weft_free(places);
  weft_free(strands);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_cover_their_discs_in_their_own_colours),
      cmocka_unit_test(a_rod_covers_its_capsule_and_a_prop_its_own),
      cmocka_unit_test(strands_follow_the_buffer_and_take_the_dye),
      cmocka_unit_test(a_ball_throws_its_shadow_away_from_the_sun),
      cmocka_unit_test(sand_is_all_there),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
