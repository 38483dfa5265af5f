/* source.h: a shader's text with its includes pasted in, and where each line came from. */
#ifndef WEFT_GL_SOURCE_H
#define WEFT_GL_SOURCE_H

#include "gl.h"

enum { WEFT_MAX_SHADER_FILES = 64 };

/* #line directives number the files; names[number] is what a message shall call them. */
typedef struct weft_gl_source {
  char *text;
  char *paths[WEFT_MAX_SHADER_FILES]; /* "lib/exact.glsl" */
  char *names[WEFT_MAX_SHADER_FILES]; /* "shaders/lib/exact.glsl", or under the shader folder */
  uint32_t file_count;
} weft_gl_source;

weft_result weft_gl_source_expand(const char *shader_dir, const char *path, const char *defines,
                                  weft_gl_source *source, weft_error *err);
void weft_gl_source_free(weft_gl_source *source);

/* The first error of a compiler's log as one line, "shaders/solver/predict.comp:12: ...". */
void weft_gl_source_explain(const weft_gl_source *source, const char *log, char *line, size_t size);

#endif
