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
  /* The same around a public function: what was current before is noted, and is current again
   * afterwards. False where the context cannot be made current. */
  bool (*enter)(struct weft_gl_native *native);
  void (*leave)(struct weft_gl_native *native);
  void (*release)(struct weft_gl_native *native); /* context, library handles and itself */
} weft_gl_native;

/* Where functions come from. */
typedef struct weft_gl_functions {
  weft_gl_loader load;
  void *user;
} weft_gl_functions;

/* Fills gl from the current context: functions, version (4.3 at least), limits, messages. */
weft_result weft_gl_take(weft_gl *gl, const weft_gl_desc *desc, weft_gl_functions functions,
                         weft_error *err);

/* Puts defaults in and checks ranges. */
weft_result weft_gl_desc_resolve(const weft_gl_desc *in, weft_gl_desc *out, weft_error *err);

/* The state of an adopted context; nothing for others. See kept.c. */
weft_gl_kept *weft_gl_kept_create(void); /* to be freed with weft_free */
void weft_gl_keep(weft_gl *gl);
void weft_gl_give_back(weft_gl *gl);

#endif
