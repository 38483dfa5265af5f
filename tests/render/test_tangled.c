/* The view of tangled starts: its triangles are those that another count finds, all pairs by signs
 * of volumes, and they have a colour that nothing else has. */
#include "show.h"

enum { SIDE = 9 };

/* A sheet on end in another, or `apart` above it. */
static weft_model *crossed_sheets(float apart) {
  const weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .width = 0.16f, .height = 0.16f};
  weft_mesh one = rig_grid(&grid), two = {0};
  uint32_t n = one.vertex_count, t = 3 * one.triangle_count;
  two.vertex_count = 2 * n;
  two.triangle_count = 2 * one.triangle_count;
  two.positions = weft_alloc(two.vertex_count, sizeof *two.positions);
  two.triangles = weft_alloc(2 * (size_t)t, sizeof *two.triangles);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 p = one.positions[i];
    two.positions[i] = p;
    two.positions[n + i] = weft_v3(p.x + 0.0031f, 0.0047f, p.y + 0.0537f + apart);
  }
  for (uint32_t k = 0; k < t; ++k) {
    two.triangles[k] = one.triangles[k];
    two.triangles[t + k] = one.triangles[k] + n;
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &two});
  weft_mesh_free(&one);
  weft_free(two.positions);
  weft_free(two.triangles);
  return model;
}

static double volume(const weft_vec3 *x, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  weft_vec3d o = weft_v3d_from(x[a]);
  return weft_v3d_dot(
      weft_v3d_cross(weft_v3d_sub(weft_v3d_from(x[b]), o), weft_v3d_sub(weft_v3d_from(x[c]), o)),
      weft_v3d_sub(weft_v3d_from(x[d]), o));
}

static bool edge_meets(const weft_vec3 *x, uint32_t p, uint32_t q, const uint32_t *t) {
  if (volume(x, t[0], t[1], t[2], p) * volume(x, t[0], t[1], t[2], q) > 0) return false;
  double a = volume(x, p, q, t[0], t[1]), b = volume(x, p, q, t[1], t[2]);
  double c = volume(x, p, q, t[2], t[0]);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool meet(const weft_vec3 *x, const uint32_t *a, const uint32_t *b) {
  for (uint32_t k = 0; k < 3; ++k) {
    if (edge_meets(x, a[k], a[(k + 1) % 3], b) || edge_meets(x, b[k], b[(k + 1) % 3], a))
      return true;
  }
  return false;
}

/* Corners of triangles of one sheet that meet the other. */
static uint32_t mark(const show *s, bool *corner) {
  const uint32_t *t = weft_model_triangles(s->model), half = s->count / 2;
  uint32_t count = weft_model_triangle_count(s->model), found = 0;
  for (uint32_t i = 0; i < count / 2; ++i) {
    for (uint32_t j = count / 2; j < count; ++j) {
      const uint32_t *a = t + 3 * (size_t)i, *b = t + 3 * (size_t)j;
      assert_true(a[0] < half && b[0] >= half);
      if (!meet(s->places, a, b)) continue;
      for (int k = 0; k < 3; ++k) corner[a[k]] = corner[b[k]] = true;
    }
  }
  for (uint32_t i = 0; i < s->count; ++i) found += corner[i];
  return found;
}

/* Pixels in WEFT_RGB_CUT or a darker shade of it: of a red that nothing else comes near. */
static uint32_t loud(const weft_image *image) {
  uint32_t found = 0;
  for (size_t i = 0; i < (size_t)image->width * image->height; ++i) {
    const uint8_t *p = &image->pixels[3 * i];
    found += p[0] > 80 && p[0] > 3 * p[1] && p[0] > 3 * p[2];
  }
  return found;
}

static void corners_are_those_of_triangles_that_meet(void **state) {
  (void)state;
  show s;
  weft_params params = weft_params_default();
  params.self_collision = true;
  open_show(&s, crossed_sheets(0), params, NULL, 0);
  bool *corner = weft_alloc(s.count, sizeof *corner);
  uint32_t found = mark(&s, corner);
  assert_true(found > SIDE && found < s.count / 2);
  s.picture.camera = (weft_camera){.distance = 8, .fov = 0.04f, .yaw = 0.6f, .pitch = 0.5f};
  float *values = values_of(&s, WEFT_VIEW_TANGLED);
  for (uint32_t i = 0; i < s.count; ++i) {
    if (values[2 * i] != (corner[i] ? 1.0f : 0.0f)) fail_msg("particle %u: %g", i, values[2 * i]);
  }
  assert_true(loud(&s.image) > 600);
  weft_free(values);
  weft_free(corner);
  close_show(&s);
}

/* But for the legend. */
static void what_is_free_has_none_of_the_colour(void **state) {
  (void)state;
  show s;
  weft_params params = weft_params_default();
  params.self_collision = true;
  open_show(&s, crossed_sheets(0.2f), params, NULL, 0);
  float *values = values_of(&s, WEFT_VIEW_TANGLED);
  for (uint32_t i = 0; i < s.count; ++i) assert_true(values[2 * i] == 0);
  assert_true(loud(&s.image) < 300);
  weft_free(values);
  close_show(&s);
}

static void without_self_collision_there_is_none(void **state) {
  (void)state;
  show s;
  open_show(&s, crossed_sheets(0), weft_params_default(), NULL, 0);
  float *values = values_of(&s, WEFT_VIEW_TANGLED);
  for (uint32_t i = 0; i < s.count; ++i) assert_true(values[2 * i] == (float)WEFT_NO_VALUE);
  assert_int_equal(loud(&s.image), 0);
  weft_free(values);
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_are_those_of_triangles_that_meet),
      cmocka_unit_test(what_is_free_has_none_of_the_colour),
      cmocka_unit_test(without_self_collision_there_is_none),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
