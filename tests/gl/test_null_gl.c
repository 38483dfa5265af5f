/* NULL for every pointer of the public functions that want a GL context; see
 * tests/unit/test_null.c. */
#include <weft_gl/share.h>
#include "gl.h"

#include "refuses.h"
#include "rig_gl.h"

static void what_needs_no_context(void **state) {
  (void)state;
  const weft_backend *backend = (const weft_backend *)&state;
  weft_gl_probe probe;
  REFUSES("gl", weft_gl_create_headless(NULL, NULL, E));
  weft_gl *gl = (weft_gl *)&state;
  REFUSES("load", weft_gl_adopt(NULL, NULL, NULL, &gl, E));
  assert_null(gl);
  REFUSES("gl", weft_gl_adopt(NULL, (weft_gl_loader)abort, NULL, NULL, E));
  assert_int_equal(weft_gl_caller_error(NULL), 0);
  weft_gl_destroy(NULL);
  REFUSES("gl", weft_backend_gl(NULL, &backend, E));
  assert_null(backend);
  REFUSES("gl", weft_gl_run_probe(NULL, &probe, E));
  assert_null(weft_gl_describe(NULL));
  char *devices = weft_gl_list_devices();
  assert_non_null(devices);
  weft_free(devices);
  assert_int_equal(weft_gl_message_count(NULL), 0);
}

static void what_is_shared(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  const weft_gl_view view = {.stride = 12};
  weft_gl_state seen;
  weft_gl_drawing *drawing = NULL;
  weft_gl_readback *readback = NULL;
  weft_gl_vertices vertices;
  uint64_t frame = 0;
  void *sync = NULL;
  weft_solver *solver = (weft_solver *)gl; /* not looked at where another is NULL */
  REFUSES("solver", weft_solver_gl_state(NULL, &seen, E));
  REFUSES("state", weft_solver_gl_state(solver, NULL, E));
  REFUSES("solver", weft_gl_drawing_create(NULL, NULL, &drawing, E));
  REFUSES("drawing", weft_gl_drawing_create(solver, NULL, NULL, E));
  REFUSES("drawing", weft_gl_drawing_update(NULL, &vertices, E));
  weft_gl_drawing_destroy(NULL);
  REFUSES("gl", weft_gl_fence(NULL, &sync, E));
  REFUSES("sync", weft_gl_fence(gl, NULL, E));
  REFUSES("solver", weft_gl_readback_create(NULL, 3, true, &readback, E));
  REFUSES("readback", weft_gl_readback_create(solver, 3, true, NULL, E));
  REFUSES("readback", weft_gl_readback_begin(NULL, E));
  REFUSES("readback", weft_gl_readback_take(NULL, NULL, NULL, &frame, E));
  assert_false(weft_gl_readback_ready(NULL));
  weft_gl_readback_destroy(NULL);
  REFUSES("solver", weft_solver_gl_move_pins(NULL, NULL, &view, E));
  REFUSES("targets", weft_solver_gl_move_pins(solver, NULL, NULL, E));
  REFUSES("solver", weft_solver_gl_move_body(NULL, 0, &view, E));
  REFUSES("positions", weft_solver_gl_move_body(solver, 0, NULL, E));
  weft_gl_destroy(gl);
}

static void what_needs_one(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL); /* all defaults */
  REFUSES("backend", weft_backend_gl(gl, NULL, E));
  REFUSES("probe", weft_gl_run_probe(gl, NULL, E));
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_needs_no_context),
      cmocka_unit_test(what_needs_one),
      cmocka_unit_test(what_is_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
