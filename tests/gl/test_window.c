/* Windows: a sentence where there is none to be had, a 4.3 context where there is a display. CTest
 * runs this under Xvfb as well, where it is installed. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "gl.h"
#include "rig_gl.h"
#include "window.h"

static void refused(const char *part) {
  weft_gl *gl = NULL;
  weft_error err = {0};
  assert_int_equal(weft_gl_create_window(NULL, 64, 48, "test", &gl, &err), WEFT_ERROR_NO_GL);
  assert_null(gl);
  assert_null(strchr(err.message, '\n'));
  if (!strstr(err.message, part)) fail_msg("\"%s\" lacks \"%s\"", err.message, part);
}

/* First, since the library is loaded once per process. */
static void a_missing_glfw_is_named(void **state) {
  (void)state;
  setenv("WEFT_GLFW_LIBRARY", "libglfw-that-is-not-there.so.3", 1);
  refused("libglfw");
  unsetenv("WEFT_GLFW_LIBRARY");
}

static void a_window_without_pixels_is_refused(void **state) {
  (void)state;
  weft_gl *gl = NULL;
  assert_int_equal(weft_gl_create_window(NULL, 0, 48, "test", &gl, NULL), WEFT_ERROR_ARGUMENT);
}

static void a_missing_display_is_refused_in_one_sentence(void **state) {
  (void)state;
  if (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")) {
    print_message("there is a display\n");
    skip();
  }
  refused("no window");
}

static void a_window_draws_and_closes(void **state) {
  (void)state;
  weft_gl *gl = NULL;
  weft_error err = {0};
  if (!getenv("DISPLAY") ||
      weft_gl_create_window(&(weft_gl_desc){.debug = true}, 64, 48, "test", &gl, &err)) {
    print_message("no window: %s\n", err.message);
    skip();
  }
  int w = 0, h = 0;
  weft_gl_window_listen(gl, NULL);
  weft_gl_window_size(gl, &w, &h);
  assert_true(w >= 64 && h >= 48);
  assert_false(weft_gl_window_should_close(gl));
  for (int i = 0; i < 3; ++i) {
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    unsigned char pixel[4] = {0};
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    assert_in_range(pixel[1], 126, 129);
    weft_gl_window_swap(gl);
    weft_gl_window_poll(gl);
  }
  weft_gl_window_close(gl);
  assert_true(weft_gl_window_should_close(gl));
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_gl_destroy(gl);
}

/* What GLX has made current is that again, and the window draws. */
static void a_headless_context_beside_a_window_gives_it_back(void **state) {
  (void)state;
  weft_gl *window = NULL, *gl = NULL;
  const weft_backend *backend = NULL;
  weft_error err = {0};
  void *(*current)(void) = NULL;
  if (!getenv("DISPLAY") || weft_gl_create_window(NULL, 64, 48, "test", &window, &err)) skip();
  void *library = dlopen("libGLX.so.0", RTLD_LAZY | RTLD_NOLOAD);
  void *symbol = library ? dlsym(library, "glXGetCurrentContext") : NULL;
  if (!symbol) skip();
  memcpy(&current, &symbol, sizeof symbol);
  void *before = current();
  assert_non_null(before);
  if (weft_gl_create_headless(NULL, &gl, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_ptr_equal(current(), before);
  if (weft_backend_gl(gl, &backend, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_ptr_equal(current(), before);
  weft_gl_probe probe;
  assert_int_equal(weft_gl_run_probe(gl, &probe, &err), WEFT_OK);
  assert_true(probe.exact);
  weft_gl_destroy(gl);
  assert_ptr_equal(current(), before);
  unsigned char pixel[4] = {0};
  glClearColor(0, 1, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  assert_int_equal(pixel[1], 255);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  weft_gl_destroy(window);
}

int main(void) {
  weft_log_set(print_log, NULL, WEFT_LOG_WARNING);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_missing_glfw_is_named),
      cmocka_unit_test(a_window_without_pixels_is_refused),
      cmocka_unit_test(a_missing_display_is_refused_in_one_sentence),
      cmocka_unit_test(a_window_draws_and_closes),
      cmocka_unit_test(a_headless_context_beside_a_window_gives_it_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
