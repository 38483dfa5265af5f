/* inside.h: what the files of solver_gl share. */
#ifndef WEFT_SOLVER_GL_SHARED_H
#define WEFT_SOLVER_GL_SHARED_H

#include "base.h"
#include "solver_gl.h"

/* One per context, hung on weft_gl.solver: the programs of every pass and permutation, and the
 * probe's verdict. */
typedef struct weft_gl_programs {
  weft_backend backend;
  weft_gl_probe probe;
  GLuint programs[WEFT_PASS_KIND_COUNT][WEFT_VARIANT_COUNT];
  weft_gl_counts counts;
} weft_gl_programs;

/* One per solver. */
typedef struct weft_gl_instance {
  weft_gl *gl;
  weft_gl_programs *shared;
  weft_gl_buffer buffers[WEFT_BUFFER_COUNT];
  uint64_t counts[WEFT_BUFFER_COUNT];
  uint32_t strides[WEFT_BUFFER_COUNT];
} weft_gl_instance;

/* Runs one pass: program, buffers by slot, dispatches that fit the driver, the one barrier after.
 */
void weft_gl_run_pass(weft_gl_instance *self, const weft_pass *pass, uint32_t substep);

/* Whether every buffer of these tables can be bound on this driver; a sentence if not. */
weft_result weft_gl_check_fit(const weft_gl *gl, const weft_tables *tables, weft_error *err);

#endif
