/* weft/gl.h: the compute-shader backend. */
#ifndef WEFT_GL_H
#define WEFT_GL_H

#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_gl weft_gl; /* a GL context and what hangs on it; one thread at a time */

/* Zero-initialise. */
/* How passes read rows of buffers: the same bits, at different speeds. */
typedef enum weft_gl_reads {
  WEFT_GL_READS_AUTO = 0, /* texels on llvmpipe, blocks elsewhere */
  WEFT_GL_READS_BLOCKS,   /* from storage blocks */
  WEFT_GL_READS_TEXELS,   /* from buffer textures over the same buffers, where a pass may */
} weft_gl_reads;

typedef struct weft_gl_desc {
  bool debug;             /* debug context; KHR_debug messages go to the log */
  bool minimum_limits;    /* pretend the driver had no more than GL 4.3 promises; also by
                             WEFT_GL_MINIMUM_LIMITS=1 in the environment */
  uint32_t group_size;    /* invocations per work group: 32, 64 or 128. Default 64 */
  weft_gl_reads reads;    /* default: by driver; WEFT_GL_READS=blocks or texels in the environment
                             decides instead of the default */
  const char *shader_dir; /* read shaders from here; default: $WEFT_SHADER_DIR, else embedded */
} weft_gl_desc;

/* A headless context through EGL: the device platform first (any vendor), then Mesa's surfaceless.
 * Needs neither a display nor libglfw; libEGL is loaded at run time. WEFT_ERROR_NO_GL with a
 * sentence when there is no OpenGL 4.3. */
weft_result weft_gl_create_headless(const weft_gl_desc *desc, weft_gl **gl, weft_error *err);
void weft_gl_destroy(weft_gl *gl);

/* What the start-up probe found: whether this driver's float arithmetic keeps the exactness
 * contract. */
typedef struct weft_gl_probe {
  bool exact;
  uint32_t tested, mismatches;
  char verdict[256]; /* one line for people */
} weft_gl_probe;

/* The backend on this context; runs the probe the first time. The context must outlive it. Passes
 * whose pieces exceed the driver's limits are split; a model that cannot be split is refused by
 * weft_solver_create with WEFT_ERROR_LIMIT. */
weft_result weft_backend_gl(weft_gl *gl, const weft_backend **backend, weft_error *err);
weft_result weft_gl_run_probe(weft_gl *gl, weft_gl_probe *probe, weft_error *err);

/* Describes weft's version, driver and limits, one "name: value" per line, for bug reports.
 * Returns a string to be freed with free(). */
char *weft_gl_describe(weft_gl *gl);

/* KHR_debug messages of type error, or of severity medium or high, seen so far. */
uint32_t weft_gl_message_count(const weft_gl *gl);

#ifdef __cplusplus
}
#endif

#endif
