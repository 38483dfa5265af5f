/* A ball comes up below a sheet faster than the sheet can make way: the sheet holds it back, slides
 * off, and nothing of the ball stays behind. With four pushes a substep it stays. */
#include "rig.h"
/* after rig.h */
#include "ball.h"

typedef struct scene {
  weft_mesh ball;
  weft_body body;
  weft_model *model;
  weft_solver *solver;
} scene;

/* A square of 1 m, held by two corners, 0.2 m above a ball of 0.6 m. */
static void open_scene(scene *s, uint32_t side) {
  *s = (scene){.ball = ball(20, 32, 0.3f, weft_v3(0, 0, 0))};
  s->body = (weft_body){.mesh = &s->ball, .friction_static = 0.4f, .friction_dynamic = 0.3f};
  const uint32_t corners[] = {0, side - 1};
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = corners, .list_count = 2};
  s->model = rig_grid_model(
      &(weft_grid_desc){.rows = side,
                        .columns = side,
                        .width = 1,
                        .height = 1,
                        .plane = WEFT_PLANE_XZ,
                        .centre = {0, 0.5f, 0}},
      (weft_model_desc){
          .material = weft_material_find("tablecloth"), .pins = &pin, .pin_count = 1});
  const weft_params params = {
      .bodies = &s->body, .body_count = 1, .substeps = 20, .line_sweeps = 4, .lra = 1};
  s->solver = rig_solver(s->model, &params, weft_backend_cpu(0));
}

static void close_scene(scene *s) {
  weft_solver_destroy(s->solver);
  weft_model_destroy(s->model);
  weft_mesh_free(&s->ball);
}

static void send(scene *s, float up) {
  weft_error err = {0};
  weft_vec3 *to = weft_alloc(s->ball.vertex_count, sizeof *to);
  for (uint32_t i = 0; i < s->ball.vertex_count; ++i) {
    to[i] = weft_v3_add(s->ball.positions[i], weft_v3(0, up, 0));
  }
  assert_int_equal(weft_solver_move_body(s->solver, 0, to, &err), WEFT_OK);
  weft_free(to);
}

static void slides_off(uint32_t side, float speed) {
  enum { FRAMES = 60 };
  const float height = 0.8f;
  scene s;
  open_scene(&s, side);
  weft_error err = {0};
  weft_metrics m = {0};
  uint32_t held = 0, inside = 0;
  double late = 0;
  for (uint32_t frame = 1; frame <= FRAMES; ++frame) {
    send(&s, fminf(height, speed * (float)frame / 60));
    rig_step(s.solver, 1);
    assert_int_equal(weft_solver_metrics(s.solver, &m, &err), WEFT_OK);
    if (m.body_held > held) held = m.body_held;
    if (m.body_inside > inside) inside = m.body_inside;
    late = fmax(late, m.body_held_most);
  }
  print_message(
      "%u x %u at %g m/s: %u vertices held back by %.3g mm, %u particles inside; in the end %u, "
      "%.3g mm, %u\n",
      side, side, (double)speed, held, 1e3 * late, inside, m.body_held, 1e3 * m.body_held_most,
      m.body_inside);
  assert_true(held > 0); /* or there is nothing to see */
  assert_int_equal(m.body_held, 0);
  assert_int_equal(m.body_inside, 0);
  close_scene(&s);
}

static void a_sheet_slides_off_a_fast_ball(void **state) {
  (void)state;
  slides_off(15, 8);
  slides_off(15, 9);
  slides_off(15, 11);
  slides_off(15, 12);
  slides_off(21, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_sheet_slides_off_a_fast_ball)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
