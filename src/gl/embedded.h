/* embedded.h: the shader files as they were at build time. */
#ifndef WEFT_GL_EMBEDDED_H
#define WEFT_GL_EMBEDDED_H

#include <stdint.h>

typedef struct weft_embedded_file {
  const char *path; /* "solver/predict.comp" */
  const char *text;
} weft_embedded_file;

extern const weft_embedded_file weft_embedded_shaders[];
extern const uint32_t weft_embedded_shader_count;

#endif
