/* Pictures for drivers that draw on processors: cheaper, and almost the same. */
#include "cmocka_all.h"
#include "render_internal.h"
#include "render_test.h"

static const weft_collider shapes[] = {
    {.shape = WEFT_COLLIDER_SPHERE, .a = {-0.45f, 0.35f, 0.2f}, .radius = 0.3f},
    {.shape = WEFT_COLLIDER_CAPSULE,
     .a = {0.45f, 0.1f, 0},
     .b = {0.6f, 0.9f, 0.2f},
     .radius = 0.1f}};

/* Cloth over the floor, a ball and a capsule. */
static void open_stage(stage *s, bool quick, uint32_t width, uint32_t height) {
  const weft_renderer_desc desc = {.width = width, .height = height, .samples = 1, .quick = quick};
  stage_open(s, test_sheet(33, 0.8f, WEFT_PLANE_XZ, (weft_vec3){0, 0.8f, 0}), desc);
  s->picture.ground = true;
  s->picture.centre = (weft_vec3){0, 0.4f, 0};
  s->picture.camera = (weft_camera){
      .target = {0, 0.4f, 0}, .yaw = 0.5f, .pitch = 0.45f, .distance = 4, .fov = 0.5f};
  s->picture.colliders = shapes;
  s->picture.collider_count = 2;
}

/* Mean and the worst of a hundred of the differences of two pictures of one size, of 255. */
static void compare(const weft_image *a, const weft_image *b, double *mean, int *p99) {
  uint32_t counts[256] = {0};
  size_t size = (size_t)3 * a->width * a->height, left = size / 100;
  assert_int_equal(a->width, b->width);
  assert_int_equal(a->height, b->height);
  *mean = 0;
  for (size_t i = 0; i < size; ++i) {
    int difference = abs(a->pixels[i] - b->pixels[i]);
    *mean += difference / (double)size;
    counts[difference]++;
  }
  for (*p99 = 255; *p99 > 0 && counts[*p99] <= left; --*p99) left -= counts[*p99];
}

/* Four pixels become their mean. */
static weft_image halved(const weft_image *from) {
  weft_image to = {from->width / 2, from->height / 2, NULL};
  to.pixels = weft_alloc((size_t)to.width * to.height, 3);
  for (size_t y = 0; y < to.height; ++y) {
    for (size_t x = 0; x < (size_t)3 * to.width; ++x) {
      const uint8_t *in = from->pixels + 2 * y * 3 * from->width + 6 * (x / 3) + x % 3;
      size_t row = (size_t)3 * from->width;
      to.pixels[y * 3 * to.width + x] = (uint8_t)((in[0] + in[3] + in[row] + in[row + 3] + 2) / 4);
    }
  }
  return to;
}

static void it_looks_like_the_other(void **state) {
  (void)state;
  const float yaws[] = {0.5f, 2.4f, -1.9f};
  for (int k = 0; k < 3; ++k) {
    stage full, quick;
    open_stage(&full, false, 480, 360);
    open_stage(&quick, true, 480, 360);
    full.picture.camera.yaw = quick.picture.camera.yaw = yaws[k];
    stage_draw(&full);
    stage_draw(&quick);
    double mean;
    int p99;
    compare(&full.image, &quick.image, &mean, &p99);
    printf("yaw %g: mean %.3f, p99 %d\n", (double)yaws[k], mean, p99);
    assert_true(mean > 0 && mean < 2 && p99 <= 24);
    stage_close(&full);
    stage_close(&quick);
  }
}

static void a_smaller_picture_has_the_same_light(void **state) {
  (void)state;
  const bool ways[] = {false, true};
  for (int k = 0; k < 2; ++k) {
    stage s;
    weft_error err = {0};
    open_stage(&s, ways[k], 640, 480);
    stage_draw(&s);
    weft_image fine = halved(&s.image);
    const weft_renderer_desc coarse = {
        .width = 320, .height = 240, .multisamples = 1, .soft_edges = true};
    assert_int_equal(weft_renderer_resize(s.renderer, &coarse, &err), WEFT_OK);
    stage_draw(&s);
    double mean;
    int p99;
    compare(&fine, &s.image, &mean, &p99);
    printf("quick %d: mean %.3f, p99 %d\n", ways[k], mean, p99);
    assert_true(mean < 1 && p99 <= 8);
    weft_free(fine.pixels);
    stage_close(&s);
  }
}

/* A curved sheet of 150 rows, all of them drawn or every second one. */
static void open_waves(stage *s, bool thin) {
  enum { ROWS = 150 };
  const weft_renderer_desc desc = {.width = 320,
                                   .height = 240,
                                   .samples = 1,
                                   .quick = true,
                                   .thin = thin,
                                   .grid_rows = ROWS,
                                   .grid_columns = ROWS};
  weft_mesh mesh = test_sheet(ROWS, 0.8f, WEFT_PLANE_XZ, (weft_vec3){0, 0.6f, 0});
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    mesh.positions[i].y += 0.05f * sinf(9 * mesh.positions[i].x) * cosf(7 * mesh.positions[i].z);
  }
  stage_open(s, mesh, desc);
  s->picture.ground = true;
  s->picture.centre = (weft_vec3){0, 0.4f, 0};
  s->picture.camera = (weft_camera){
      .target = {0, 0.5f, 0}, .yaw = 0.5f, .pitch = 0.45f, .distance = 3, .fov = 0.5f};
}

static void a_fine_grid_looks_the_same_with_a_quarter_of_its_triangles(void **state) {
  (void)state;
  stage all, thin;
  open_waves(&all, false);
  open_waves(&thin, true);
  stage_draw(&all);
  stage_draw(&thin);
  double mean;
  int p99;
  compare(&all.image, &thin.image, &mean, &p99);
  printf("thin: mean %.3f, p99 %d\n", mean, p99);
  assert_true(mean > 0 && mean < 0.05 && p99 <= 2);
  weft_error err = {0};
  const weft_renderer_desc full = {.width = 320, .height = 240};
  assert_int_equal(weft_renderer_resize(thin.renderer, &full, &err), WEFT_OK);
  stage_draw(&thin);
  assert_memory_equal(all.image.pixels, thin.image.pixels, (size_t)3 * 320 * 240);
  stage_close(&all);
  stage_close(&thin);
}

static void a_renderer_resized_to_and_fro_draws_the_same_bytes(void **state) {
  (void)state;
  stage s;
  weft_error err = {0};
  open_stage(&s, true, 320, 240);
  stage_draw(&s);
  weft_image before = s.image;
  s.image = (weft_image){0};
  const weft_renderer_desc sizes[] = {
      {.width = 100, .height = 60, .multisamples = 1, .soft_edges = true},
      {.width = 1u << 20, .height = 10}, /* refused, and nothing is lost */
      {.width = 320, .height = 240}};
  for (int k = 0; k < 3; ++k) {
    weft_result result = weft_renderer_resize(s.renderer, &sizes[k], &err);
    assert_int_equal(result, k == 1 ? WEFT_ERROR_ARGUMENT : WEFT_OK);
    stage_draw(&s);
    if (k < 2) assert_int_equal(s.image.width, 100);
  }
  assert_int_equal(s.image.width, 320);
  assert_memory_equal(before.pixels, s.image.pixels, (size_t)3 * 320 * 240);
  weft_free(before.pixels);
  stage_close(&s);
}

/* Of a slanted edge between two colours a picture has nothing in between, unless it is softened. */
static uint32_t between(bool soft) {
  stage s;
  const weft_renderer_desc desc = {
      .width = 200, .height = 200, .samples = 1, .multisamples = 1, .soft_edges = soft};
  stage_open(&s, test_sheet(2, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}), desc);
  s.picture.look = (weft_fabric_look){.front = {0.8f, 0.02f, 0.02f}, .sheen_roughness = 0.5f};
  s.picture.camera.yaw = 0.7f;
  s.picture.camera.pitch = 0.3f;
  s.picture.sun_set = true;
  s.picture.sun_pitch = 0.3f;
  stage_draw(&s);
  uint32_t count = 0;
  for (uint32_t y = 0; y < 200; ++y) {
    for (uint32_t x = 0; x < 200; ++x) {
      const uint8_t *p = s.image.pixels + 3 * (200 * (size_t)y + x);
      count += p[0] - p[2] > 12 && !is_red(p);
    }
  }
  stage_close(&s);
  return count;
}

static void soft_edges_have_something_in_between(void **state) {
  (void)state;
  assert_int_equal(between(false), 0);
  assert_true(between(true) > 100);
}

static void round_shapes_have_as_many_sides_as_can_be_seen(void **state) {
  (void)state;
  const weft_render_levels levels = {
      .count = 4,
      .level = {{.segments = 128}, {.segments = 64}, {.segments = 24}, {.segments = 8}}};
  weft_render_detail eye = {.pixels = 1000};
  assert_int_equal(weft_detail_level(&levels, &(weft_render_detail){0}, 0.1f, 1), 0);
  uint32_t before = 3;
  for (double pixels = 0.5; pixels < 400; pixels *= 1.1) { /* the sagitta of the sides, by theory */
    uint32_t level = weft_detail_level(&levels, &eye, (float)(pixels * 4 / 1000), 4);
    double segments = levels.level[level].segments;
    assert_true(level <= before);
    assert_true(pixels * (1 - cos(3.14159265 / segments)) < (pixels < 10 ? 0.61 : 0.36));
    before = level;
  }
  assert_int_equal(before, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_looks_like_the_other),
      cmocka_unit_test(a_smaller_picture_has_the_same_light),
      cmocka_unit_test(a_fine_grid_looks_the_same_with_a_quarter_of_its_triangles),
      cmocka_unit_test(a_renderer_resized_to_and_fro_draws_the_same_bytes),
      cmocka_unit_test(soft_edges_have_something_in_between),
      cmocka_unit_test(round_shapes_have_as_many_sides_as_can_be_seen),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
