/* A machine without libEGL, or with a wrong one, is told so in one sentence. A program of its own,
 * because the library is loaded once per process. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "rig_gl.h"

static void refused_with_library(const char *name) {
  weft_gl *gl = NULL;
  weft_error err = {0};
  setenv("WEFT_EGL_LIBRARY", name, 1);
  assert_int_equal(weft_gl_create_headless(NULL, &gl, &err), WEFT_ERROR_NO_GL);
  unsetenv("WEFT_EGL_LIBRARY");
  assert_null(gl);
  assert_int_equal(err.code, WEFT_ERROR_NO_GL);
  assert_non_null(strstr(err.message, name));
  assert_null(strchr(err.message, '\n'));
}

static void a_missing_library_is_named(void **state) {
  (void)state;
  refused_with_library("libEGL-that-is-not-there.so.1");
}

static void a_library_that_is_no_egl_is_named(void **state) {
  (void)state;
  refused_with_library("libm.so.6");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_missing_library_is_named),
      cmocka_unit_test(a_library_that_is_no_egl_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
