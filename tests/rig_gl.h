/* rig_gl.h: contexts for tests. Without a usable driver a test is skipped: a group whose every test
 * needs one ends with status 77 and the reason. */
#ifndef WEFT_TESTS_RIG_GL_H
#define WEFT_TESTS_RIG_GL_H

#include "cmocka_all.h"
/* after cmocka */
#include <stdio.h>
#include <stdlib.h>
#include <weft_gl/gl.h>

#include "base.h"
#include "gl.h"

/* ---- a context for one test ---- */

static inline weft_gl *rig_context(const weft_gl_desc *desc) {
  weft_gl *gl = NULL;
  weft_error err = {0};
  if (weft_gl_create_headless(desc, &gl, &err) != WEFT_OK) {
    print_message("no GL: %s\n", err.message);
    skip();
  }
  weft_gl_make_current(gl);
  return gl;
}

static inline const weft_backend *rig_backend_on(weft_gl *gl) {
  const weft_backend *backend = NULL;
  weft_error err = {0};
  if (weft_backend_gl(gl, &backend, &err) != WEFT_OK) fail_msg("%s", err.message);
  return backend;
}

/* ---- one debug context for a whole group ---- */

static weft_gl *test_gl;

static inline void print_log(weft_log_level level, const char *line, void *user) {
  (void)level, (void)user;
  fprintf(stderr, "%s\n", line);
}

static inline void rig_open_test_gl(void) {
  weft_error err = {0};
  weft_log_set(print_log, NULL, WEFT_LOG_WARNING);
  if (weft_gl_create_headless(&(weft_gl_desc){.debug = true}, &test_gl, &err) == WEFT_OK) {
    weft_gl_make_current(test_gl);
    return;
  }
  fprintf(stderr, "skipped: %s\n", err.message);
  exit(77);
}

/* cmocka_run_group_tests with test_gl. */
#define RIG_RUN_ON_GL(tests, setup, teardown) \
  (rig_open_test_gl(), rig_close_test_gl(cmocka_run_group_tests(tests, setup, teardown)))

static inline int rig_close_test_gl(int failed) {
  weft_gl_destroy(test_gl);
  return failed;
}

/* For the end of such a group. */
static inline void the_driver_had_nothing_to_complain_about(void **state) {
  (void)state;
  assert_int_equal(weft_gl_message_count(test_gl), 0);
}

#endif
