/* Memory that runs out in functions of OpenGL: see unit/test_out_of_memory.c. Buffers and programs
 * of a solver that was not made or is lost go with it; programs of the context stay. */
#include "failing_memory.h"
#include "gl.h"
#include "rig.h"
#include "rig_gl.h"

static weft_result run_context(void *context, weft_error *err) {
  weft_gl *gl = context;
  const weft_result result = weft_gl_create_headless(NULL, &gl, err);
  assert_true((gl != NULL) == (result == WEFT_OK));
  weft_gl_destroy(gl);
  return result;
}

static weft_result run_describe(void *context, weft_error *err) {
  char *text = weft_gl_describe(context);
  const weft_result result = said(text != NULL, err);
  weft_free(text);
  return result;
}

static weft_result run_list(void *context, weft_error *err) {
  (void)context;
  char *text = weft_gl_list_devices();
  const weft_result result = said(text != NULL, err);
  weft_free(text);
  return result;
}

static void contexts_are_made_or_not(void **state) {
  (void)state;
  sweep(&(trial){"context", run_context, state});
  sweep(&(trial){"list devices", run_list, NULL});
  weft_gl *gl = NULL;
  assert_int_equal(weft_gl_create_headless(NULL, &gl, NULL), WEFT_OK);
  sweep(&(trial){"describe", run_describe, gl});
  weft_gl_destroy(gl);
}

/* ---- solvers ---- */

typedef struct setting {
  weft_gl *gl;
  weft_model *model;
  weft_params params;
  bool steps;
} setting;

/* Objects of the context. */
static int count_objects(void) {
  int count = 0;
  for (GLuint name = 1; name < 4000; ++name) {
    count += (glIsBuffer(name) != 0) + (glIsTexture(name) != 0) + (glIsShader(name) != 0);
  }
  return count;
}

static weft_result create(const setting *s, weft_solver **solver, weft_error *err) {
  const weft_backend *backend;
  weft_result result = weft_backend_gl(s->gl, &backend, err);
  return result == WEFT_OK ? weft_solver_create(s->model, &s->params, backend, solver, err)
                           : result;
}

static weft_result use(const setting *s, weft_error *err) {
  const long number = failing_memory.fails;
  if (s->steps) failing_arm(0);
  weft_solver *solver = NULL;
  weft_result result = create(s, &solver, err);
  if (s->steps) failing_arm(number);
  for (int frame = 0; s->steps && frame < 2 && result == WEFT_OK; ++frame) {
    result = weft_solver_step(solver, err);
  }
  const weft_ray ray = {.origin = {0, 0, 2}, .direction = {0, 0, -1}};
  weft_hit hit;
  if (s->steps && result == WEFT_OK) result = weft_solver_pick(solver, &ray, &hit, err);
  weft_solver_destroy(solver);
  return result;
}

/* The programs of a context are made once, so each attempt has another. */
static weft_result run(void *context, weft_error *err) {
  setting s = *(setting *)context;
  const long number = failing_memory.fails;
  failing_arm(0);
  assert_int_equal(weft_gl_create_headless(NULL, &s.gl, NULL), WEFT_OK);
  const weft_backend *backend;
  if (s.steps) assert_int_equal(weft_backend_gl(s.gl, &backend, NULL), WEFT_OK);
  failing_arm(number);
  const weft_result result = use(&s, err);
  const bool failed = failing_memory.has_failed;
  failing_arm(0);
  assert_int_equal(use(&s, NULL), WEFT_OK); /* the context goes on */
  failing_memory.has_failed = failed;
  weft_gl_destroy(s.gl);
  return result;
}

/* In one context, whose objects are counted. */
static weft_result run_counted(void *context, weft_error *err) {
  const setting *s = context;
  weft_gl_make_current(s->gl); /* for the counting */
  const int objects = count_objects();
  const weft_result result = use(s, err);
  if (count_objects() != objects) {
    fail_msg("allocation %ld: %d objects are left", failing_memory.fails,
             count_objects() - objects);
  }
  return result;
}

static void solvers_are_made_or_nothing_is(void **state) {
  (void)state;
  const weft_grid_desc grid = {.rows = 6, .columns = 6};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  setting s = {.model = model,
               .params = {.plain = true, .substeps = 2, .schedule = WEFT_SCHEDULE_COLOURS}};
  sweep(&(trial){"backend and solver", run, &s});
  s.params.self_collision = true;
  s.params.self_room = 1;
  assert_int_equal(weft_gl_create_headless(NULL, &s.gl, NULL), WEFT_OK);
  assert_int_equal(use(&s, NULL), WEFT_OK); /* its programs, and what the model keeps */
  sweep(&(trial){"solver", run_counted, &s});
  s.steps = true;
  assert_int_equal(use(&s, NULL), WEFT_OK);
  sweep(&(trial){"steps", run_counted, &s});
  weft_gl_destroy(s.gl);
  weft_model_destroy(model);
}

int main(void) {
  rig_open_test_gl(); /* or skips them all */
  rig_close_test_gl(0);
  const struct CMUnitTest tests[] = {
      failing_test(contexts_are_made_or_not),
      failing_test(solvers_are_made_or_nothing_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
