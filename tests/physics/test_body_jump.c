/* A body that is told to jump is named, once. */
#include "rig.h"
/* after rig.h */
#include "ball.h"

enum { BODIES = 2 };

typedef struct scene {
  weft_mesh balls[BODIES];
  weft_body bodies[BODIES];
  weft_model *model;
  weft_solver *solver;
} scene;

static char told[BODIES][300];
static uint32_t told_count;

static void note(weft_log_level level, const char *line, void *user) {
  (void)level;
  (void)user;
  if (told_count < BODIES) snprintf(told[told_count], sizeof told[0], "%s", line);
  told_count++;
}

/* All bodies go to `along` in a frame, m from where they began. */
static void send(scene *s, float along) {
  weft_error err = {0};
  for (uint32_t b = 0; b < BODIES; ++b) {
    const weft_mesh *mesh = &s->balls[b];
    weft_vec3 *to = weft_alloc(mesh->vertex_count, sizeof *to);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      to[i] = weft_v3_add(mesh->positions[i], weft_v3(along, 0, 0));
    }
    assert_int_equal(weft_solver_move_body(s->solver, b, to, &err), WEFT_OK);
    weft_free(to);
  }
  rig_step(s->solver, 1);
}

/* Half of their boxes from corner to corner are 0.26 m and 3.5 m. */
static void open_scene(scene *s) {
  *s = (scene){
      .balls = {ball(14, 22, 0.15f, weft_v3(0, -0.5f, 0)), ball(14, 22, 2, weft_v3(0, -5, 0))}};
  for (int b = 0; b < BODIES; ++b) s->bodies[b].mesh = &s->balls[b];
  char name[] = "giant.obj";
  s->bodies[1].name = name;
  s->model = rig_grid_model(&(weft_grid_desc){.rows = 4, .columns = 4}, (weft_model_desc){0});
  const weft_params params = {.bodies = s->bodies, .body_count = BODIES};
  s->solver = rig_solver(s->model, &params, weft_backend_ref());
  memset(name, 'x', sizeof name - 1); /* solvers copy it */
}

static void close_scene(scene *s) {
  weft_solver_destroy(s->solver);
  weft_model_destroy(s->model);
  for (int b = 0; b < BODIES; ++b) weft_mesh_free(&s->balls[b]);
}

static void a_jump_is_named_once(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  weft_log_set(note, NULL, WEFT_LOG_WARNING);
  send(&s, 0.32f); /* 19 m/s: further than the half of one, but slow */
  send(&s, 0.12f);
  assert_int_equal(told_count, 0);
  send(&s, 0.5f); /* 23 m/s, 0.38 m: not half of the other */
  assert_int_equal(told_count, 1);
  assert_non_null(strstr(told[0], "body 0 jumps: its vertex "));
  assert_non_null(strstr(told[0], " is to go 0.38 m in frame 3, which is 22.8 m/s"));
  send(&s, 2.3f); /* 108 m/s */
  send(&s, 0);
  assert_int_equal(told_count, 2);
  assert_non_null(strstr(told[1], "giant.obj jumps: its vertex "));
  weft_log_set(NULL, NULL, WEFT_LOG_ERROR);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_jump_is_named_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
