/* adopt.c: the context that is current, whoever made it. */
#include "base.h"
#include "native.h"

static void stay(weft_gl_native *native) { (void)native; }

/* The context is the caller's. */
static void release(weft_gl_native *native) { weft_free(native); }

/* Whatever is current: without a context a function returns nothing. */
static bool is_current(weft_gl_native *native) {
  (void)native;
  return glGetString(GL_VERSION) != NULL;
}

weft_result weft_gl_adopt(const weft_gl_desc *desc, weft_gl_loader load, void *user, weft_gl **out,
                          weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(out);
  *out = NULL;
  WEFT_NEED(load);
  weft_gl_desc resolved;
  const weft_result result = weft_gl_desc_resolve(desc, &resolved, err);
  if (result != WEFT_OK) return result;
  resolved.debug = false; /* messages go to whom the caller has set */
  weft_gl *gl = weft_alloc(1, sizeof *gl);
  weft_gl_native *native = weft_alloc(1, sizeof *native);
  *native = (weft_gl_native){stay, is_current, stay, release};
  gl->native = native;
  gl->platform = WEFT_GL_ADOPTED;
  weft_error why = {0};
  if (weft_gl_take(gl, &resolved, (weft_gl_functions){load, user}, &why) == WEFT_OK) {
    gl->kept = weft_gl_kept_create();
    *out = gl;
    return WEFT_OK;
  }
  weft_free(native);
  weft_free(gl);
  weft_free((void *)(uintptr_t)resolved.shader_dir);
  return weft_fail(err, why.code, "the current context cannot be used: %s", why.message);
}
