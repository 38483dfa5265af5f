/* Every program compiles on this driver without a message. */
#include "cmocka_all.h"
#include "gl.h"
#include "programs.h"
#include "rig_gl.h"

/* All passes at once need more storage blocks than a driver has. */
static bool is_too_wide(const char *path, const char *defines) {
  return !strcmp(path, "solver/single.comp") && strstr(defines, "WEFT_OF=all");
}

static void compile_one(const char *path, const char *defines, const char *made, void *context) {
  uint32_t *compiled = context;
  if (is_too_wide(path, defines)) return;
  weft_error err = {0};
  char *source = NULL;
  if (weft_gl_shader_source(NULL, path, defines, made, &source, &err)) {
    fail_msg("%s", err.message);
  }
  const GLchar *text = source;
  const char *stage = shader_stage(path);
  GLenum type = !strcmp(stage, "vert")   ? GL_VERTEX_SHADER
                : !strcmp(stage, "frag") ? GL_FRAGMENT_SHADER
                                         : GL_COMPUTE_SHADER;
  GLuint program = glCreateShaderProgramv(type, 1, &text);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  char log[2000] = "";
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  if (!linked) fail_msg("%s [%s]: %s", path, defines, log);
  glDeleteProgram(program);
  weft_free(source);
  ++*compiled;
}

static void every_program_compiles(void **state) {
  (void)state;
  uint32_t compiled = 0;
  visit_programs(compile_one, &compiled);
  print_message("%u programs\n", compiled);
  assert_true(compiled >= 2 * WEFT_PASS_KIND_COUNT);
  assert_int_equal(weft_gl_message_count(test_gl), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_program_compiles)};
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
