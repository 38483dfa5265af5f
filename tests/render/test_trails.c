/* A trail is what was read back, goes through it in its colour and fades; a ghost covers what
 * geometry says, lets the solid one shine through, and is explained by a legend. */
#include "cmocka_all.h"
/* after cmocka */
#include "render_test.h"
#include "rig_scene.h"
#include "solver_gl.h"

/* ---- recording ---- */

static void a_trail_is_the_positions_that_were_read_back(void **state) {
  (void)state;
  enum { POINTS = 12, FRAMES = 40, TRAILS = 3 };
  static const uint32_t particles[TRAILS] = {3, 7, 5};
  weft_error err = {0};
  weft_scene_instance scene = rig_scene("pendulum", 0);
  weft_solver *solver = rig_solver(scene.model, &scene.params, rig_backend_on(test_gl));
  weft_trail rows[TRAILS];
  for (int t = 0; t < TRAILS; ++t) rows[t] = (weft_trail){particles[t], 0.01f, 0xcc0000, 0};
  weft_trails *trails = NULL;
  if (weft_trails_create(test_gl, rows, TRAILS, POINTS, &trails, &err)) fail_msg("%s", err.message);
  uint32_t n = weft_model_particle_count(scene.model);
  weft_vec3 *read = weft_alloc((size_t)n * FRAMES, sizeof *read), kept[POINTS];
  for (uint32_t f = 0; f < FRAMES; ++f) {
    weft_gl_view view;
    assert_int_equal(weft_scene_step(&scene, solver, &err), WEFT_OK);
    assert_true(weft_solver_gl_view(solver, WEFT_BUFFER_X, &view));
    weft_trails_record(trails, &view, weft_v3(0, 0, 0));
    assert_int_equal(weft_solver_read(solver, read + (size_t)f * n, NULL, &err), WEFT_OK);
    uint32_t known = f + 1 < POINTS ? f + 1 : POINTS;
    for (uint32_t t = 0; t < TRAILS; ++t) {
      assert_int_equal(weft_trails_read(trails, t, kept), known);
      for (uint32_t k = 0; k < known; ++k) {
        const weft_vec3 *was = &read[(size_t)(f + 1 - known + k) * n + particles[t]];
        assert_memory_equal(&kept[k], was, sizeof kept[k]);
      }
    }
  }
  assert_true(read[particles[0]].x != read[(size_t)(FRAMES - 1) * n + particles[0]].x);
  weft_trails_forget(trails);
  assert_int_equal(weft_trails_read(trails, 0, kept), 0);
  weft_free(read);
  weft_trails_destroy(trails);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* ---- pictures ---- */

static bool is_reddish(const uint8_t *p) { return p[0] > p[1] + 12 && p[0] > p[2] + 12; }

static void open_stage(stage *s, const weft_vec3 *places, uint32_t count,
                       const weft_strand *strands, uint32_t strand_count) {
  stage_open(s, test_particles(places, count),
             (weft_renderer_desc){.width = 300,
                                  .height = 300,
                                  .samples = 1,
                                  .strands = strands,
                                  .strand_count = strand_count});
  s->picture.camera = (weft_camera){.distance = 40, .fov = 0.05f};
  s->picture.sun_set = true;
}

static weft_vec3 on_a_curve(int k) {
  double angle = 0.12 * k;
  return (weft_vec3){(float)(0.8 * cos(angle)), (float)(0.8 * sin(angle)), 0};
}

static const uint8_t *seen(const stage *s, weft_vec3 p) {
  double u, v;
  seen_at(s, p, &u, &v);
  return pixel_at(&s->image, u, v);
}

static int redness(const uint8_t *p) { return p[0] - (p[1] + p[2]) / 2; }

/* The newest 16 of 22 places on an arc. */
static void it_is_drawn_through_them_and_fades(void **state) {
  (void)state;
  enum { POINTS = 16, PLACES = 22 };
  const weft_vec3 place = on_a_curve(0);
  stage s;
  open_stage(&s, &place, 1, NULL, 0);
  weft_trails *trails = NULL;
  weft_error err = {0};
  const weft_trail row = {0, 0.02f, 0xcc0000, 0};
  if (weft_trails_create(test_gl, &row, 1, POINTS, &trails, &err)) fail_msg("%s", err.message);
  s.picture.trails = trails;
  for (int k = 0; k < PLACES; ++k) {
    weft_vec3 p = on_a_curve(k);
    const vec4 at = {p.x, p.y, p.z, 1};
    weft_gl_buffer_write(&s.positions, 0, sizeof at, &at);
    weft_trails_record(trails, &s.picture.positions, s.picture.origin);
    if (k > 0) continue;
    stage_draw(&s);
    assert_false(is_reddish(seen(&s, p))); /* one place is no way */
  }
  stage_draw(&s);
  int newest = redness(seen(&s, on_a_curve(PLACES - 2)));
  int middle = redness(seen(&s, on_a_curve(PLACES - 10)));
  int oldest = redness(seen(&s, on_a_curve(PLACES - POINTS + 1)));
  if (!(newest > 90 && middle > oldest + 10 && newest > middle + 10)) {
    fail_msg("redness from new to old: %d, %d, %d", newest, middle, oldest);
  }
  for (int k = 2 * (PLACES - POINTS + 4); k < 2 * PLACES - 2; ++k) { /* between them too */
    double angle = 0.06 * k;
    weft_vec3 p = {(float)(0.8 * cos(angle)), (float)(0.8 * sin(angle)), 0};
    if (!is_reddish(seen(&s, p))) fail_msg("no trail at place %g", k / 2.0);
    weft_vec3 beside = {p.x * 1.08f, p.y * 1.08f, 0}; /* 6 cm outside of 2 */
    if (is_reddish(seen(&s, beside))) fail_msg("a trail beside place %g", k / 2.0);
  }
  for (int k = 0; k < PLACES - POINTS; ++k) assert_false(is_reddish(seen(&s, on_a_curve(k))));
  weft_trails_forget(trails);
  stage_draw(&s);
  assert_false(is_reddish(seen(&s, on_a_curve(PLACES - 2))));
  weft_trails_destroy(trails);
  stage_close(&s);
}

static uint32_t differing(const weft_image *a, const weft_image *b) {
  uint32_t count = 0;
  for (size_t i = 0; i < (size_t)a->width * a->height; ++i) {
    const uint8_t *p = a->pixels + 3 * i, *q = b->pixels + 3 * i;
    count += abs(p[0] - q[0]) > 3 || abs(p[1] - q[1]) > 3 || abs(p[2] - q[2]) > 3;
  }
  return count;
}

static void a_ghost_covers_its_discs_and_the_solid_shines_through(void **state) {
  (void)state;
  const weft_vec3 places[] = {{-0.5f, 0.3f, 0}, {0.4f, 0.2f, 0}};
  const weft_strand strands[] = {{0, 0, 0.1f, 0xcc0000}, {1, 1, 0.12f, 0xcc0000}};
  stage s;
  open_stage(&s, places, 2, strands, 2);
  stage_draw(&s);
  weft_image without = s.image;
  s.image.pixels = NULL;
  weft_ghost *ghost = NULL;
  weft_error err = {0};
  const weft_renderer_desc desc = {.particle_count = 2, .strands = strands, .strand_count = 2};
  if (weft_ghost_create(test_gl, &desc, &ghost, &err)) fail_msg("%s", err.message);
  const weft_vec3 elsewhere[] = {{-0.5f, 0.3f, 0}, {0.4f, -0.4f, 0}};
  weft_ghost_place(ghost, elsewhere);
  s.picture.ghost = ghost;
  s.picture.ghost_distance = 0.6;
  s.picture.no_legend = true;
  stage_draw(&s);
  double pixel = 2 * 40 * tan(0.025) / 300, area = pixel * pixel;
  double discs = 3.14159 * 1.3 * 1.3 * (0.1 * 0.1 + 0.12 * 0.12);
  double covered = differing(&s.image, &without) * area;
  if (fabs(covered / discs - 1) > 0.05) fail_msg("%.4g m2 instead of %.4g", covered, discs);
  assert_true(is_reddish(seen(&s, places[0]))); /* through the clear one around it */
  assert_false(is_reddish(seen(&s, elsewhere[1])));
  double u, v;
  seen_at(&s, elsewhere[1], &u, &v);
  assert_true(grey(pixel_at(&s.image, u, v)) < grey(pixel_at(&without, u, v)) - 10);
  s.picture.no_legend = false;
  weft_free(without.pixels);
  without = s.image;
  s.image.pixels = NULL;
  stage_draw(&s);
  uint32_t panel = differing(&s.image, &without);
  assert_in_range(panel, 3000, 300 * 300 / 2); /* in the lower left corner */
  assert_true(grey(pixel_at(&s.image, 0.04, 0.04)) < 90);
  weft_free(without.pixels);
  weft_ghost_destroy(ghost);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trail_is_the_positions_that_were_read_back),
      cmocka_unit_test(it_is_drawn_through_them_and_fades),
      cmocka_unit_test(a_ghost_covers_its_discs_and_the_solid_shines_through),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
