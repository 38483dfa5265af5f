/* Every shader and permutation compiles on this driver without a message. */
#include "cmocka_all.h"
#include "gl.h"
#include "permutations.h"
#include "rig_gl.h"

static void compile_one(const weft_embedded_file *file, const char *stage, const char *defines) {
  weft_error err = {0};
  char *source = NULL;
  if (weft_gl_shader_source(NULL, file->path, defines, &source, &err)) fail_msg("%s", err.message);
  const GLchar *text = source;
  GLenum type = !strcmp(stage, "vert")   ? GL_VERTEX_SHADER
                : !strcmp(stage, "frag") ? GL_FRAGMENT_SHADER
                                         : GL_COMPUTE_SHADER;
  GLuint program = glCreateShaderProgramv(type, 1, &text);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  char log[2000] = "";
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  if (!linked) fail_msg("%s [%s]: %s", file->path, defines, log);
  glDeleteProgram(program);
  weft_free(source);
}

static void every_shader_and_permutation_compiles(void **state) {
  (void)state;
  uint32_t compiled = 0;
  for (uint32_t i = 0; i < weft_embedded_shader_count; ++i) {
    const weft_embedded_file *file = &weft_embedded_shaders[i];
    const char *stage = shader_stage(file->path);
    char defines[256];
    for (unsigned p = 0; stage && shader_permutation(file->text, p, defines, sizeof defines); ++p) {
      compile_one(file, stage, defines);
      ++compiled;
    }
  }
  print_message("%u programs\n", compiled);
  assert_true(compiled >= weft_embedded_shader_count / 2);
  assert_int_equal(weft_gl_message_count(test_gl), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_shader_and_permutation_compiles)};
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
