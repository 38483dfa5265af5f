/* NULL for every pointer of the public functions that want a GL context; see
 * tests/unit/test_null.c. */
#include "gl.h"
#include "refuses.h"
#include "rig_gl.h"

static void what_needs_no_context(void **state) {
  (void)state;
  const weft_backend *backend = (const weft_backend *)&state;
  weft_gl_probe probe;
  REFUSES("gl", weft_gl_create_headless(NULL, NULL, E));
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
