/* Buffers: sizes kept, guards that tell, failures seen; timers that tick. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "gl.h"
#include "rig_gl.h"

static weft_gl_buffer make(uint64_t size, uint64_t guard, const void *data) {
  weft_gl_buffer buffer;
  weft_error err = {0};
  if (weft_gl_buffer_create(test_gl, "test", size, guard, GL_DYNAMIC_COPY, data, &buffer, &err)) {
    fail_msg("%s", err.message);
  }
  return buffer;
}

static void contents_come_back_and_start_as_zeros(void **state) {
  (void)state;
  const uint64_t sizes[] = {1, 3, 4, 15, 16, 17, 255, 4096, 100003};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    unsigned char *bytes = weft_alloc((size_t)sizes[i], 1);
    weft_gl_buffer buffer = make(sizes[i], i % 2 ? 256 : 0, NULL);
    memset(bytes, 7, (size_t)sizes[i]);
    weft_gl_buffer_read(&buffer, 0, sizes[i], bytes);
    for (uint64_t k = 0; k < sizes[i]; ++k) assert_int_equal(bytes[k], 0);
    bytes[sizes[i] - 1] = 42;
    weft_gl_buffer_write(&buffer, sizes[i] - 1, 1, bytes + sizes[i] - 1);
    bytes[sizes[i] - 1] = 0;
    weft_gl_buffer_read(&buffer, sizes[i] - 1, 1, bytes + sizes[i] - 1);
    assert_int_equal(bytes[sizes[i] - 1], 42);
    assert_true(weft_gl_buffer_guards_intact(&buffer));
    weft_gl_buffer_destroy(&buffer);
    weft_free(bytes);
  }
}

static void an_empty_buffer_is_still_a_buffer(void **state) {
  (void)state;
  weft_gl_buffer buffer = make(0, 256, NULL);
  assert_int_equal(buffer.size, 0);
  assert_true(glIsBuffer(buffer.name));
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer.name, (GLintptr)buffer.guard, 16);
  assert_int_equal(weft_gl_check("bind", NULL), WEFT_OK);
  assert_true(weft_gl_buffer_guards_intact(&buffer));
  weft_gl_buffer_destroy(&buffer);
}

static void a_guard_is_rounded_up_to_the_storage_alignment(void **state) {
  (void)state;
  uint32_t before = test_gl->limits.storage_alignment;
  test_gl->limits.storage_alignment = 256;
  weft_gl_buffer buffer = make(64, 4, NULL);
  assert_int_equal(buffer.guard, 256);
  weft_gl_buffer_destroy(&buffer);
  test_gl->limits.storage_alignment = before;
}

/* A shader writes one word at `index` of a binding that reaches into both guards. */
static bool intact_after_write(uint64_t size, uint32_t index) {
  static const char *const text =
      "#version 430 core\n"
      "layout(local_size_x = 1) in;\n"
      "layout(location = 0) uniform uint at;\n"
      "layout(std430, binding = 0) buffer Out { uint words[]; };\n"
      "void main() { words[at] = 12345u; }\n";
  GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text);
  weft_gl_buffer buffer = make(size, 256, NULL);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer.name);
  glUseProgram(program);
  glUniform1ui(0, index);
  glDispatchCompute(1, 1, 1);
  bool intact = weft_gl_buffer_guards_intact(&buffer);
  glUseProgram(0);
  glDeleteProgram(program);
  weft_gl_buffer_destroy(&buffer);
  return intact;
}

static void a_shader_that_leaves_its_range_is_caught_on_both_sides(void **state) {
  (void)state;
  const uint32_t front = 256 / 4, words = 25;
  assert_true(intact_after_write(words * 4, front));
  assert_true(intact_after_write(words * 4, front + words - 1));
  assert_false(intact_after_write(words * 4, front - 1));
  assert_false(intact_after_write(words * 4, 0));
  assert_false(intact_after_write(words * 4, front + words));
  assert_false(intact_after_write(words * 4, front + words + front - 1));
  assert_false(intact_after_write(words * 4 - 1, front + words - 1)); /* half a word over */
  assert_false(intact_after_write(0, front));
}

static void guards_read_as_nan(void **state) {
  (void)state;
  weft_gl_buffer buffer = make(16, 256, NULL);
  float word = 0;
  glBindBuffer(GL_COPY_READ_BUFFER, buffer.name);
  glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)(buffer.guard + buffer.size), 4, &word);
  assert_true(word != word);
  weft_gl_buffer_destroy(&buffer);
}

static void memory_that_is_not_there_is_refused_in_one_sentence(void **state) {
  (void)state;
  const uint64_t sizes[] = {UINT64_C(1) << 46, UINT64_C(1) << 60, UINT64_MAX};
  weft_log_set(NULL, NULL, WEFT_LOG_ERROR);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    weft_gl_buffer buffer;
    weft_error err = {0};
    assert_int_equal(
        weft_gl_buffer_create(test_gl, "huge", sizes[i], 0, GL_STATIC_DRAW, NULL, &buffer, &err),
        WEFT_ERROR_LIMIT);
    assert_int_equal(buffer.name, 0);
    assert_non_null(strstr(err.message, "huge"));
    assert_null(strchr(err.message, '\n'));
  }
  assert_int_equal(weft_gl_check("afterwards", NULL), WEFT_OK);
  weft_log_set(print_log, NULL, WEFT_LOG_WARNING);
}

static void a_timer_measures_no_more_than_the_wall_clock(void **state) {
  (void)state;
  weft_gl_timer timer;
  weft_gl_timer_create(&timer);
  weft_gl_buffer buffer = make(16 << 20, 0, NULL);
  glFinish();
  double begin = weft_clock_seconds();
  weft_gl_timer_begin(&timer);
  const uint32_t zero = 0;
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer.name);
  glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  weft_gl_timer_end(&timer);
  glFinish();
  double wall = weft_clock_seconds() - begin;
  double measured = weft_gl_timer_seconds(&timer);
  assert_true(measured > 0);
  assert_true(measured <= wall * 1.01 + 1e-4);
  weft_gl_buffer_destroy(&buffer);
  weft_gl_timer_destroy(&timer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contents_come_back_and_start_as_zeros),
      cmocka_unit_test(an_empty_buffer_is_still_a_buffer),
      cmocka_unit_test(a_guard_is_rounded_up_to_the_storage_alignment),
      cmocka_unit_test(a_shader_that_leaves_its_range_is_caught_on_both_sides),
      cmocka_unit_test(guards_read_as_nan),
      cmocka_unit_test(a_timer_measures_no_more_than_the_wall_clock),
      cmocka_unit_test(memory_that_is_not_there_is_refused_in_one_sentence),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
