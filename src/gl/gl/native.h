/* native.h: what a platform (EGL, GLFW) hands to context.c.
 *
 * A platform makes a context current and says how to reach its functions; everything after that is
 * the same for all: load, check the version, read limits, switch messages on. */
#ifndef WEFT_GL_NATIVE_H
#define WEFT_GL_NATIVE_H

#include "gl.h"

/* First member of whatever weft_gl.native points to. */
typedef struct weft_gl_native {
  void (*make_current)(struct weft_gl_native *native);
  void (*release)(struct weft_gl_native *native); /* context, library handles and itself */
} weft_gl_native;

/* Fills gl from the current context: functions, version (4.3 at least), limits, messages. */
weft_result weft_gl_adopt(weft_gl *gl, const weft_gl_desc *desc, GLADloadfunc load,
                          weft_error *err);

/* Puts defaults in and checks ranges. */
weft_result weft_gl_desc_resolve(const weft_gl_desc *in, weft_gl_desc *out, weft_error *err);

#endif
