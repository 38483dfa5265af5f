/* Marks are where the solver's particles are, at pins and the picked particle only, and looking
 * changes nothing. Where they must be is computed from the definition of the camera. */
#include "cmocka_all.h"
#include "render_internal.h"
#include "render_test.h"
#include "rig.h"

#include <weft_gl/gl.h>

enum { SIDE = 9, MIDDLE = SIDE * SIDE / 2, TOP_RIGHT = SIDE - 1 };

/* A sheet in the XY plane with two corners pinned, on the GPU. */
typedef struct hung {
  stage s;
  weft_model *model;
  weft_solver *solver;
  weft_vec3 *places;
} hung;

static void make_solver(hung *h, const weft_model *model) {
  weft_solver_destroy(h->solver);
  h->solver = rig_solver(model, &(weft_params){0}, rig_backend_on(test_gl));
  assert_true(weft_solver_gl_view(h->solver, WEFT_BUFFER_X, &h->s.picture.positions));
  h->s.picture.solver = h->solver;
}

static hung open_hung(float yaw, float pitch) {
  hung h = {0};
  weft_mesh mesh = test_sheet(SIDE, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0});
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  h.model = rig_preprocess(&(weft_model_desc){.mesh = &mesh, .pins = &pin, .pin_count = 1});
  h.places = weft_alloc(SIDE * SIDE, sizeof *h.places);
  memcpy(h.places, mesh.positions, SIDE * SIDE * sizeof *h.places);
  stage_open(&h.s, mesh,
             (weft_renderer_desc){.width = 400, .height = 320, .samples = 2, .shadow_size = 64});
  h.s.picture.camera.yaw = yaw;
  h.s.picture.camera.pitch = pitch;
  weft_fabric_dye(&h.s.picture.look, (weft_colour){0.02f, 0.1f, 0.02f});
  make_solver(&h, h.model);
  return h;
}

static void close_hung(hung *h) {
  weft_solver_destroy(h->solver);
  weft_model_destroy(h->model);
  weft_free(h->places);
  stage_close(&h->s);
}

static const uint8_t *pixel_of(const hung *h, uint32_t particle) {
  double x, y;
  seen_at(&h->s, h->places[particle], &x, &y);
  return pixel_at(&h->s.image, x, y);
}

static bool is_white(const uint8_t *p) { return p[0] > 240 && p[1] > 240 && p[2] > 240; }
static bool is_ring(const uint8_t *p) {
  return p[0] > 235 && p[1] > 140 && p[1] < 205 && p[2] < 90;
}

/* Pixels of the ring's colour, and their middle. */
static uint32_t find_ring(const hung *h, double *x, double *y) {
  const weft_image *image = &h->s.image;
  uint32_t count = 0;
  *x = *y = 0;
  for (uint32_t k = 0; k < image->width * image->height; ++k) {
    if (!is_ring(image->pixels + 3 * (size_t)k)) continue;
    *x += k % image->width + 0.5;
    *y += k / image->width + 0.5;
    ++count;
  }
  *x /= count;
  *y /= count;
  return count;
}

static void assert_ring_around(const hung *h, uint32_t particle) {
  double x, y, right, up;
  if (find_ring(h, &x, &y) < 20) fail_msg("no ring around particle %u", particle);
  seen_at(&h->s, h->places[particle], &right, &up);
  double off = hypot(x - right * h->s.image.width, y - (1 - up) * h->s.image.height);
  if (off > 0.75) fail_msg("the ring is %.2f pixels beside particle %u", off, particle);
}

static void pins_are_marked_where_the_camera_sees_them_and_nothing_else_is(void **state) {
  (void)state;
  hung h = open_hung(0.5f, 0.3f);
  stage_draw(&h.s);
  assert_false(is_white(pixel_of(&h, 0)));
  h.s.picture.pins = true;
  stage_draw(&h.s);
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) {
    bool pinned = k == 0 || k == TOP_RIGHT;
    if (is_white(pixel_of(&h, k)) != pinned) fail_msg("particle %u, pinned: %d", k, pinned);
  }
  close_hung(&h);
}

static void a_mark_follows_the_solvers_own_positions(void **state) {
  (void)state;
  hung h = open_hung(0, 0);
  weft_error err = {0};
  h.s.picture.pins = h.s.picture.one_particle = true;
  h.s.picture.particle = MIDDLE;
  stage_draw(&h.s);
  assert_ring_around(&h, MIDDLE);
  h.places[0] = weft_v3(-0.2f, 0.6f, 0.1f);
  h.places[MIDDLE] = weft_v3(0.3f, -0.6f, 0.4f);
  if (weft_solver_write(h.solver, h.places, NULL, &err)) fail_msg("%s", err.message);
  stage_draw(&h.s);
  assert_ring_around(&h, MIDDLE);
  assert_true(is_white(pixel_of(&h, 0)));
  close_hung(&h);
}

/* Other pins, another solver, the same renderer. One amid the cloth is not cut by it. */
static void freeing_and_pinning_moves_the_marks(void **state) {
  (void)state;
  hung h = open_hung(0.5f, 0.3f);
  weft_error err = {0};
  weft_model *freed, *pinned = NULL;
  const uint32_t first = 0, middle = MIDDLE;
  h.s.picture.pins = true;
  h.s.picture.radius = 5; /* coarse cloth is drawn well before its place */
  stage_draw(&h.s);
  assert_true(is_white(pixel_of(&h, 0)));
  if (weft_model_with_pins(h.model, &first, 1, false, &freed, &err) ||
      weft_model_with_pins(freed, &middle, 1, true, &pinned, &err)) {
    fail_msg("%s", err.message);
  }
  make_solver(&h, pinned);
  stage_draw(&h.s);
  assert_false(is_white(pixel_of(&h, 0)));
  assert_true(is_white(pixel_of(&h, TOP_RIGHT)));
  assert_true(is_white(pixel_of(&h, MIDDLE)));
  weft_solver_destroy(h.solver);
  h.solver = NULL;
  weft_model_destroy(freed);
  weft_model_destroy(pinned);
  close_hung(&h);
}

/* A ball in front: a pin is covered, the ring shines through. */
static void what_hides_a_pin_dims_the_ring(void **state) {
  (void)state;
  hung h = open_hung(0, 0);
  const weft_collider ball = {
      .shape = WEFT_COLLIDER_SPHERE, .a = {-0.5f, 0.5f, 0.6f}, .radius = 0.3f};
  h.s.picture.colliders = &ball;
  h.s.picture.collider_count = 1;
  stage_draw(&h.s);
  weft_image without = h.s.image;
  h.s.image.pixels = NULL;
  h.s.picture.pins = true;
  stage_draw(&h.s);
  assert_false(is_white(pixel_of(&h, 0)));
  h.s.picture.one_particle = true;
  h.s.picture.particle = 0;
  stage_draw(&h.s);
  double x, y;
  assert_int_equal(find_ring(&h, &x, &y), 0);
  uint32_t changed = 0;
  for (size_t k = 0; k < (size_t)3 * without.width * without.height; k += 3) {
    changed += memcmp(without.pixels + k, h.s.image.pixels + k, 3) != 0;
  }
  assert_in_range(changed, 30, 600); /* and the other corner's mark */
  weft_free(without.pixels);
  close_hung(&h);
}

static void marks_change_no_state_and_make_nothing_new_from_picture_to_picture(void **state) {
  (void)state;
  hung h = open_hung(0, 0);
  uint64_t before = rig_hash(h.solver);
  h.s.picture.pins = h.s.picture.one_particle = true;
  stage_draw(&h.s);
  GLuint name, next;
  glGenBuffers(1, &name);
  for (int k = 0; k < 3; ++k) stage_draw(&h.s);
  glGenBuffers(1, &next);
  assert_int_equal(next, name + 1);
  glDeleteBuffers(1, &name);
  glDeleteBuffers(1, &next);
  assert_true(rig_hash(h.solver) == before);
  close_hung(&h);
}

static void a_particle_that_does_not_exist_is_refused(void **state) {
  (void)state;
  hung h = open_hung(0, 0);
  weft_error err = {0};
  h.s.picture.one_particle = true;
  h.s.picture.particle = SIDE * SIDE;
  assert_int_equal(weft_renderer_draw(h.s.renderer, &h.s.picture, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "there are 0 to 80"));
  close_hung(&h);
}

/* An error of the solver's found while drawing fails the picture, and the solver still knows. */
static void an_error_before_a_picture_fails_both(void **state) {
  (void)state;
  hung h = open_hung(0, 0);
  weft_error err = {0};
  uint64_t hash = 0;
  stage_draw(&h.s);
  glEnable(0xffff);
  assert_int_equal(weft_renderer_draw(h.s.renderer, &h.s.picture, &err), WEFT_ERROR_GL);
  assert_non_null(strstr(err.message, "before a picture"));
  assert_int_equal(weft_solver_hash(h.solver, &hash, &err), WEFT_ERROR_GL);
  stage_draw(&h.s);
  close_hung(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pins_are_marked_where_the_camera_sees_them_and_nothing_else_is),
      cmocka_unit_test(a_mark_follows_the_solvers_own_positions),
      cmocka_unit_test(freeing_and_pinning_moves_the_marks),
      cmocka_unit_test(what_hides_a_pin_dims_the_ring),
      cmocka_unit_test(marks_change_no_state_and_make_nothing_new_from_picture_to_picture),
      cmocka_unit_test(a_particle_that_does_not_exist_is_refused),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
      cmocka_unit_test(an_error_before_a_picture_fails_both), /* the driver complains */
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
