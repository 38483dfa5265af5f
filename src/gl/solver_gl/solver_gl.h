/* solver_gl.h: what the renderer and the tests may see of the compute backend. */
#ifndef WEFT_SOLVER_GL_H
#define WEFT_SOLVER_GL_H

#include "gl.h"
#include "inspect.h"

#include <weft_gl/share.h>

/* The GL buffer that holds a table of a solver: a name, and the byte range of the payload in it.
 * That of weft_backend_gl is the solver's own, that of weft_backend_shown a copy of how it is now.
 * The renderer draws straight from WEFT_BUFFER_X (vec4: position, inverse mass) and never writes.
 * Returns false when the solver runs on another backend, or GL has no memory for a copy. */
bool weft_solver_gl_view(const weft_solver *solver, weft_buffer_id id, weft_gl_view *view);

/* A backend that computes as another does and can be drawn: cpu or ref, where a software driver
 * would take many times as long for the same bits. Outlives what is made with it. */
typedef struct weft_shown weft_shown;
weft_shown *weft_shown_create(weft_gl *gl, const weft_backend *inner);
void weft_shown_destroy(weft_shown *shown); /* NULL is allowed */
const weft_backend *weft_backend_shown(const weft_shown *shown);

/* What the backend has done so far: dispatches, calls of OpenGL in steps with those of reads and
 * writes, objects it has made. */
typedef struct weft_gl_counts {
  uint64_t dispatches, calls, barriers, reads, writes, buffers_created, programs_created;
} weft_gl_counts;
weft_gl_counts weft_solver_gl_counts(const weft_gl *gl);

#endif
