/* Programs from shader files, with errors as one sentence that names file and line. */
#include <string.h>

#include "base.h"
#include "gl.h"
#include "source.h"

/* Of a driver's log: its beginning is enough, and takes no memory that may not be there. */
enum { LONGEST_LOG = 8192 };

typedef struct stage {
  GLenum type;
  const char *path;
} stage;

enum { MOST_STAGES = 2 };

struct weft_gl_making {
  GLuint program, shaders[MOST_STAGES];
  weft_gl_source sources[MOST_STAGES];
  uint32_t count;
  char *path, *defines; /* of the first; "" where there are none */
};

static weft_result add_stage(weft_gl *gl, weft_gl_making *m, const stage *s, const char *made,
                             weft_error *err) {
  weft_gl_source *source = &m->sources[m->count];
  weft_result result =
      weft_gl_source_expand(gl->desc.shader_dir, s->path, m->defines, made, source, err);
  if (result != WEFT_OK) return result;
  const GLchar *text = source->text;
  GLuint shader = m->shaders[m->count++] = glCreateShader(s->type);
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glAttachShader(m->program, shader);
  return WEFT_OK;
}

static weft_result judge_shader(const weft_gl_making *m, uint32_t k, weft_error *err) {
  GLint compiled = GL_FALSE;
  glGetShaderiv(m->shaders[k], GL_COMPILE_STATUS, &compiled);
  if (compiled) return WEFT_OK;
  char log[LONGEST_LOG] = "", line[800];
  glGetShaderInfoLog(m->shaders[k], sizeof log, NULL, log);
  weft_gl_source_explain(&m->sources[k], log, line, sizeof line);
  weft_log(WEFT_LOG_DEBUG, "%s", log);
  bool any = *m->defines;
  return weft_fail(err, WEFT_ERROR_GL, "%s%s%.150s%s", line, any ? " [with " : "", m->defines,
                   any ? "]" : "");
}

static weft_result judge_program(const weft_gl_making *m, weft_error *err) {
  GLint linked = GL_FALSE;
  glGetProgramiv(m->program, GL_LINK_STATUS, &linked);
  if (linked) return WEFT_OK;
  char log[LONGEST_LOG] = "";
  glGetProgramInfoLog(m->program, sizeof log, NULL, log);
  weft_result result = weft_fail(err, WEFT_ERROR_GL, "shaders/%s: cannot be linked: %.*s", m->path,
                                 (int)strcspn(log, "\n"), log);
  weft_log(WEFT_LOG_DEBUG, "%s", log);
  return result;
}

/* What is left where memory runs out. */
static void delete_objects(void *making) {
  const weft_gl_making *m = making;
  for (uint32_t k = 0; k < m->count; ++k) glDeleteShader(m->shaders[k]);
  glDeleteProgram(m->program);
}

static void free_making(weft_gl_making *m) {
  for (uint32_t k = 0; k < m->count; ++k) {
    glDeleteShader(m->shaders[k]); /* lives on while attached */
    weft_gl_source_free(&m->sources[k]);
  }
  weft_free(m->path);
  weft_free(m->defines);
  weft_free(m);
}

static weft_result begin(weft_gl *gl, const stage *stages, size_t count, const char *defines,
                         const char *made, GLuint *program, weft_gl_making **making,
                         weft_error *err) {
  weft_result result = WEFT_OK;
  *program = 0;
  weft_gl_making *m = weft_alloc(1, sizeof *m);
  m->path = weft_strdup(stages[0].path);
  m->defines = weft_strdup(defines ? defines : "");
  weft_deferred *deferred = weft_defer(delete_objects, m);
  m->program = glCreateProgram();
  for (size_t k = 0; k < count && result == WEFT_OK; ++k) {
    result = add_stage(gl, m, &stages[k], made, err);
  }
  weft_defer_end(deferred);
  if (result != WEFT_OK) {
    glDeleteProgram(m->program);
    free_making(m);
    return result;
  }
  glLinkProgram(m->program);
  *program = m->program;
  *making = m;
  return WEFT_OK;
}

weft_result weft_gl_end_program(weft_gl_making *m, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < m->count && result == WEFT_OK; ++k) result = judge_shader(m, k, err);
  if (result == WEFT_OK) result = judge_program(m, err);
  if (result == WEFT_OK) {
    char label[256];
    snprintf(label, sizeof label, "%s%s%s", m->path, *m->defines ? " " : "", m->defines);
    glObjectLabel(GL_PROGRAM, m->program, -1, label);
  } else {
    glDeleteProgram(m->program);
  }
  free_making(m);
  return result;
}

weft_result weft_gl_begin_compute(weft_gl *gl, const char *path, const char *defines,
                                  const char *made, GLuint *program, weft_gl_making **making,
                                  weft_error *err) {
  const stage stages[] = {{GL_COMPUTE_SHADER, path}};
  return begin(gl, stages, 1, defines, made, program, making, err);
}

static weft_result build(weft_gl *gl, const stage *stages, size_t count, const char *defines,
                         const char *made, GLuint *program, weft_error *err) {
  weft_gl_making *making = NULL;
  weft_result result = begin(gl, stages, count, defines, made, program, &making, err);
  if (result == WEFT_OK) result = weft_gl_end_program(making, err);
  if (result != WEFT_OK) *program = 0;
  return result;
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
