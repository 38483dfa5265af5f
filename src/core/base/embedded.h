/* embedded.h: files that are part of the program, as they were at build time. */
#ifndef WEFT_BASE_EMBEDDED_H
#define WEFT_BASE_EMBEDDED_H

#include <stdint.h>

typedef struct weft_embedded_file {
  const char *path; /* "solver/predict.comp" */
  const char *text;
} weft_embedded_file;

extern const weft_embedded_file weft_embedded_shaders[]; /* shaders/ */
extern const uint32_t weft_embedded_shader_count;
extern const weft_embedded_file weft_embedded_scripts[]; /* of the program: scripts/report.py */
extern const uint32_t weft_embedded_script_count;

#endif
