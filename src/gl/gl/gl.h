/* gl.h: a GL 4.3 context, its limits, messages, programs, buffers and timers. Independent of cloth.
 *
 * Functions are glad's, loaded per process by weft_gl_make; one context is current per thread. */
#ifndef WEFT_GL_INSIDE_H
#define WEFT_GL_INSIDE_H

#include <glad/gl.h>
#include <weft_gl/gl.h>

#include "embedded.h"

/* What the driver allows (or what GL 4.3 promises, with desc.minimum_limits). */
typedef struct weft_gl_limits {
  uint64_t max_storage_block;    /* bytes; 16 MiB promised (2^24) */
  uint32_t max_storage_blocks;   /* per compute shader; 8 promised */
  uint32_t max_storage_bindings; /* 8 promised */
  uint32_t storage_alignment;    /* of buffer range offsets, bytes; 256 at most */
  uint32_t max_groups[3];        /* 65,535 promised */
  uint32_t max_invocations;      /* per group; 1,024 promised */
  uint32_t max_shared_bytes;     /* 32 KiB promised */
  uint32_t max_texels;           /* of a buffer texture; 65,536 promised */
  uint32_t max_texture_units;    /* of a compute shader; 16 promised */
  uint32_t max_uniform_block;    /* bytes; 16 KiB promised */
} weft_gl_limits;

/* How the context came to be. */
typedef enum weft_gl_platform {
  WEFT_GL_EGL_DEVICE,
  WEFT_GL_EGL_SURFACELESS,
  WEFT_GL_GLFW_WINDOW,
  WEFT_GL_ADOPTED,
} weft_gl_platform;

/* What a caller's context had bound where weft binds something, from enter to leave. */
typedef struct weft_gl_kept weft_gl_kept; /* see kept.c */

struct weft_gl {
  weft_gl_desc desc;
  weft_gl_platform platform;
  weft_gl_limits limits;
  char vendor[128], renderer[256], version[256], glsl[128], egl_device[256];
  uint32_t message_count; /* errors and severities medium/high */
  uint64_t faults;        /* how often weft_gl_settle found an error */
  weft_error fault;       /* the last of them */
  void *native;           /* the platform's own handles */
  uint32_t depth;         /* public functions that are inside of it */
  weft_gl_kept *kept;     /* of an adopted context, else NULL */
  GLenum caller_error;    /* see weft_gl_caller_error */
  void *solver;           /* hung here by solver_gl: programs, probe verdict */
  void (*solver_release)(weft_gl *gl);
};

/* For weft's own programs and tests, which draw in its contexts: current, and left so. */
void weft_gl_make_current(weft_gl *gl);
/* Around every public function: the context is current, and on leaving what was current before is
 * so again; of an adopted context all state is what it was. Calls nest. WEFT_ERROR_GL where it
 * cannot be made current: then nothing is entered. */
weft_result weft_gl_enter(weft_gl *gl, weft_error *err);
void weft_gl_leave(weft_gl *gl);
void weft_gl_leave_at(weft_gl **gl); /* of WEFT_GL_ENTER */
/* Enters for the rest of the block; returns the error from a function that has an `err`. */
#define WEFT_GL_ENTER(gl)                                            \
  const weft_result entered_result_ = weft_gl_enter(gl, err);        \
  if (entered_result_ != WEFT_OK) return entered_result_;            \
  __attribute__((cleanup(weft_gl_leave_at))) weft_gl *entered_ = gl; \
  (void)entered_
/* Before something is bound to a slot of GL_UNIFORM_BUFFER or GL_SHADER_STORAGE_BUFFER; before a
 * buffer texture is bound to the active unit. What is bound to the other targets that weft uses is
 * kept by itself. */
void weft_gl_keep_range(weft_gl *gl, GLenum target, uint32_t slot);
void weft_gl_keep_texture(weft_gl *gl, uint32_t unit);
/* Whether processors do the work of this driver: llvmpipe, softpipe, SwiftShader, also below zink.
 */
bool weft_gl_is_software(const weft_gl *gl);

/* ---- shader sources: embedded at build time, or read from desc.shader_dir ---- */
/* The text of shaders/<path>, with every #include "x" (relative to shaders/) pasted in once, and
 * a #version 430 line and `defines` ("A=1 B=2", may be NULL) in front. `made` is pasted in for an
 * include of "made.glsl"; NULL where there is none. Free with weft_free. */
weft_result weft_gl_shader_source(const char *shader_dir, const char *path, const char *defines,
                                  const char *made, char **source, weft_error *err);
/* ---- programs: compile errors come back as one sentence with file and line of the source ---- */
weft_result weft_gl_compute_program(weft_gl *gl, const char *path, const char *defines,
                                    const char *made, GLuint *program, weft_error *err);
/* The same in two steps. Between them nothing is asked of the driver, so that one with threads of
 * its own makes all programs that were begun side by side. weft_gl_end_program frees `making`, and
 * the program where it failed. */
typedef struct weft_gl_making weft_gl_making;
weft_result weft_gl_begin_compute(weft_gl *gl, const char *path, const char *defines,
                                  const char *made, GLuint *program, weft_gl_making **making,
                                  weft_error *err);
weft_result weft_gl_end_program(weft_gl_making *making, weft_error *err);
weft_result weft_gl_render_program(weft_gl *gl, const char *vertex_path, const char *fragment_path,
                                   const char *defines, GLuint *program, weft_error *err);

/* ---- buffers: size checked against what was allocated, labelled ---- */
typedef struct weft_gl_buffer {
  GLuint name;
  uint64_t size;  /* bytes of payload; a size of 0 still makes a small valid buffer */
  uint64_t guard; /* bytes of guard in front of and behind the payload, 0 for none */
} weft_gl_buffer;
weft_result weft_gl_buffer_create(weft_gl *gl, const char *label, uint64_t size, uint64_t guard,
                                  GLenum usage, const void *data, weft_gl_buffer *buffer,
                                  weft_error *err);
void weft_gl_buffer_destroy(weft_gl_buffer *buffer);
void weft_gl_buffer_write(const weft_gl_buffer *buffer, uint64_t offset, uint64_t size,
                          const void *data);
/* All of its payload; for buffers of a usage that is not written to. */
void weft_gl_buffer_replace(const weft_gl_buffer *buffer, GLenum usage, const void *data);
void weft_gl_buffer_read(const weft_gl_buffer *buffer, uint64_t offset, uint64_t size, void *data);
/* True while the guard bytes in front and behind are as they were written. */
bool weft_gl_buffer_guards_intact(const weft_gl_buffer *buffer);

/* ---- timers: GPU time of a stretch of commands, read back later without stalling ---- */
typedef struct weft_gl_timer {
  GLuint queries[2]; /* timestamps */
} weft_gl_timer;
void weft_gl_timer_create(weft_gl_timer *timer);
void weft_gl_timer_destroy(weft_gl_timer *timer);
void weft_gl_timer_begin(weft_gl_timer *timer);
void weft_gl_timer_end(weft_gl_timer *timer);
bool weft_gl_timer_ready(const weft_gl_timer *timer);     /* the result is there; never waits */
double weft_gl_timer_seconds(const weft_gl_timer *timer); /* waits for the result */

/* ---- errors. OpenGL keeps an error until glGetError and does not say which call it was. A
 * driver with a thread of its own is waited for by glGetError, so no step calls it. ---- */
/* For the end of something that weft_gl_settle stands before: its own error in one sentence. */
weft_result weft_gl_check(const char *what, weft_error *err);
/* An error that is pending here belongs to something issued earlier. It is reported like
 * those of weft_gl_check, and counted in gl->faults, so that every solver of the context that was
 * there fails when it is read. `what` is what was done since the last check. */
weft_result weft_gl_settle(weft_gl *gl, const char *what, weft_error *err);

#endif
