/* weft_gl/gl.h: the compute-shader backend, on OpenGL 4.3.
 *
 * Errors of the driver. OpenGL keeps an error until glGetError, and glGetError inside a frame would
 * stall. So weft_solver_step reports none. The next function that reads from a solver reports what
 * failed on the context since the last check, as WEFT_ERROR_GL or WEFT_ERROR_LIMIT (out of memory).
 * The call that failed is unknown, so every solver of the context returns that error from then on
 * and is to be destroyed. */
#ifndef WEFT_GL_GL_H
#define WEFT_GL_GL_H

#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A GL context and what hangs on it: weft's own or the caller's. Used by one thread at a time.
 *
 * Every function of weft leaves the calling thread as it was: the context that was current before
 * is current again, be it one of EGL or of GLX. An adopted context, or one that shares with it, is
 * to be current at every call, WEFT_ERROR_GL otherwise; all of its state that can be asked for is
 * then what it was. docs/embedding.md lists what is touched and brought back. */
typedef struct weft_gl weft_gl;

/* How passes read elements of buffers: the same bits, at different speeds. */
typedef enum weft_gl_reads {
  WEFT_GL_READS_AUTO = 0, /* buffer textures on llvmpipe, storage buffers elsewhere */
  WEFT_GL_READS_BUFFERS,  /* from storage buffers */
  WEFT_GL_READS_TEXTURES, /* from buffer textures over the same buffers, where a pass may */
} weft_gl_reads;

/* What context is wanted. Zero-initialise and set what differs. */
typedef struct weft_gl_desc {
  bool debug;             /* debug context; KHR_debug messages go to the log. Default false */
  bool minimum_limits;    /* pretend the driver had no more than GL 4.3 promises. Default false;
                             WEFT_GL_MINIMUM_LIMITS=1 in the environment sets it too */
  uint32_t group_size;    /* invocations per work group: 32, 64 or 128. Default 64 */
  weft_gl_reads reads;    /* default: by driver, or as WEFT_GL_READS=buffers or textures in the
                             environment says */
  const char *shader_dir; /* folder to read shaders from. Default: WEFT_SHADER_DIR in the
                             environment, else those built in */
  /* Which EGL device: its number from 0, "hardware", "software", or a part of its name or its
   * driver's, in capitals or not. Windows are on the device of their display. Default:
   * WEFT_EGL_DEVICE in the environment, else the first that works, hardware before software. */
  const char *device;
} weft_gl_desc;

/* A headless context through EGL: the device platform first (any vendor), then Mesa's surfaceless.
 * Needs neither a display nor libglfw; libEGL is loaded at run time. `desc` may be NULL.
 * WEFT_ERROR_NO_GL where there is no OpenGL 4.3, WEFT_ERROR_ARGUMENT for another group size. */
WEFT_API weft_result weft_gl_create_headless(const weft_gl_desc *desc, weft_gl **gl,
                                             weft_error *err);
/* What finds a function of OpenGL by its name, NULL for one that is not there: one line around
 * glfwGetProcAddress, SDL_GL_GetProcAddress or eglGetProcAddress. */
typedef void (*weft_gl_function)(void);
typedef weft_gl_function (*weft_gl_loader)(void *user, const char *name);

/* Adopts the context that is current on the calling thread: OpenGL 4.3 or newer, core or
 * compatibility, of any vendor. It stays the caller's: weft_gl_destroy deletes weft's objects in it
 * and leaves it alone. Debug output is the caller's as well: desc.debug and desc.device are not
 * used. Functions are the process's: contexts of different drivers want a loader whose functions
 * work in both, as those of libglvnd do (Linux), or the same driver. `desc` may be NULL.
 * WEFT_ERROR_NO_GL where no context is current or it has no OpenGL 4.3. */
WEFT_API weft_result weft_gl_adopt(const weft_gl_desc *desc, weft_gl_loader load, void *user,
                                   weft_gl **gl, weft_error *err);
/* The first error of OpenGL that was pending when a function of weft was called on an adopted
 * context since this was last asked, 0 (GL_NO_ERROR) for none. It was the caller's, and glGetError
 * has forgotten it. weft's own errors are not left for the caller's glGetError. */
WEFT_API uint32_t weft_gl_caller_error(weft_gl *gl);
/* The EGL devices, a line each, "0: NVIDIA H200 (/dev/dri/card0)", or why one has no OpenGL 4.3. A
 * context is opened on each. A string to be freed with weft_free, empty where there are none, NULL
 * where memory runs out. */
WEFT_API char *weft_gl_list_devices(void);
/* After the solvers of the context. */
WEFT_API void weft_gl_destroy(weft_gl *gl);

/* The backend on this context, which must outlive it; the same one every time. The first time it
 * compiles the passes and runs the probe. Passes whose pieces exceed the driver's limits are split;
 * a model that cannot be split is refused by weft_solver_create with WEFT_ERROR_LIMIT.
 * WEFT_ERROR_GL where a shader does not compile, WEFT_ERROR_FILE where one cannot be read. */
WEFT_API weft_result weft_backend_gl(weft_gl *gl, const weft_backend **backend, weft_error *err);

/* What the probe found: whether the float arithmetic of this driver is that of C, bit for bit, so
 * that results equal those of the reference. */
typedef struct weft_gl_probe {
  bool exact;
  uint32_t tested;     /* results compared */
  uint32_t mismatches; /* of them that differ */
  char verdict[256];   /* one line for people */
} weft_gl_probe;
/* Runs it. Errors as of weft_backend_gl. */
WEFT_API weft_result weft_gl_run_probe(weft_gl *gl, weft_gl_probe *probe, weft_error *err);

/* Describes weft's version, driver and limits, one "name: value" per line, for bug reports. A
 * string to be freed with weft_free; NULL where memory runs out. */
WEFT_API char *weft_gl_describe(weft_gl *gl);

/* KHR_debug messages of type error, or of severity medium or high, since the context was made; 0
 * without desc.debug. */
WEFT_API uint32_t weft_gl_message_count(const weft_gl *gl);

#ifdef __cplusplus
}
#endif

#endif
