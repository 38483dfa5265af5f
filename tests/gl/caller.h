/* caller.h: somebody else's OpenGL contexts: made with EGL alone, without weft. */
#ifndef WEFT_TESTS_CALLER_H
#define WEFT_TESTS_CALLER_H

#include "cmocka_all.h"
/* after cmocka */
#define EGL_NO_X11
#define EGL_NO_PLATFORM_SPECIFIC_TYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft_gl/gl.h>

typedef void (*caller_function)(void);

static struct {
  EGLDisplay display;
  caller_function(EGLAPIENTRYP GetProcAddress)(const char *);
  EGLBoolean(EGLAPIENTRYP Initialize)(EGLDisplay, EGLint *, EGLint *);
  EGLBoolean(EGLAPIENTRYP BindAPI)(EGLenum);
  EGLBoolean(EGLAPIENTRYP ChooseConfig)(EGLDisplay, const EGLint *, EGLConfig *, EGLint, EGLint *);
  EGLContext(EGLAPIENTRYP CreateContext)(EGLDisplay, EGLConfig, EGLContext, const EGLint *);
  EGLBoolean(EGLAPIENTRYP DestroyContext)(EGLDisplay, EGLContext);
  EGLSurface(EGLAPIENTRYP CreatePbufferSurface)(EGLDisplay, EGLConfig, const EGLint *);
  EGLBoolean(EGLAPIENTRYP DestroySurface)(EGLDisplay, EGLSurface);
  EGLBoolean(EGLAPIENTRYP MakeCurrent)(EGLDisplay, EGLSurface, EGLSurface, EGLContext);
  EGLContext(EGLAPIENTRYP GetCurrentContext)(void);
  EGLSurface(EGLAPIENTRYP GetCurrentSurface)(EGLint);
  EGLenum(EGLAPIENTRYP QueryAPI)(void);
  EGLConfig config; /* with small surfaces */
} caller;

/* Ends the test with 77 where there is no EGL. */
static inline void caller_open(void) {
  void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) exit(77);
  const struct {
    const char *name;
    void *slot;
  } wanted[] = {{"eglGetProcAddress", &caller.GetProcAddress},
                {"eglInitialize", &caller.Initialize},
                {"eglBindAPI", &caller.BindAPI},
                {"eglChooseConfig", &caller.ChooseConfig},
                {"eglCreateContext", &caller.CreateContext},
                {"eglDestroyContext", &caller.DestroyContext},
                {"eglCreatePbufferSurface", &caller.CreatePbufferSurface},
                {"eglDestroySurface", &caller.DestroySurface},
                {"eglMakeCurrent", &caller.MakeCurrent},
                {"eglGetCurrentContext", &caller.GetCurrentContext},
                {"eglGetCurrentSurface", &caller.GetCurrentSurface},
                {"eglQueryAPI", &caller.QueryAPI}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k) {
    void *symbol = dlsym(library, wanted[k].name);
    memcpy(wanted[k].slot, &symbol, sizeof symbol);
  }
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)caller.GetProcAddress("eglGetPlatformDisplayEXT");
  EGLint count = 0;
  const EGLint wish[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                         EGL_NONE};
  caller.display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : NULL;
  if (!caller.display || !caller.Initialize(caller.display, NULL, NULL) ||
      !caller.BindAPI(EGL_OPENGL_API) ||
      !caller.ChooseConfig(caller.display, wish, &caller.config, 1, &count) || count < 1) {
    fprintf(stderr, "skipped: no EGL display without a window\n");
    exit(77);
  }
}

/* NULL where the driver has none of that version and profile. */
static inline EGLContext caller_context(EGLContext shares, int major, int minor, bool core) {
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                               major,
                               EGL_CONTEXT_MINOR_VERSION_KHR,
                               minor,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                               core ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR
                                    : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT_KHR,
                               EGL_NONE};
  caller.BindAPI(EGL_OPENGL_API);
  return caller.CreateContext(caller.display, caller.config, shares, attributes);
}

static inline void caller_make_current(EGLContext context) {
  assert_true(caller.MakeCurrent(caller.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}

/* Counts what is asked for, so that it is known to be used. */
static inline weft_gl_function caller_load(void *user, const char *name) {
  if (user) ++*(unsigned *)user;
  return caller.GetProcAddress(name);
}

#endif
