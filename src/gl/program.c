/* Programs from shader files, with errors as one sentence that names file and line. */
#include <string.h>

#include "base.h"
#include "gl.h"
#include "source.h"

static char *shader_log(GLuint shader) {
  GLint size = 0;
  glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &size);
  char *log = weft_alloc((size_t)(size > 0 ? size : 0) + 1, 1);
  if (size > 0) glGetShaderInfoLog(shader, size, NULL, log);
  return log;
}

static char *program_log(GLuint program) {
  GLint size = 0;
  glGetProgramiv(program, GL_INFO_LOG_LENGTH, &size);
  char *log = weft_alloc((size_t)(size > 0 ? size : 0) + 1, 1);
  if (size > 0) glGetProgramInfoLog(program, size, NULL, log);
  return log;
}

static weft_result compile(GLuint shader, const weft_gl_source *source, const char *defines,
                           weft_error *err) {
  const GLchar *text = source->text;
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return WEFT_OK;
  char *log = shader_log(shader);
  char line[800];
  weft_gl_source_explain(source, log, line, sizeof line);
  weft_log(WEFT_LOG_DEBUG, "%s", log);
  weft_free(log);
  bool any = defines && *defines;
  return weft_fail(err, WEFT_ERROR_GL, "%s%s%.150s%s", line, any ? " [with " : "",
                   any ? defines : "", any ? "]" : "");
}

static weft_result attach(weft_gl *gl, GLuint program, GLenum stage, const char *path,
                          const char *defines, const char *made, weft_error *err) {
  weft_gl_source source;
  weft_result result =
      weft_gl_source_expand(gl->desc.shader_dir, path, defines, made, &source, err);
  if (result) return result;
  GLuint shader = glCreateShader(stage);
  result = compile(shader, &source, defines, err);
  weft_gl_source_free(&source);
  if (!result) glAttachShader(program, shader);
  glDeleteShader(shader); /* lives on while attached */
  return result;
}

static weft_result link(GLuint program, const char *path, weft_error *err) {
  glLinkProgram(program);
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked) return WEFT_OK;
  char *log = program_log(program);
  weft_result result = weft_fail(err, WEFT_ERROR_GL, "shaders/%s: cannot be linked: %.*s", path,
                                 (int)strcspn(log, "\n"), log);
  weft_log(WEFT_LOG_DEBUG, "%s", log);
  weft_free(log);
  return result;
}

typedef struct stage {
  GLenum type;
  const char *path;
} stage;

static weft_result build(weft_gl *gl, const stage *stages, size_t count, const char *defines,
                         const char *made, GLuint *program, weft_error *err) {
  weft_result result = WEFT_OK;
  *program = 0;
  GLuint name = glCreateProgram();
  for (size_t i = 0; i < count && !result; ++i) {
    result = attach(gl, name, stages[i].type, stages[i].path, defines, made, err);
  }
  if (!result) result = link(name, stages[0].path, err);
  if (result) {
    glDeleteProgram(name);
    return result;
  }
  char label[256];
  snprintf(label, sizeof label, "%s%s%s", stages[0].path, defines && *defines ? " " : "",
           defines ? defines : "");
  glObjectLabel(GL_PROGRAM, name, -1, label);
  *program = name;
  return WEFT_OK;
}

weft_result weft_gl_compute_program(weft_gl *gl, const char *path, const char *defines,
                                    const char *made, GLuint *program, weft_error *err) {
  const stage stages[] = {{GL_COMPUTE_SHADER, path}};
  return build(gl, stages, 1, defines, made, program, err);
}

weft_result weft_gl_render_program(weft_gl *gl, const char *vertex_path, const char *fragment_path,
                                   const char *defines, GLuint *program, weft_error *err) {
  const stage stages[] = {{GL_VERTEX_SHADER, vertex_path}, {GL_FRAGMENT_SHADER, fragment_path}};
  return build(gl, stages, 2, defines, NULL, program, err);
}
