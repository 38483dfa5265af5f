/* Pictures say what geometry says: what a sheet covers, which side is seen, where shadows fall. */
#include "cmocka_all.h"
#include "render_test.h"

static const weft_colour red = {0.8f, 0.05f, 0.05f}, blue = {0.05f, 0.05f, 0.8f};

/* Nothing but two colours: no weave, no fuzz, nothing shines through. */
static weft_fabric_look plain_look(weft_colour front, weft_colour back) {
  return (weft_fabric_look){.front = front, .back = back, .sheen_roughness = 0.5f};
}

static void open_sheet(stage *s, uint32_t width, uint32_t height, uint32_t samples) {
  const weft_renderer_desc desc = {
      .width = width, .height = height, .samples = samples, .shadow_size = 512};
  stage_open(s, test_sheet(9, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}), desc);
  s->picture.look = plain_look(red, blue);
}

static void a_sheet_facing_the_camera_covers_its_projection(void **state) {
  (void)state;
  const uint32_t samples[] = {1, 2, 16};
  for (int k = 0; k < 3; ++k) {
    stage s;
    open_sheet(&s, 320, 240, samples[k]);
    stage_draw(&s);
    /* side 1 m at 4 m under a vertical angle of 0.5: the part 1/(2*4*tan(0.25)) of the height */
    double side = 240.0 / (2 * 4 * tan(0.25));
    uint32_t count = count_pixels(&s.image, is_red);
    assert_true(fabs(count - side * side) < 4 * side); /* a pixel at each edge */
    assert_int_equal(count_pixels(&s.image, is_blue), 0);
    double half = side / 2;
    assert_true(is_red(pixel_at(&s.image, 0.5 + (half - 2) / 320, 0.5 + (half - 2) / 240)));
    assert_false(is_red(pixel_at(&s.image, 0.5 + (half + 2) / 320, 0.5)));
    assert_false(is_red(pixel_at(&s.image, 0.5, 0.5 - (half + 2) / 240)));
    stage_close(&s);
  }
}

static void the_back_has_its_own_colour_and_is_lit(void **state) {
  (void)state;
  stage s;
  open_sheet(&s, 200, 200, 16);
  s.picture.camera.yaw = 3.14159265f;
  stage_draw(&s);
  assert_int_equal(count_pixels(&s.image, is_red), 0);
  assert_true(count_pixels(&s.image, is_blue) > 1000);
  int behind = pixel_at(&s.image, 0.5, 0.5)[2];
  s.picture.look = plain_look(blue, red);
  s.picture.camera.yaw = 0;
  stage_draw(&s);
  assert_true(abs(pixel_at(&s.image, 0.5, 0.5)[2] - behind) <= 3); /* as bright as the front */
  stage_close(&s);
}

static void light_comes_through_thin_cloth_only(void **state) {
  (void)state;
  stage s;
  open_sheet(&s, 64, 64, 1);
  s.picture.sun_set = true;
  s.picture.sun_yaw = 3.14159265f; /* behind the sheet */
  s.picture.sun_pitch = 0.2f;
  stage_draw(&s);
  int opaque = grey(pixel_at(&s.image, 0.5, 0.5));
  s.picture.look.transmission = 0.6f;
  stage_draw(&s);
  assert_true(grey(pixel_at(&s.image, 0.5, 0.5)) > opaque + 10);
  stage_close(&s);
}

static void the_sun_lights_the_side_it_stands_on(void **state) {
  (void)state;
  stage s;
  open_sheet(&s, 64, 64, 1);
  s.picture.sun_set = true;
  s.picture.sun_pitch = 0.3f;
  stage_draw(&s);
  int lit = grey(pixel_at(&s.image, 0.5, 0.5));
  s.picture.sun_yaw = 3.14159265f;
  stage_draw(&s);
  assert_true(lit > grey(pixel_at(&s.image, 0.5, 0.5)) + 20);
  stage_close(&s);
}

/* A sheet of half side 0.25 lies 0.5 above the floor, off the middle. The sun at 45 degrees from +x
 * throws its shadow 0.5 towards -x. */
static void open_floating_sheet(stage *s, uint32_t samples) {
  const weft_renderer_desc desc = {.width = 400, .height = 300, .samples = samples};
  stage_open(s, test_sheet(9, 0.5f, WEFT_PLANE_XZ, (weft_vec3){0, 0.5f, 0.3f}), desc);
  s->picture.look = plain_look(red, blue);
  s->picture.ground = true;
  s->picture.radius = 1.5f;
  s->picture.camera = (weft_camera){.pitch = 1.2f, .distance = 5, .fov = 0.5f};
  s->picture.sun_set = true;
  s->picture.sun_yaw = 1.5707963f;
  s->picture.sun_pitch = 0.78539816f;
}

static int floor_at(const stage *s, float x, float z) {
  double u, v;
  seen_at(s, (weft_vec3){x, 0, z}, &u, &v);
  return grey(pixel_at(&s->image, u, v));
}

static void the_shadow_falls_where_the_sun_throws_it(void **state) {
  (void)state;
  stage s, empty;
  open_floating_sheet(&s, 1);
  open_floating_sheet(&empty, 1);
  empty.picture.ground = false; /* the bare backdrop */
  stage_draw(&s);
  stage_draw(&empty);
  const struct {
    float x, z;
    bool shadowed;
  } rows[] = {{-0.5f, 0, true},       {-0.70f, 0.20f, true}, {-0.70f, -0.20f, true},
              {-0.30f, 0.2f, true},   {-0.82f, 0, false},    {-0.5f, 0.32f, false},
              {-0.5f, -0.32f, false}, {0.35f, 0, false},     {-0.5f, 0.9f, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int with = floor_at(&s, rows[i].x, rows[i].z + 0.3f);
    int without = floor_at(&empty, rows[i].x, rows[i].z + 0.3f);
    if (rows[i].shadowed) {
      assert_true(with < without - 20);
    } else {
      assert_true(abs(with - without) <= 1);
    }
  }
  stage_close(&s);
  stage_close(&empty);
}

static void the_sky_is_darker_under_a_sheet(void **state) {
  (void)state;
  const uint32_t samples[] = {1, 64};
  for (int k = 0; k < 2; ++k) {
    stage s;
    open_floating_sheet(&s, samples[k]);
    for (uint32_t i = 0; i < s.mesh.vertex_count; ++i) assert_true(s.mesh.positions[i].y == 0.5f);
    s.picture.sun_pitch = -0.2f; /* below the horizon */
    s.picture.camera.pitch = 0.5f;
    stage_draw(&s);
    assert_true(floor_at(&s, 0, 0.4f) < floor_at(&s, 0, 1.4f) - 20);
    stage_close(&s);
  }
}

static void an_open_floor_cannot_be_told_from_the_backdrop(void **state) {
  (void)state;
  const uint32_t samples[] = {1, 16};
  for (int k = 0; k < 2; ++k) {
    stage s, empty;
    open_floating_sheet(&s, samples[k]);
    open_floating_sheet(&empty, samples[k]);
    empty.picture.ground = false;
    s.picture.camera.fov = empty.picture.camera.fov = 1.9f; /* far beyond what the lights look at */
    stage_draw(&s);
    stage_draw(&empty);
    const float places[] = {-8, -3, 1.2f, 2.5f, 8};
    for (int i = 0; i < 5; ++i) {
      assert_true(abs(floor_at(&s, places[i], 1.2f) - floor_at(&empty, places[i], 1.2f)) <= 1);
    }
    stage_close(&s);
    stage_close(&empty);
  }
}

static void from_below_the_floor_hides_nothing(void **state) {
  (void)state;
  stage s;
  open_floating_sheet(&s, 1);
  s.picture.camera.pitch = -0.8f;
  stage_draw(&s);
  double u, v;
  seen_at(&s, (weft_vec3){0, 0.5f, 0.3f}, &u, &v);
  assert_true(is_blue(pixel_at(&s.image, u, v)));
  stage_close(&s);
}

/* ---- weave ---- */

static void grey_of_middle(const weft_image *image, double *mean, double *deviation) {
  double sum = 0, squares = 0, count = 0;
  for (uint32_t y = image->height / 3; y < image->height * 2 / 3; ++y) {
    for (uint32_t x = image->width / 3; x < image->width * 2 / 3; ++x, ++count) {
      double g = grey(image->pixels + 3 * ((size_t)y * image->width + x));
      sum += g;
      squares += g * g;
    }
  }
  *mean = sum / count;
  *deviation = sqrt(fmax(squares / count - *mean * *mean, 0));
}

/* From near and far each weave shows, without a change of the cloth's colour, and no two alike. */
static void yarns_are_seen_from_near_and_far(void **state) {
  (void)state;
  const float distances[] = {0.3f, 1, 3.5f};
  for (int d = 0; d < 3; ++d) {
    stage s;
    uint64_t hashes[3];
    open_sheet(&s, 200, 200, 4);
    s.picture.camera.distance = distances[d];
    s.picture.look = plain_look((weft_colour){0.3f, 0.3f, 0.3f}, blue);
    double bare, mean, deviation;
    stage_draw(&s);
    grey_of_middle(&s.image, &bare, &deviation);
    assert_true(deviation < 1);
    s.picture.look.yarn = 0.001f;
    for (int weave = 0; weave < 3; ++weave) {
      s.picture.look.weave = (weft_weave)weave;
      stage_draw(&s);
      grey_of_middle(&s.image, &mean, &deviation);
      assert_true(fabs(mean - bare) < 8 && deviation > 1.5 && deviation < 30);
      size_t bytes = (size_t)3 * s.image.width * s.image.height;
      hashes[weave] = weft_hash_bytes(WEFT_HASH_SEED, s.image.pixels, bytes);
    }
    assert_true(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
    stage_close(&s);
  }
}

/* ---- colliders ---- */

/* What stands out of the middle of a triangle less than the cloth is lifted is neither seen nor
 * casts a shadow on it; the rest is. */
static void a_ball_just_through_coarse_cloth_is_hidden_by_it(void **state) {
  (void)state;
  const float out[] = {0.01f, 0.05f}; /* m, lifted are 0.02 */
  for (int k = 0; k < 2; ++k) {
    const weft_collider ball = {
        .shape = WEFT_COLLIDER_SPHERE, .a = {0, 0, out[k] - 0.4f}, .radius = 0.4f};
    const weft_renderer_desc desc = {
        .width = 200, .height = 200, .samples = 1, .shadow_size = 4096};
    stage s;
    stage_open(&s, test_sheet(9, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}), desc);
    s.picture.look = plain_look(red, blue);
    s.picture.sun_set = true;
    s.picture.sun_yaw = 0.5f;
    s.picture.sun_pitch = 0.5f;
    stage_draw(&s);
    weft_image without = s.image;
    s.image.pixels = NULL;
    s.picture.colliders = &ball;
    s.picture.collider_count = 1;
    stage_draw(&s);
    uint32_t changed = 0;
    for (size_t i = 0; i < (size_t)3 * 200 * 200; ++i) {
      bool cloth = is_red(without.pixels + i / 3 * 3);
      changed += cloth && abs(s.image.pixels[i] - without.pixels[i]) > 3;
    }
    assert_true(k == 0 ? changed == 0 : changed > 500);
    weft_free(without.pixels);
    stage_close(&s);
  }
}

static void colliders_stand_where_their_keys_put_them(void **state) {
  (void)state;
  const weft_collider_key keys[] = {{1, {-0.6f, 0, 0}, {-0.6f, 0, 0}, {0, 0, 0}},
                                    {3, {0.6f, 0, 0}, {0.6f, 0, 0}, {0, 0, 0}}};
  const weft_collider ball = {
      .shape = WEFT_COLLIDER_SPHERE, .radius = 0.2f, .keys = keys, .key_count = 2};
  const struct {
    double time, x;
  } rows[] = {{0, -0.6}, {1, -0.6}, {1.5, -0.3}, {2, 0}, {3, 0.6}, {9, 0.6}};
  stage s;
  open_sheet(&s, 300, 200, 1);
  stage_draw(&s);
  int bare = grey(pixel_at(&s.image, 0.5, 0.5)); /* red cloth; the ball is grey */
  s.picture.colliders = &ball;
  s.picture.collider_count = 1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    weft_vec3 a, b;
    weft_collider_at(&ball, rows[i].time, &a, &b);
    assert_true(fabs(a.x - rows[i].x) < 1e-6);
    s.picture.time = rows[i].time;
    stage_draw(&s);
    double u, v;
    seen_at(&s, a, &u, &v);
    assert_true(grey(pixel_at(&s.image, u, v)) > bare + 20);
  }
  stage_close(&s);
}

static void a_capsule_covers_its_projection(void **state) {
  (void)state;
  const weft_collider capsule = {.shape = WEFT_COLLIDER_CAPSULE,
                                 .a = {-0.4f, -0.4f, 0},
                                 .b = {0.4f, 0.4f, 0},
                                 .radius = 0.15f};
  stage s;
  open_sheet(&s, 300, 300, 1);
  s.picture.camera = (weft_camera){.distance = 40, .fov = 0.05f}; /* nearly parallel */
  stage_draw(&s);
  weft_image without = s.image;
  s.image.pixels = NULL;
  s.picture.colliders = &capsule;
  s.picture.collider_count = 1;
  stage_draw(&s);
  uint32_t changed = 0;
  for (size_t i = 0; i < (size_t)300 * 300; ++i) {
    const uint8_t *p = s.image.pixels + 3 * i;
    changed += memcmp(without.pixels + 3 * i, p, 3) != 0 && !is_red(p); /* no shadows */
  }
  double pixel = 2 * 40 * tan(0.025) / 300; /* metres */
  double area = 3.14159 * 0.15 * 0.15 + 0.3 * sqrt(1.28);
  /* the sheet hides the half of it that lies behind, but not outside its outline */
  assert_true(fabs(changed * pixel * pixel - area) < 0.05 * area);
  weft_free(without.pixels);
  stage_close(&s);
}

/* Turned about the line of sight, a box still covers what its front does; its key turns it. */
static void a_box_covers_its_projection(void **state) {
  (void)state;
  const weft_collider_key keys[] = {{0, {0, 0, 0.3f}, {0, 0, 0}, {0, 0, 0}},
                                    {1, {0, 0, 0.3f}, {0, 0, 0}, {0, 0, 1.2f}}};
  const weft_collider box = {
      .shape = WEFT_COLLIDER_BOX, .half_size = {0.4f, 0.1f, 0.05f}, .keys = keys, .key_count = 2};
  stage s;
  open_sheet(&s, 300, 300, 1);
  s.picture.camera = (weft_camera){.distance = 40, .fov = 0.05f}; /* nearly parallel */
  stage_draw(&s);
  weft_image without = s.image;
  s.image.pixels = NULL;
  s.picture.colliders = &box;
  s.picture.collider_count = 1;
  s.picture.time = 0.5;
  stage_draw(&s);
  uint32_t grey_pixels = 0;
  for (size_t i = 0; i < (size_t)300 * 300; ++i) {
    const uint8_t *p = s.image.pixels + 3 * i;
    grey_pixels += memcmp(without.pixels + 3 * i, p, 3) != 0 && !is_red(p); /* no shadows */
  }
  double pixel = 2 * 40 * tan(0.025) / 300;
  assert_true(fabs(grey_pixels * pixel * pixel - 0.16) < 0.05 * 0.16);
  double u, v; /* near an end of its long axis, at 0.6 rad */
  const weft_vec3 end = {0.36f * cosf(0.6f), 0.36f * sinf(0.6f), 0.35f};
  seen_at(&s, end, &u, &v);
  assert_false(is_red(pixel_at(&s.image, u, v)));
  weft_free(without.pixels);
  stage_close(&s);
}

/* ---- sizes ---- */

static void odd_sizes_are_drawn(void **state) {
  (void)state;
  const uint32_t sizes[][2] = {{1, 1}, {333, 77}, {4096, 16}, {3, 500}};
  for (int i = 0; i < 4; ++i) {
    stage s;
    open_sheet(&s, sizes[i][0], sizes[i][1], 1);
    s.picture.camera =
        weft_camera_around((weft_vec3){0, 0, 0}, 0.45f, 0, 0, sizes[i][0], sizes[i][1]);
    stage_draw(&s);
    assert_int_equal(s.image.width, sizes[i][0]);
    assert_int_equal(s.image.height, sizes[i][1]);
    assert_true(is_red(pixel_at(&s.image, 0.5, 0.5)));
    stage_close(&s);
  }
}

static void impossible_requests_are_refused_in_a_sentence(void **state) {
  (void)state;
  const weft_renderer_desc rows[] = {{.width = 100000, .height = 10},
                                     {.width = 10, .height = WEFT_MAX_PICTURE_SIDE + 1},
                                     {.width = 16000, .height = 16000},
                                     {.samples = WEFT_MAX_RENDER_SAMPLES + 1},
                                     {.multisamples = 3},
                                     {.shadow_size = 1000000}};
  weft_mesh mesh = test_sheet(2, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0});
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    weft_renderer_desc desc = rows[i];
    desc.particle_count = mesh.vertex_count;
    desc.triangle_count = mesh.triangle_count;
    desc.triangles = mesh.triangles;
    desc.rest_positions = mesh.positions;
    weft_renderer *renderer = (weft_renderer *)1;
    weft_error err = {0};
    assert_int_equal(weft_renderer_create(test_gl, &desc, &renderer, &err), WEFT_ERROR_ARGUMENT);
    assert_null(renderer);
    assert_true(strlen(err.message) > 10);
  }
  weft_mesh_free(&mesh);
  stage s;
  open_sheet(&s, 8, 8, 1);
  s.picture.radius = 0;
  assert_int_equal(weft_renderer_draw(s.renderer, &s.picture, NULL), WEFT_ERROR_ARGUMENT);
  s.picture.radius = NAN;
  assert_int_equal(weft_renderer_draw(s.renderer, &s.picture, NULL), WEFT_ERROR_ARGUMENT);
  stage_close(&s);
}

static void wires_darken_the_cloth_and_nothing_else(void **state) {
  (void)state;
  stage s;
  open_sheet(&s, 200, 200, 1);
  stage_draw(&s);
  weft_image shaded = s.image;
  s.image.pixels = NULL;
  s.picture.mode = WEFT_VIEW_WIRE;
  stage_draw(&s);
  uint32_t darker = 0;
  for (size_t i = 0; i < (size_t)200 * 200; ++i) {
    const uint8_t *a = shaded.pixels + 3 * i, *b = s.image.pixels + 3 * i;
    if (!memcmp(a, b, 3)) continue;
    assert_true(grey(b) < grey(a) + 3);
    ++darker;
  }
  assert_true(darker > 500 && darker < 200 * 200 / 2);
  weft_free(shaded.pixels);
  stage_close(&s);
}

static void the_same_picture_twice_has_the_same_bytes(void **state) {
  (void)state;
  stage s;
  open_floating_sheet(&s, 16);
  stage_draw(&s);
  size_t bytes = (size_t)3 * s.image.width * s.image.height;
  uint64_t first = weft_hash_bytes(WEFT_HASH_SEED, s.image.pixels, bytes);
  stage_draw(&s);
  assert_true(first == weft_hash_bytes(WEFT_HASH_SEED, s.image.pixels, bytes));
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_facing_the_camera_covers_its_projection),
      cmocka_unit_test(the_back_has_its_own_colour_and_is_lit),
      cmocka_unit_test(light_comes_through_thin_cloth_only),
      cmocka_unit_test(the_sun_lights_the_side_it_stands_on),
      cmocka_unit_test(the_shadow_falls_where_the_sun_throws_it),
      cmocka_unit_test(the_sky_is_darker_under_a_sheet),
      cmocka_unit_test(an_open_floor_cannot_be_told_from_the_backdrop),
      cmocka_unit_test(from_below_the_floor_hides_nothing),
      cmocka_unit_test(yarns_are_seen_from_near_and_far),
      cmocka_unit_test(a_ball_just_through_coarse_cloth_is_hidden_by_it),
      cmocka_unit_test(colliders_stand_where_their_keys_put_them),
      cmocka_unit_test(a_capsule_covers_its_projection),
      cmocka_unit_test(a_box_covers_its_projection),
      cmocka_unit_test(odd_sizes_are_drawn),
      cmocka_unit_test(impossible_requests_are_refused_in_a_sentence),
      cmocka_unit_test(wires_darken_the_cloth_and_nothing_else),
      cmocka_unit_test(the_same_picture_twice_has_the_same_bytes),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
