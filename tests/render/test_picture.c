/* Pictures say what geometry says: what a sheet covers, which side is seen, where shadows fall. */
#include "cmocka_all.h"
#include "render_test.h"
#include "uvs.h"

static const weft_colour red = {0.8f, 0.05f, 0.05f}, blue = {0.05f, 0.05f, 0.8f};

/* Nothing but two colours: no weave, no fuzz, nothing shines through. */
static weft_fabric_look plain_detection(weft_colour front, weft_colour back) {
  return (weft_fabric_look){.front = front, .back = back, .sheen_roughness = 0.5f};
}

static void open_sheet(stage *s, uint32_t width, uint32_t height, uint32_t samples) {
  const weft_renderer_desc desc = {
      .width = width, .height = height, .samples = samples, .shadow_size = 512};
  stage_open(s, test_sheet(9, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}), desc);
  s->picture.look = plain_detection(red, blue);
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
  s.picture.look = plain_detection(blue, red);
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
  s->picture.look = plain_detection(red, blue);
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

/* The same floor with nothing over it. */
static void open_bare_floor(stage *s, uint32_t samples) {
  open_floating_sheet(s, samples);
  for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) {
    const vec4 away = {1000 + s->mesh.positions[i].x, 0.5f, s->mesh.positions[i].z, 1};
    weft_gl_buffer_write(&s->positions, i * sizeof away, sizeof away, &away);
  }
}

/* What is lost of sunlight is most of it; of the sky the sheet hides little. */
static void the_shadow_falls_where_the_sun_throws_it(void **state) {
  (void)state;
  const uint32_t samples[] = {1, 4, 16};
  for (int k = 0; k < 3; ++k) {
    stage s, bare;
    open_floating_sheet(&s, samples[k]);
    open_bare_floor(&bare, samples[k]);
    stage_draw(&s);
    stage_draw(&bare);
    const struct {
      float x, z;
      bool shadowed;
    } rows[] = {{-0.5f, 0, true},       {-0.70f, 0.20f, true}, {-0.70f, -0.20f, true},
                {-0.30f, 0.2f, true},   {-0.82f, 0, false},    {-0.5f, 0.32f, false},
                {-0.5f, -0.32f, false}, {0.35f, 0, false},     {-0.5f, 0.9f, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
      int with = floor_at(&s, rows[i].x, rows[i].z + 0.3f);
      int without = floor_at(&bare, rows[i].x, rows[i].z + 0.3f);
      if (rows[i].shadowed) {
        assert_true(with < without - 60);
      } else {
        assert_true(with > without - 25 && with <= without + 3);
      }
    }
    stage_close(&s);
    stage_close(&bare);
  }
}

/* Back from bytes to light, which the tone curve leaves alone below 0.76. */
static double light_at(const stage *s, float x, float z) {
  return pow(floor_at(s, x, z) / 255.0, 2.2);
}

/* A level square of half side 0.25, 0.5 above, hides 0.239 of a floor's sky below its middle (view
 * factor of Howell, C-11, four quarters), however many samples there are. */
static void a_sheet_hides_as_much_of_the_sky_as_theory_says(void **state) {
  (void)state;
  const struct {
    uint32_t samples;
    double allowed; /* of one sample there are eight patches of sky */
  } rows[] = {{1, 0.16}, {4, 0.03}, {16, 0.03}, {64, 0.03}};
  const double hidden = 0.239;
  for (int k = 0; k < 4; ++k) {
    stage s, bare;
    open_floating_sheet(&s, rows[k].samples);
    open_bare_floor(&bare, rows[k].samples);
    s.picture.sun_pitch = bare.picture.sun_pitch = -0.2f; /* below the horizon */
    s.picture.camera.pitch = bare.picture.camera.pitch = 0.35f;
    stage_draw(&s);
    stage_draw(&bare);
    double with = 0, without = 0; /* light, over 5 x 5 places, for there is noise */
    for (int i = 0; i < 25; ++i) {
      float x = 0.01f * (float)(i % 5 - 2), z = 0.3f + 0.02f * (float)(i / 5 - 2);
      with += light_at(&s, x, z);
      without += light_at(&bare, x, z);
    }
    printf("%u samples: %.3f of the sky is hidden\n", rows[k].samples, 1 - with / without);
    assert_true(fabs(1 - with / without - hidden) < rows[k].allowed);
    stage_close(&s);
    stage_close(&bare);
  }
}

/* What lies open has the same light in every kind of picture. */
static void light_does_not_change_with_the_number_of_samples(void **state) {
  (void)state;
  const weft_renderer_desc kinds[] = {
      {.samples = 1, .quick = true}, {.samples = 1}, {.samples = 4}, {.samples = 16}};
  int floor_then[3] = {0}, sheet_then[3] = {0};
  for (int k = 0; k < 4; ++k) {
    stage s;
    weft_renderer_desc desc = kinds[k];
    desc.width = 300;
    desc.height = 200;
    stage_open(&s, test_sheet(9, 0.5f, WEFT_PLANE_XY, (weft_vec3){0, 0.6f, 0}), desc);
    s.picture.look = plain_detection((weft_colour){0.4f, 0.4f, 0.4f}, blue);
    s.picture.ground = true;
    s.picture.camera = (weft_camera){
        .target = {0, 0.4f, 0}, .yaw = 0.3f, .pitch = 0.2f, .distance = 5, .fov = 0.5f};
    stage_draw(&s);
    double u, v, u2, v2;
    seen_at(&s, (weft_vec3){0, 0.75f, 0}, &u, &v);
    seen_at(&s, (weft_vec3){0.6f, 0, 1.2f}, &u2, &v2);
    for (int c = 0; c < 3; ++c) {
      int sheet = pixel_at(&s.image, u, v)[c], ground = pixel_at(&s.image, u2, v2)[c];
      if (k == 0) sheet_then[c] = sheet, floor_then[c] = ground;
      assert_true(abs(sheet - sheet_then[c]) <= 3 && abs(ground - floor_then[c]) <= 3);
    }
    stage_close(&s);
  }
}

static void the_floor_ends_in_the_haze_of_the_horizon(void **state) {
  (void)state;
  const uint32_t samples[] = {1, 16};
  for (int k = 0; k < 2; ++k) {
    stage s, empty;
    open_floating_sheet(&s, samples[k]);
    open_floating_sheet(&empty, samples[k]);
    empty.picture.ground = false;
    s.picture.camera = empty.picture.camera =
        (weft_camera){.target = {0, 0.3f, 0}, .pitch = 0.15f, .distance = 5, .fov = 0.7f};
    stage_draw(&s);
    stage_draw(&empty);
    assert_true(floor_at(&s, 0, 1.2f) < floor_at(&empty, 0, 1.2f) - 20);
    assert_true(abs(floor_at(&s, 0, -17.5f) - floor_at(&empty, 0, -17.5f)) <= 2);
    int before = 0; /* towards the horizon it gets no darker, in no step */
    for (float z = -2; z > -30; z *= 1.05f) {
      int here = floor_at(&s, 1.3f, z);
      assert_true(here > before - 6 && (before == 0 || here < before + 12));
      before = here;
    }
    stage_close(&s);
    stage_close(&empty);
  }
}

/* Smooth slopes of the sky are not a step wide anywhere: both bytes on either side are there. */
static void a_smooth_sky_has_no_bands(void **state) {
  (void)state;
  stage s;
  const weft_renderer_desc desc = {.width = 256, .height = 512, .samples = 1};
  stage_open(&s, test_sheet(2, 0.01f, WEFT_PLANE_XY, (weft_vec3){0, -50, 0}), desc);
  s.picture.camera = (weft_camera){.pitch = -0.3f, .distance = 4, .fov = 0.35f};
  stage_draw(&s);
  uint32_t uniform = 0;
  double before = 0;
  for (uint32_t y = 0; y < s.image.height; ++y) {
    const uint8_t *row = s.image.pixels + (size_t)3 * s.image.width * y;
    double sum = 0;
    bool same = true;
    for (uint32_t x = 0; x < 64; ++x) {
      sum += row[3 * (96 + x)] / 64.0;
      same = same && row[3 * (96 + x)] == row[3 * 96];
    }
    uniform += same;
    assert_true(y == 0 || fabs(sum - before) < 0.5); /* rows go on smoothly, between bytes */
    before = sum;
  }
  printf("%u of %u rows are of one byte\n", uniform, s.image.height);
  assert_true(uniform < s.image.height / 10);
  stage_close(&s);
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
    s.picture.look = plain_detection((weft_colour){0.3f, 0.3f, 0.3f}, blue);
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

/* ---- prints ---- */

/* Corners of a quarter each. */
static const uint8_t four[] = {255, 0,   0, 255, 0,   0,   255, 255,
                               0,   255, 0, 255, 255, 255, 255, 0}; /* the last is clear */

static void draw_printed(stage *s, const float *uvs) {
  const weft_texture texture = {2, 2, (uint8_t *)(uintptr_t)four};
  const weft_renderer_desc desc = {
      .width = 200, .height = 200, .samples = 1, .texture = &texture, .corner_uvs = uvs};
  stage_open(s, test_sheet(2, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}), desc);
  s->picture.look = plain_detection((weft_colour){0.3f, 0.3f, 0.3f}, blue);
  stage_draw(s);
}

static bool has_most_of(const stage *s, float x, float y, int channel) {
  double u, v;
  seen_at(s, (weft_vec3){x, y, 0}, &u, &v);
  const uint8_t *p = pixel_at(&s->image, u, v);
  for (int k = 0; k < 3; ++k) {
    if (k != channel && p[channel] < p[k] + 60) return false;
  }
  return true;
}

/* A picture lies the right way up, by the coordinates of a grid. */
static void a_texture_lies_where_its_coordinates_put_it(void **state) {
  (void)state;
  stage s;
  weft_mesh mesh = test_sheet(2, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0});
  float *uvs = weft_grid_uvs(&mesh);
  assert_non_null(uvs);
  draw_printed(&s, uvs);
  assert_true(has_most_of(&s, -0.3f, 0.3f, 0) && has_most_of(&s, 0.3f, 0.3f, 2));
  assert_true(has_most_of(&s, -0.3f, -0.3f, 1));
  assert_false(has_most_of(&s, 0.3f, -0.3f, 0) || has_most_of(&s, 0.3f, -0.3f, 1) ||
               has_most_of(&s, 0.3f, -0.3f, 2));
  stage_close(&s);
  for (size_t c = 0; c < 3 * (size_t)mesh.triangle_count; ++c) { /* a seam: one colour each */
    uvs[2 * c] = c < 3 ? 0.25f : 0.75f;
    uvs[2 * c + 1] = 0.75f;
  }
  draw_printed(&s, uvs);
  weft_vec3 middles[2] = {{0, 0, 0}, {0, 0, 0}};
  for (int c = 0; c < 6; ++c) {
    middles[c / 3] =
        weft_v3_add(middles[c / 3], weft_v3_scale(mesh.positions[mesh.triangles[c]], 1.0f / 3));
  }
  assert_true(has_most_of(&s, middles[0].x, middles[0].y, 0));
  assert_true(has_most_of(&s, middles[1].x, middles[1].y, 2));
  stage_close(&s);
  weft_free(uvs);
  weft_mesh_free(&mesh);
}

/* Stripes of 10 cm, half of them ink, turn over with the way across a sheet. */
static void stripes_are_as_wide_as_they_say(void **state) {
  (void)state;
  stage s;
  open_sheet(&s, 400, 400, 4);
  s.picture.look = plain_detection((weft_colour){0.5f, 0.5f, 0.5f}, blue);
  s.picture.look.print = WEFT_PRINT_STRIPES;
  s.picture.look.ink = (weft_colour){0.05f, 0.05f, 0.05f};
  s.picture.look.repeat = 0.1f;
  s.picture.look.inked = 0.5f;
  stage_draw(&s);
  for (int k = -8; k < 8; ++k) {
    double u, v;
    seen_at(&s, (weft_vec3){0.1f, 0.05f * (float)k + 0.025f, 0}, &u, &v);
    assert_true((grey(pixel_at(&s.image, u, v)) < 110) == (k % 2 == 0));
  }
  stage_close(&s);
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
    s.picture.look = plain_detection(red, blue);
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

/* Of a mesh of a pixel a quad there are no lines, and no moire: cloth is evenly darker. */
static void wires_denser_than_pixels_are_an_even_grey(void **state) {
  (void)state;
  stage s;
  const weft_renderer_desc desc = {.width = 100, .height = 100, .samples = 1};
  stage_open(&s, test_sheet(101, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}), desc);
  s.picture.look = plain_detection((weft_colour){0.3f, 0.3f, 0.3f}, blue);
  double bare, mean, deviation;
  stage_draw(&s);
  grey_of_middle(&s.image, &bare, &deviation);
  s.picture.mode = WEFT_VIEW_WIRE;
  stage_draw(&s);
  grey_of_middle(&s.image, &mean, &deviation);
  assert_true(mean < bare - 5 && mean > 0.5 * bare);
  assert_true(deviation < 2);
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
      cmocka_unit_test(a_sheet_hides_as_much_of_the_sky_as_theory_says),
      cmocka_unit_test(light_does_not_change_with_the_number_of_samples),
      cmocka_unit_test(the_floor_ends_in_the_haze_of_the_horizon),
      cmocka_unit_test(a_smooth_sky_has_no_bands),
      cmocka_unit_test(from_below_the_floor_hides_nothing),
      cmocka_unit_test(yarns_are_seen_from_near_and_far),
      cmocka_unit_test(a_texture_lies_where_its_coordinates_put_it),
      cmocka_unit_test(stripes_are_as_wide_as_they_say),
      cmocka_unit_test(a_ball_just_through_coarse_cloth_is_hidden_by_it),
      cmocka_unit_test(colliders_stand_where_their_keys_put_them),
      cmocka_unit_test(a_capsule_covers_its_projection),
      cmocka_unit_test(a_box_covers_its_projection),
      cmocka_unit_test(odd_sizes_are_drawn),
      cmocka_unit_test(impossible_requests_are_refused_in_a_sentence),
      cmocka_unit_test(wires_darken_the_cloth_and_nothing_else),
      cmocka_unit_test(wires_denser_than_pixels_are_an_even_grey),
      cmocka_unit_test(the_same_picture_twice_has_the_same_bytes),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
