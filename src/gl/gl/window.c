/* GLFW, loaded when the first window is asked for. */
#define _POSIX_C_SOURCE 200809L
#include "window.h"

#include "base.h"
#include "native.h"

#ifdef WEFT_HAVE_GLFW
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* The few functions used, with glfw3.h's own types. */
#define FUNCTIONS(X)                                                                             \
  X(Init)                                                                                        \
  X(Terminate) X(GetError) X(GetProcAddress) X(DefaultWindowHints) X(WindowHint) X(CreateWindow) \
      X(DestroyWindow) X(MakeContextCurrent) X(GetCurrentContext) X(SwapInterval) X(SwapBuffers) \
          X(PollEvents) X(WindowShouldClose) X(SetWindowShouldClose) X(SetWindowTitle)           \
              X(GetFramebufferSize) X(GetWindowSize) X(GetCursorPos) X(SetWindowUserPointer)                      \
                  X(GetWindowUserPointer) X(SetKeyCallback) X(SetMouseButtonCallback)            \
                      X(SetCursorPosCallback) X(SetScrollCallback) X(SetCharCallback)        \
                          X(SetDropCallback) X(GetWindowContentScale)
/* clang-format on */

#define MEMBER(name) __typeof__(&glfw##name) name;
static struct {
  void *library;
  uint32_t windows;
  FUNCTIONS(MEMBER)
} glfw;

typedef struct window_native {
  weft_gl_native base;
  GLFWwindow *window;
  weft_gl_window_events events;
} window_native;

static window_native *native_of(weft_gl *gl) {
  WEFT_CHECK(gl->platform == WEFT_GL_GLFW_WINDOW, "this context has no window");
  return gl->native;
}

static const char *find_functions(void) {
#define FIND(name)                                    \
  {                                                   \
    void *symbol = dlsym(glfw.library, "glfw" #name); \
    if (!symbol) return "glfw" #name;                 \
    memcpy(&glfw.name, &symbol, sizeof symbol);       \
  }
  FUNCTIONS(FIND)
  return NULL;
}

static weft_result load_library(weft_error *err) {
  if (glfw.library) return WEFT_OK;
  const char *name = getenv("WEFT_GLFW_LIBRARY");
  if (!name || !*name) name = "libglfw.so.3";
  glfw.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!glfw.library) {
    return weft_fail(err, WEFT_ERROR_NO_GL, "no window can be opened: %s (Debian: libglfw3)",
                     dlerror());
  }
  const char *missing = find_functions();
  if (missing) {
    dlclose(glfw.library);
    glfw.library = NULL;
    return weft_fail(err, WEFT_ERROR_NO_GL, "no window can be opened: %s has no %s", name, missing);
  }
  return WEFT_OK;
}

static weft_result fail_with_reason(weft_error *err, const char *what) {
  const char *reason = NULL;
  glfw.GetError(&reason);
  return weft_fail(err, WEFT_ERROR_NO_GL, "%s: %s", what, reason ? reason : "GLFW gives no reason");
}

/* ---- what the user does ---- */

static const weft_gl_window_events *events_of(GLFWwindow *window) {
  const window_native *native = glfw.GetWindowUserPointer(window);
  return &native->events;
}

static void on_key(GLFWwindow *window, int key, int scancode, int action, int modifiers) {
  (void)scancode;
  const weft_gl_window_events *events = events_of(window);
  if (events->key) events->key(events->user, key, action, modifiers);
}

static void on_button(GLFWwindow *window, int button, int action, int modifiers) {
  const weft_gl_window_events *events = events_of(window);
  if (events->button) events->button(events->user, button, action, modifiers);
}

static void on_move(GLFWwindow *window, double x, double y) {
  const weft_gl_window_events *events = events_of(window);
  if (events->move) events->move(events->user, x, y);
}

static void on_scroll(GLFWwindow *window, double x, double y) {
  const weft_gl_window_events *events = events_of(window);
  if (events->scroll) events->scroll(events->user, x, y);
}

static void on_text(GLFWwindow *window, unsigned codepoint) {
  const weft_gl_window_events *events = events_of(window);
  if (events->text) events->text(events->user, codepoint);
}

static void on_drop(GLFWwindow *window, int count, const char **files) {
  const weft_gl_window_events *events = events_of(window);
  for (int k = 0; k < count && events->drop; ++k) events->drop(events->user, files[k]);
}

/* ---- life ---- */

static void window_make_current(weft_gl_native *base) {
  window_native *native = (window_native *)base;
  if (glfw.GetCurrentContext() != native->window) glfw.MakeContextCurrent(native->window);
}

/* Its program's own: current all the time. */
static bool window_enter(weft_gl_native *base) {
  window_make_current(base);
  return true;
}
static void window_leave(weft_gl_native *base) { (void)base; }

static void window_release(weft_gl_native *base) {
  window_native *native = (window_native *)base;
  glfw.DestroyWindow(native->window);
  if (--glfw.windows == 0) glfw.Terminate();
  weft_free(native);
}

static GLFWwindow *open_window(const weft_gl_desc *desc, int width, int height, const char *title) {
  glfw.DefaultWindowHints();
  glfw.WindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfw.WindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfw.WindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfw.WindowHint(GLFW_OPENGL_DEBUG_CONTEXT, desc->debug ? GLFW_TRUE : GLFW_FALSE);
  bool given = width > 0;
  glfw.WindowHint(GLFW_SCALE_TO_MONITOR, given ? GLFW_FALSE : GLFW_TRUE);
  return glfw.CreateWindow(given ? width : 1280, given ? height : 800, title, NULL, NULL);
}

static weft_gl_function find_function(void *user, const char *name) {
  (void)user;
  return glfw.GetProcAddress(name);
}

static weft_result adopt_window(GLFWwindow *window, const weft_gl_desc *desc, weft_gl **out,
                                weft_error *err) {
  window_native *native = weft_alloc(1, sizeof *native);
  native->base = (weft_gl_native){window_make_current, window_enter, window_leave, window_release};
  native->window = window;
  glfw.SetWindowUserPointer(window, native);
  glfw.MakeContextCurrent(window);
  glfw.SwapInterval(1);
  weft_gl *gl = weft_alloc(1, sizeof *gl);
  gl->native = native;
  gl->platform = WEFT_GL_GLFW_WINDOW;
  weft_error inner = {0};
  if (weft_gl_take(gl, desc, (weft_gl_functions){find_function, NULL}, &inner)) {
    window_release(&native->base);
    weft_free(gl);
    return weft_fail(err, inner.code, "no window with OpenGL 4.3: %s", inner.message);
  }
  glfw.SetKeyCallback(window, on_key);
  glfw.SetMouseButtonCallback(window, on_button);
  glfw.SetCursorPosCallback(window, on_move);
  glfw.SetScrollCallback(window, on_scroll);
  glfw.SetCharCallback(window, on_text);
  glfw.SetDropCallback(window, on_drop);
  *out = gl;
  return WEFT_OK;
}

static weft_result create(const weft_gl_desc *desc, int width, int height, const char *title,
                          weft_gl **gl, weft_error *err) {
  weft_result result = load_library(err);
  if (result) return result;
  if (!glfw.windows && !glfw.Init()) return fail_with_reason(err, "no window can be opened");
  GLFWwindow *window = open_window(desc, width, height, title);
  if (!window) {
    result = fail_with_reason(err, "no window with OpenGL 4.3");
    if (!glfw.windows) glfw.Terminate();
    return result;
  }
  glfw.windows++;
  return adopt_window(window, desc, gl, err);
}

weft_result weft_gl_create_window(const weft_gl_desc *desc, int width, int height,
                                  const char *title, weft_gl **gl, weft_error *err) {
  *gl = NULL;
  if ((width != 0 || height != 0) && (width < 1 || height < 1)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a window of %d x %d is no window", width, height);
  }
  weft_gl_desc resolved;
  weft_result result = weft_gl_desc_resolve(desc, &resolved, err);
  if (result) return result;
  result = create(&resolved, width, height, title ? title : "weft", gl, err);
  if (result) weft_free((void *)(uintptr_t)resolved.shader_dir);
  return result;
}

/* ---- use ---- */

void weft_gl_window_listen(weft_gl *gl, const weft_gl_window_events *events) {
  native_of(gl)->events = events ? *events : (weft_gl_window_events){0};
}

void weft_gl_window_title(weft_gl *gl, const char *title) {
  glfw.SetWindowTitle(native_of(gl)->window, title);
}

void weft_gl_window_vsync(weft_gl *gl, bool on) {
  weft_gl_make_current(gl);
  glfw.SwapInterval(on ? 1 : 0);
}

void weft_gl_window_size(weft_gl *gl, int *w, int *h) {
  glfw.GetFramebufferSize(native_of(gl)->window, w, h);
}

void weft_gl_window_cursor(weft_gl *gl, double *x, double *y) {
  glfw.GetCursorPos(native_of(gl)->window, x, y);
}

double weft_gl_window_density(weft_gl *gl) {
  int units = 0, pixels = 0, height = 0;
  glfw.GetWindowSize(native_of(gl)->window, &units, &height);
  weft_gl_window_size(gl, &pixels, &height);
  return units > 0 ? (double)pixels / units : 1;
}

double weft_gl_window_scale(weft_gl *gl) {
  float x = 1, y = 1;
  glfw.GetWindowContentScale(native_of(gl)->window, &x, &y);
  double density = weft_gl_window_density(gl);
  return x > density ? (double)x : density;
}

void weft_gl_window_poll(weft_gl *gl) {
  (void)native_of(gl);
  glfw.PollEvents();
}

void weft_gl_window_swap(weft_gl *gl) { glfw.SwapBuffers(native_of(gl)->window); }

bool weft_gl_window_should_close(weft_gl *gl) {
  return glfw.WindowShouldClose(native_of(gl)->window) != 0;
}

void weft_gl_window_close(weft_gl *gl) {
  glfw.SetWindowShouldClose(native_of(gl)->window, GLFW_TRUE);
}

#else /* built without GLFW's header: no context ever has a window */

weft_result weft_gl_create_window(const weft_gl_desc *desc, int width, int height,
                                  const char *title, weft_gl **gl, weft_error *err) {
  (void)desc, (void)width, (void)height, (void)title;
  *gl = NULL;
  return weft_fail(err, WEFT_ERROR_NO_GL,
                   "no window can be opened: weft was built without GLFW (Debian: libglfw3-dev)");
}

static void no_window(void) { WEFT_CHECK(false, "this context has no window"); }

void weft_gl_window_listen(weft_gl *gl, const weft_gl_window_events *events) {
  (void)gl, (void)events;
  no_window();
}
void weft_gl_window_title(weft_gl *gl, const char *title) {
  (void)gl, (void)title;
  no_window();
}
void weft_gl_window_vsync(weft_gl *gl, bool on) {
  (void)gl, (void)on;
  no_window();
}
void weft_gl_window_size(weft_gl *gl, int *w, int *h) {
  (void)gl, (void)w, (void)h;
  no_window();
}
void weft_gl_window_cursor(weft_gl *gl, double *x, double *y) {
  (void)gl, (void)x, (void)y;
  no_window();
}
double weft_gl_window_density(weft_gl *gl) {
  (void)gl;
  no_window();
  return 1;
}
double weft_gl_window_scale(weft_gl *gl) {
  (void)gl;
  no_window();
  return 1;
}
void weft_gl_window_poll(weft_gl *gl) {
  (void)gl;
  no_window();
}
void weft_gl_window_swap(weft_gl *gl) {
  (void)gl;
  no_window();
}
bool weft_gl_window_should_close(weft_gl *gl) {
  (void)gl;
  no_window();
  return true;
}
void weft_gl_window_close(weft_gl *gl) {
  (void)gl;
  no_window();
}

#endif
