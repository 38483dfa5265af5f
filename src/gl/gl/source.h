/* source.h: a shader's text with its includes pasted in, and where each line came from. */
#ifndef WEFT_GL_SOURCE_H
#define WEFT_GL_SOURCE_H

#include "gl.h"

enum { WEFT_MAX_SHADER_FILES = 64 };

/* Where a line of the text came from. */
typedef struct weft_gl_line {
  uint32_t file, number; /* number 0: the lines in front (version, defines) */
} weft_gl_line;

/* Lines are mapped by a table, not by #line: Mesa 22 loses the file number of #line in the messages
 * of many expressions. */
typedef struct weft_gl_source {
  char *text;
  char *paths[WEFT_MAX_SHADER_FILES]; /* "kernels/exact.h" */
  char *names[WEFT_MAX_SHADER_FILES]; /* "shaders/kernels/exact.h", or under the shader folder */
  uint32_t file_count;
  weft_gl_line *lines; /* [line_count] */
  size_t line_count, line_capacity;
} weft_gl_source;

/* made: what an include of "made.glsl" pastes in; may be NULL. */
weft_result weft_gl_source_expand(const char *shader_dir, const char *path, const char *defines,
                                  const char *made, weft_gl_source *source, weft_error *err);
void weft_gl_source_free(weft_gl_source *source);

/* The first error of a compiler's log as one line, "shaders/solver/predict.comp:12: ...". */
void weft_gl_source_explain(const weft_gl_source *source, const char *log, char *line, size_t size);

#endif
