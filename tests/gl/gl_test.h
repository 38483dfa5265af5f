/* What the tests of the GL room share: one debug context, or exit status 77 with the reason. */
#ifndef WEFT_TESTS_GL_TEST_H
#define WEFT_TESTS_GL_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include "base.h"
#include "gl.h"

static inline void print_log(weft_log_level level, const char *line, void *user) {
  (void)level, (void)user;
  fprintf(stderr, "%s\n", line);
}

static inline weft_gl *open_test_gl(void) {
  weft_log_set(print_log, NULL, WEFT_LOG_WARNING);
  weft_gl *gl = NULL;
  weft_error err = {0};
  if (weft_gl_create_headless(&(weft_gl_desc){.debug = true}, &gl, &err)) {
    fprintf(stderr, "skipped: %s\n", err.message);
    exit(77);
  }
  return gl;
}

#endif
