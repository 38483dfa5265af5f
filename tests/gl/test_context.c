/* Contexts: they come, say what they are, stay silent, go, and fail in one sentence. */
#define _GNU_SOURCE
#include "cmocka_all.h"
#include "gl.h"
#include "rig_gl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static weft_gl *create(weft_gl_desc desc) {
  weft_gl *gl = NULL;
  weft_error err = {0};
  if (weft_gl_create_headless(&desc, &gl, &err)) fail_msg("%s", err.message);
  weft_gl_make_current(gl);
  return gl;
}

static void assert_one_sentence(const char *message) {
  assert_true(strlen(message) > 20);
  assert_null(strchr(message, '\n'));
}

static void a_context_has_core_4_3_and_its_limits(void **state) {
  (void)state;
  weft_gl *gl = create((weft_gl_desc){0});
  GLint major = 0, minor = 0, profile = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  assert_true(major * 10 + minor >= 43);
  assert_true(profile & GL_CONTEXT_CORE_PROFILE_BIT);
  assert_true(gl->limits.max_storage_block >= 1u << 24);
  assert_true(gl->limits.max_storage_blocks >= 8);
  assert_true(gl->limits.max_groups[0] >= 65535);
  assert_true(gl->limits.max_invocations >= 1024);
  assert_true(gl->limits.storage_alignment >= 1 && gl->limits.storage_alignment <= 256);
  assert_int_equal(gl->desc.group_size, 64);
  weft_gl_destroy(gl);
}

static void minimum_limits_are_what_gl_4_3_promises(void **state) {
  (void)state;
  weft_gl *gl = create((weft_gl_desc){.minimum_limits = true});
  assert_int_equal(gl->limits.max_storage_block, 16777216);
  assert_int_equal(gl->limits.max_storage_blocks, 8);
  assert_int_equal(gl->limits.max_storage_bindings, 8);
  assert_int_equal(gl->limits.storage_alignment, 256);
  for (int i = 0; i < 3; ++i) assert_int_equal(gl->limits.max_groups[i], 65535);
  assert_int_equal(gl->limits.max_invocations, 1024);
  assert_int_equal(gl->limits.max_shared_bytes, 32768);
  assert_int_equal(gl->limits.max_uniform_block, 16384);
  assert_int_equal(gl->limits.max_texture_units, 16);
  weft_gl_destroy(gl);
}

static void the_description_names_driver_and_limits(void **state) {
  (void)state;
  weft_gl *gl = create((weft_gl_desc){0});
  char *text = weft_gl_describe(gl);
  assert_non_null(strstr(text, gl->renderer));
  assert_non_null(strstr(text, "storage block: "));
  assert_non_null(strstr(text, "platform: EGL"));
  for (const char *line = text; *line;) { /* every line is "name: value" */
    const char *end = strchr(line, '\n');
    assert_non_null(end);
    assert_non_null(memmem(line, (size_t)(end - line), ": ", 2));
    line = end + 1;
  }
  weft_free(text);
  weft_gl_destroy(gl);
}

static void a_wrong_call_is_counted_and_right_ones_are_not(void **state) {
  (void)state;
  weft_log_set(NULL, NULL, WEFT_LOG_ERROR); /* the message is wanted here */
  weft_gl *gl = create((weft_gl_desc){.debug = true});
  weft_gl_buffer buffer;
  weft_error err = {0};
  assert_int_equal(
      weft_gl_buffer_create(gl, "quiet", 64, 256, GL_DYNAMIC_COPY, NULL, &buffer, &err), WEFT_OK);
  assert_true(weft_gl_buffer_guards_intact(&buffer));
  weft_gl_buffer_destroy(&buffer);
  assert_int_equal(weft_gl_message_count(gl), 0);
  glEnable(0xdead);
  assert_int_equal(weft_gl_message_count(gl), 1);
  assert_int_equal(weft_gl_check("enable", &err), WEFT_ERROR_GL);
  assert_string_equal(err.message,
                      "enable: the driver reports an invalid enumerant (GL error 0x0500)");
  assert_int_equal(weft_gl_check("nothing", &err), WEFT_OK);
  assert_int_equal(gl->faults, 0);
  glEnable(0xdead);
  assert_int_equal(weft_gl_settle(gl, "before", NULL), WEFT_ERROR_GL);
  assert_int_equal(weft_gl_settle(gl, "nothing", NULL), WEFT_OK);
  assert_int_equal(gl->faults, 1);
  assert_int_equal(strncmp(gl->fault.message, "before: ", 8), 0);
  weft_gl_destroy(gl);
  weft_log_set(print_log, NULL, WEFT_LOG_WARNING);
}

static void contexts_live_side_by_side_and_outlive_each_other(void **state) {
  (void)state;
  weft_gl *first = create((weft_gl_desc){.debug = true});
  weft_gl *second = create((weft_gl_desc){.debug = true});
  weft_gl_buffer buffer;
  const uint32_t put = 1234567;
  uint32_t got = 0;
  weft_gl_make_current(first);
  assert_int_equal(weft_gl_buffer_create(first, "kept", 4, 0, GL_STATIC_DRAW, &put, &buffer, NULL),
                   WEFT_OK);
  weft_gl_destroy(second); /* on the same display */
  weft_gl_make_current(first);
  weft_gl_buffer_read(&buffer, 0, 4, &got);
  assert_int_equal(got, put);
  weft_gl_buffer_destroy(&buffer);
  assert_int_equal(weft_gl_message_count(first), 0);
  weft_gl_destroy(first);
}

static void creation_can_be_repeated(void **state) {
  (void)state;
  for (int i = 0; i < 8; ++i) weft_gl_destroy(create((weft_gl_desc){.debug = i % 2 == 0}));
  weft_gl_destroy(NULL);
}

static void an_odd_group_size_is_refused(void **state) {
  (void)state;
  weft_gl *gl = NULL;
  weft_error err = {0};
  assert_int_equal(weft_gl_create_headless(&(weft_gl_desc){.group_size = 48}, &gl, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_null(gl);
  assert_one_sentence(err.message);
}

static void refused_with(const char *value, const char *part) {
  weft_gl *gl = NULL;
  weft_error err = {0};
  const char *set = getenv("WEFT_EGL_DEVICE");
  char *before = set ? weft_strdup(set) : NULL;
  setenv("WEFT_EGL_DEVICE", value, 1);
  assert_int_equal(weft_gl_create_headless(NULL, &gl, &err), WEFT_ERROR_NO_GL);
  unsetenv("WEFT_EGL_DEVICE");
  if (before) setenv("WEFT_EGL_DEVICE", before, 1);
  weft_free(before);
  assert_null(gl);
  assert_one_sentence(err.message);
  if (!strstr(err.message, part)) fail_msg("\"%s\" lacks \"%s\"", err.message, part);
}

static void a_device_that_is_not_there_is_refused_in_one_sentence(void **state) {
  (void)state;
  refused_with("31", "\"31\"");
  refused_with("99", "\"99\"");
  refused_with("fast", "\"fast\"");
}

/* Any word of its name is enough, in capitals or not. */
static void a_device_is_listed_and_chosen_by_its_name(void **state) {
  (void)state;
  weft_gl *gl = create((weft_gl_desc){0});
  char name[256], word[256];
  snprintf(name, sizeof name, "%s", gl->renderer);
  weft_gl_destroy(gl);
  char *list = weft_gl_list_devices();
  assert_non_null(strstr(list, "0: "));
  if (!strstr(list, name)) fail_msg("no \"%s\" in %s", name, list);
  weft_free(list);
  snprintf(word, sizeof word, "%.*s", (int)strcspn(name, " "), name);
  for (char *c = word; *c; ++c) *c = (char)toupper((unsigned char)*c);
  gl = create((weft_gl_desc){.device = word});
  assert_string_equal(gl->renderer, name);
  weft_gl_destroy(gl);
  weft_error err = {0};
  assert_int_equal(weft_gl_create_headless(&(weft_gl_desc){.device = "no such thing"}, &gl, &err),
                   WEFT_ERROR_NO_GL);
  if (!strstr(err.message, name)) fail_msg("\"%s\" lacks \"%s\"", err.message, name);
}

int main(void) {
  rig_open_test_gl(); /* or skips them all */
  weft_gl_destroy(test_gl);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_context_has_core_4_3_and_its_limits),
      cmocka_unit_test(minimum_limits_are_what_gl_4_3_promises),
      cmocka_unit_test(the_description_names_driver_and_limits),
      cmocka_unit_test(a_wrong_call_is_counted_and_right_ones_are_not),
      cmocka_unit_test(contexts_live_side_by_side_and_outlive_each_other),
      cmocka_unit_test(creation_can_be_repeated),
      cmocka_unit_test(an_odd_group_size_is_refused),
      cmocka_unit_test(a_device_that_is_not_there_is_refused_in_one_sentence),
      cmocka_unit_test(a_device_is_listed_and_chosen_by_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
