/* Programs are made for the passes that a solver has, each once, when it is made: all compilers and
 * linkers are begun before one of them is asked how it went. */
#include "../physics/rig.h"
/* after rig.h */
#include <string.h>

#include "../rig_scene.h"
#include "gl.h"
#include "solver_gl.h"

/* ---- what reaches the driver ---- */

static struct {
  PFNGLLINKPROGRAMPROC link;
  PFNGLGETPROGRAMIVPROC get_program;
  PFNGLGETSHADERIVPROC get_shader;
  PFNGLSHADERSOURCEPROC source;
  uint32_t linked, asked;
  uint32_t linked_after_asking;
  const char *broken; /* programs whose text has this do not compile; NULL: none */
} spy;

static void GLAD_API_PTR spy_link(GLuint program) {
  spy.linked++;
  spy.linked_after_asking += spy.asked > 0;
  spy.link(program);
}
static void GLAD_API_PTR spy_get_program(GLuint program, GLenum name, GLint *value) {
  spy.asked++;
  spy.get_program(program, name, value);
}
static void GLAD_API_PTR spy_get_shader(GLuint shader, GLenum name, GLint *value) {
  spy.asked++;
  spy.get_shader(shader, name, value);
}
static void GLAD_API_PTR spy_source(GLuint shader, GLsizei count, const GLchar *const *text,
                                    const GLint *lengths) {
  bool broken = spy.broken && strstr(text[0], spy.broken);
  const GLchar *parts[] = {text[0], "\nnonsense\n"};
  if (broken) spy.source(shader, 2, parts, NULL);
  if (!broken) spy.source(shader, count, text, lengths);
}

static void spy_begin(const char *broken) {
  memset(&spy, 0, sizeof spy);
  spy.broken = broken;
  spy.link = glad_glLinkProgram;
  spy.get_program = glad_glGetProgramiv;
  spy.get_shader = glad_glGetShaderiv;
  spy.source = glad_glShaderSource;
  glad_glLinkProgram = spy_link;
  glad_glGetProgramiv = spy_get_program;
  glad_glGetShaderiv = spy_get_shader;
  glad_glShaderSource = spy_source;
}
static void spy_end(void) {
  glad_glLinkProgram = spy.link;
  glad_glGetProgramiv = spy.get_program;
  glad_glGetShaderiv = spy.get_shader;
  glad_glShaderSource = spy.source;
}

static uint32_t distinct_passes(const weft_solver *solver) {
  bool seen[WEFT_PASS_KIND_COUNT][WEFT_VARIANT_COUNT] = {{false}};
  uint32_t count = 0;
  for (size_t k = 0; k < solver->passes.count; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (pass->count > 0 && !seen[pass->kind][pass->variant]) ++count;
    if (pass->count > 0) seen[pass->kind][pass->variant] = true;
  }
  return count;
}

/* ---- how many ---- */

/* Of which stop.comp and the small levels of the tree are no passes. */
enum { PROGRAMS_OF_QUIET = 2 };

static void expect_programs(const char *name, weft_schedule schedule, bool self, uint32_t beside) {
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  const weft_backend *backend = rig_backend_on(gl);
  assert_int_equal(weft_solver_gl_counts(gl).programs_created, 0);
  weft_scene_instance scene = rig_scene(name, 16);
  scene.params.schedule = schedule;
  scene.params.self_collision = self;
  spy_begin(NULL);
  weft_solver *solver = rig_solver(scene.model, &scene.params, backend);
  spy_end();
  bool single = schedule == WEFT_SCHEDULE_SINGLE;
  uint32_t expected = single ? 1 : distinct_passes(solver) + beside;
  assert_int_equal(spy.linked, expected);
  assert_int_equal(weft_solver_gl_counts(gl).programs_created, expected);
  assert_true(spy.asked >= expected);
  assert_int_equal(spy.linked_after_asking, 0);
  spy_begin(NULL);
  rig_scene_step(&scene, solver, 2);
  weft_solver *again = rig_solver(scene.model, &scene.params, backend);
  rig_scene_step(&scene, again, 1);
  spy_end();
  assert_int_equal(spy.linked, 0);
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_solver_destroy(again);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  weft_gl_destroy(gl);
}

static void a_solver_has_the_programs_of_its_passes_and_no_others(void **state) {
  (void)state;
  expect_programs("hanging", WEFT_SCHEDULE_COLOURS, false, 0);
  expect_programs("hanging", WEFT_SCHEDULE_SINGLE, false, 0);
  expect_programs("hanging", WEFT_SCHEDULE_PATCHES, false, 0);
  expect_programs("drape", WEFT_SCHEDULE_COLOURS, false, 0);
  expect_programs("drape", WEFT_SCHEDULE_COLOURS, true, PROGRAMS_OF_QUIET);
  expect_programs("sand", WEFT_SCHEDULE_COLOURS, false, 0);
}

static void what_is_not_in_the_list_is_made_when_it_is_run(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_scene_instance scene = rig_scene("hanging", 16);
  weft_solver *solver = rig_solver(scene.model, &scene.params, rig_backend_on(gl));
  const weft_ray ray = {.origin = {0, 1.0f, 5}, .direction = {0, 0, -1}};
  weft_hit hit;
  spy_begin(NULL);
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(weft_solver_pick(solver, &ray, &hit, NULL), WEFT_OK);
  }
  spy_end();
  assert_int_equal(spy.linked, 2);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  weft_gl_destroy(gl);
}

/* ---- errors ---- */

static void a_program_that_fails_is_named_when_the_solver_is_made(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_scene_instance scene = rig_scene("hanging", 16);
  scene.params.schedule = WEFT_SCHEDULE_COLOURS;
  const weft_backend *backend = rig_backend_on(gl);
  weft_solver *solver = NULL;
  weft_error err = {0};
  spy_begin("pass_update_velocity");
  assert_int_equal(weft_solver_create(scene.model, &scene.params, backend, &solver, &err),
                   WEFT_ERROR_GL);
  assert_null(solver);
  assert_non_null(strstr(err.message, "WEFT_PASS=update_velocity"));
  spy_end();
  /* What failed is not remembered; what did not is. */
  spy_begin(NULL);
  solver = rig_solver(scene.model, &scene.params, backend);
  spy_end();
  assert_int_equal(spy.linked, 1);
  /* Outside of the list: as soon as anything is read. */
  const weft_ray ray = {.origin = {0, 1.0f, 5}, .direction = {0, 0, -1}};
  weft_hit hit;
  spy_begin("pass_pick_best");
  assert_int_equal(weft_solver_pick(solver, &ray, &hit, &err), WEFT_ERROR_GL);
  spy_end();
  assert_non_null(strstr(err.message, "WEFT_PASS=pick_best"));
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_solver_has_the_programs_of_its_passes_and_no_others),
      cmocka_unit_test(what_is_not_in_the_list_is_made_when_it_is_run),
      cmocka_unit_test(a_program_that_fails_is_named_when_the_solver_is_made),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
