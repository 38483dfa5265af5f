/* Headless contexts. EGL is loaded at run time, so that a binary starts where there is none, and
 * is asked for devices first (EGL_EXT_platform_device: every vendor's driver answers, no display
 * server is needed), then for Mesa's surfaceless platform. What went wrong on the way is kept for
 * the one sentence the caller gets. */
#define _POSIX_C_SOURCE 200809L
#define EGL_NO_X11
#define EGL_NO_PLATFORM_SPECIFIC_TYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "native.h"

enum { MAX_DEVICES = 32, MAX_DISPLAYS = 32 };

typedef void (*function_pointer)(void);

/* libEGL's functions, loaded once per process and kept: drivers do not survive being unloaded. */
static struct {
  void *library;
  function_pointer(EGLAPIENTRYP GetProcAddress)(const char *);
  const char *(EGLAPIENTRYP QueryString)(EGLDisplay, EGLint);
  EGLint(EGLAPIENTRYP GetError)(void);
  EGLBoolean(EGLAPIENTRYP Initialize)(EGLDisplay, EGLint *, EGLint *);
  EGLBoolean(EGLAPIENTRYP Terminate)(EGLDisplay);
  EGLBoolean(EGLAPIENTRYP BindAPI)(EGLenum);
  EGLBoolean(EGLAPIENTRYP ChooseConfig)(EGLDisplay, const EGLint *, EGLConfig *, EGLint, EGLint *);
  EGLContext(EGLAPIENTRYP CreateContext)(EGLDisplay, EGLConfig, EGLContext, const EGLint *);
  EGLBoolean(EGLAPIENTRYP DestroyContext)(EGLDisplay, EGLContext);
  EGLSurface(EGLAPIENTRYP CreatePbufferSurface)(EGLDisplay, EGLConfig, const EGLint *);
  EGLBoolean(EGLAPIENTRYP DestroySurface)(EGLDisplay, EGLSurface);
  EGLBoolean(EGLAPIENTRYP MakeCurrent)(EGLDisplay, EGLSurface, EGLSurface, EGLContext);
  EGLContext(EGLAPIENTRYP GetCurrentContext)(void);
  EGLDisplay(EGLAPIENTRYP GetCurrentDisplay)(void);
  EGLSurface(EGLAPIENTRYP GetCurrentSurface)(EGLint);
  EGLenum(EGLAPIENTRYP QueryAPI)(void);
  PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay;
  PFNEGLQUERYDEVICESEXTPROC QueryDevices;
  PFNEGLQUERYDEVICESTRINGEXTPROC QueryDeviceString;
} egl;

/* A window's context on X11 may be GLX's, of which EGL knows nothing but that it is in the way. A
 * program that has one has the library. */
typedef struct glx_current {
  void *display, *context;
  unsigned long draw, read;
} glx_current;

static struct {
  void *library;
  void *(*GetCurrentContext)(void);
  void *(*GetCurrentDisplay)(void);
  unsigned long (*GetCurrentDrawable)(void);
  unsigned long (*GetCurrentReadDrawable)(void);
  int (*MakeContextCurrent)(void *, unsigned long, unsigned long, void *);
} glx;

/* EGL gives every caller the same display of a device, and terminating it ends all contexts on it:
 * so the uses are counted. */
static struct {
  EGLDisplay display;
  uint32_t uses;
} displays[MAX_DISPLAYS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What is current on a thread. */
typedef struct current {
  EGLenum api;
  EGLDisplay display;
  EGLContext context;
  EGLSurface draw, read;
  glx_current glx; /* where none of EGL is */
} current;

typedef struct egl_native {
  weft_gl_native base;
  current before; /* between enter and leave */
  EGLDisplay display;
  EGLContext context;
  EGLSurface surface; /* EGL_NO_SURFACE wherever the driver can do without */
} egl_native;

/* Why each attempt failed, in one line. */
typedef struct reasons {
  char text[700];
  size_t length;
} reasons;

static void add_reason(reasons *why, const char *who, const char *what) {
  int n = snprintf(why->text + why->length, sizeof why->text - why->length, "%s%s: %s",
                   why->length ? "; " : "", who, what);
  if (n > 0) why->length += (size_t)n;
  if (why->length >= sizeof why->text) why->length = sizeof why->text - 1;
}

/* ---- the library ---- */

static bool find_functions(void) {
  const struct {
    const char *name;
    void *slot;
  } wanted[] = {
      {"eglGetProcAddress", &egl.GetProcAddress},
      {"eglQueryString", &egl.QueryString},
      {"eglGetError", &egl.GetError},
      {"eglInitialize", &egl.Initialize},
      {"eglTerminate", &egl.Terminate},
      {"eglBindAPI", &egl.BindAPI},
      {"eglChooseConfig", &egl.ChooseConfig},
      {"eglCreateContext", &egl.CreateContext},
      {"eglDestroyContext", &egl.DestroyContext},
      {"eglCreatePbufferSurface", &egl.CreatePbufferSurface},
      {"eglDestroySurface", &egl.DestroySurface},
      {"eglMakeCurrent", &egl.MakeCurrent},
      {"eglGetCurrentContext", &egl.GetCurrentContext},
      {"eglGetCurrentDisplay", &egl.GetCurrentDisplay},
      {"eglGetCurrentSurface", &egl.GetCurrentSurface},
      {"eglQueryAPI", &egl.QueryAPI},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
    void *symbol = dlsym(egl.library, wanted[i].name);
    if (!symbol) return false;
    memcpy(wanted[i].slot, &symbol, sizeof symbol);
  }
  return true;
}

static weft_result load_library(weft_error *err) {
  if (egl.library) return WEFT_OK;
  const char *name = getenv("WEFT_EGL_LIBRARY");
  if (!name || !*name) name = "libEGL.so.1";
  egl.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!egl.library) {
    return weft_fail(err, WEFT_ERROR_NO_GL,
                     "no OpenGL here: %s (Debian: libegl1 and libgl1-mesa-dri)", dlerror());
  }
  if (!find_functions()) {
    dlclose(egl.library);
    egl.library = NULL;
    return weft_fail(err, WEFT_ERROR_NO_GL, "no OpenGL here: %s lacks EGL 1.4 functions", name);
  }
  egl.GetPlatformDisplay =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl.GetProcAddress("eglGetPlatformDisplayEXT");
  egl.QueryDevices = (PFNEGLQUERYDEVICESEXTPROC)egl.GetProcAddress("eglQueryDevicesEXT");
  egl.QueryDeviceString =
      (PFNEGLQUERYDEVICESTRINGEXTPROC)egl.GetProcAddress("eglQueryDeviceStringEXT");
  return WEFT_OK;
}

/* True when `name` is a whole word of the space-separated list. */
static bool has_word(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at && (at = strstr(at, name)); at += length) {
    bool starts = at == list || at[-1] == ' ';
    if (starts && (at[length] == ' ' || at[length] == '\0')) return true;
  }
  return false;
}

/* ---- displays ---- */

static bool hold_display(EGLDisplay display) {
  size_t free_slot = MAX_DISPLAYS;
  for (size_t i = 0; i < MAX_DISPLAYS; ++i) {
    if (displays[i].uses && displays[i].display == display) return ++displays[i].uses, true;
    if (!displays[i].uses && free_slot == MAX_DISPLAYS) free_slot = i;
  }
  EGLint major, minor;
  if (free_slot == MAX_DISPLAYS || !egl.Initialize(display, &major, &minor)) return false;
  displays[free_slot].display = display;
  displays[free_slot].uses = 1;
  return true;
}

static void drop_display(EGLDisplay display) {
  for (size_t i = 0; i < MAX_DISPLAYS; ++i) {
    if (displays[i].uses && displays[i].display == display && --displays[i].uses == 0) {
      egl.Terminate(display);
    }
  }
}

/* ---- what is current ---- */

static bool has_glx(void) {
  const struct {
    const char *name;
    void *slot;
  } wanted[] = {{"glXGetCurrentContext", &glx.GetCurrentContext},
                {"glXGetCurrentDisplay", &glx.GetCurrentDisplay},
                {"glXGetCurrentDrawable", &glx.GetCurrentDrawable},
                {"glXGetCurrentReadDrawable", &glx.GetCurrentReadDrawable},
                {"glXMakeContextCurrent", &glx.MakeContextCurrent}};
  if (glx.library) return true;
  void *library = dlopen("libGLX.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_NOLOAD);
  for (size_t k = 0; library && k < sizeof wanted / sizeof *wanted; ++k) {
    void *symbol = dlsym(library, wanted[k].name);
    if (!symbol) return false;
    memcpy(wanted[k].slot, &symbol, sizeof symbol);
  }
  glx.library = library;
  return library != NULL;
}

static current note_current(void) {
  current now = {.api = egl.QueryAPI()};
  egl.BindAPI(EGL_OPENGL_API);
  now.context = egl.GetCurrentContext();
  if (now.context != EGL_NO_CONTEXT) {
    now.display = egl.GetCurrentDisplay();
    now.draw = egl.GetCurrentSurface(EGL_DRAW);
    now.read = egl.GetCurrentSurface(EGL_READ);
  } else if (has_glx() && glx.GetCurrentContext()) {
    now.glx = (glx_current){glx.GetCurrentDisplay(), glx.GetCurrentContext(),
                            glx.GetCurrentDrawable(), glx.GetCurrentReadDrawable()};
    glx.MakeContextCurrent(now.glx.display, 0, 0, NULL);
  }
  return now;
}

static void put_back(const current *was) {
  const EGLContext now = egl.GetCurrentContext();
  if (now != was->context) {
    if (was->context != EGL_NO_CONTEXT) {
      egl.MakeCurrent(was->display, was->draw, was->read, was->context);
    } else {
      egl.MakeCurrent(egl.GetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
  }
  if (was->glx.context) {
    glx.MakeContextCurrent(was->glx.display, was->glx.draw, was->glx.read, was->glx.context);
  }
  egl.BindAPI(was->api);
}

/* ---- one context ---- */

static void egl_make_current(weft_gl_native *base) {
  egl_native *native = (egl_native *)base;
  if (egl.GetCurrentContext() == native->context) return;
  egl.BindAPI(EGL_OPENGL_API);
  egl.MakeCurrent(native->display, native->surface, native->surface, native->context);
}

static bool egl_enter(weft_gl_native *base) {
  egl_native *native = (egl_native *)base;
  native->before = note_current();
  if (native->before.context == native->context) return true;
  if (egl.MakeCurrent(native->display, native->surface, native->surface, native->context)) {
    return true;
  }
  put_back(&native->before);
  return false;
}

static void egl_leave(weft_gl_native *base) {
  const egl_native *native = (egl_native *)base;
  put_back(&native->before);
}

static void egl_release(weft_gl_native *base) {
  egl_native *native = (egl_native *)base;
  pthread_mutex_lock(&lock);
  if (egl.GetCurrentContext() == native->context) {
    egl.MakeCurrent(native->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  if (native->surface != EGL_NO_SURFACE) egl.DestroySurface(native->display, native->surface);
  egl.DestroyContext(native->display, native->context);
  drop_display(native->display);
  pthread_mutex_unlock(&lock);
  weft_free(native);
}

static const char *error_name(void) {
  switch (egl.GetError()) {
    case EGL_NOT_INITIALIZED:
      return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS:
      return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC:
      return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE:
      return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG:
      return "EGL_BAD_CONFIG";
    case EGL_BAD_MATCH:
      return "EGL_BAD_MATCH (no OpenGL 4.3 core profile)";
    case EGL_BAD_PARAMETER:
      return "EGL_BAD_PARAMETER";
    default:
      return "unknown EGL error";
  }
}

/* A context on an initialised display, current when it returns true. */
static bool open_context(egl_native *native, bool debug, const char *who, reasons *why) {
  const char *extensions = egl.QueryString(native->display, EGL_EXTENSIONS);
  bool surfaceless = has_word(extensions, "EGL_KHR_surfaceless_context");
  EGLConfig config = NULL; /* EGL_NO_CONFIG_KHR */
  if (!surfaceless || !has_word(extensions, "EGL_KHR_no_config_context")) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLint count = 0;
    if (!egl.ChooseConfig(native->display, wanted, &config, 1, &count) || count < 1) {
      return add_reason(why, who, "no configuration with OpenGL"), false;
    }
  }
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                               4,
                               EGL_CONTEXT_MINOR_VERSION_KHR,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                               EGL_CONTEXT_FLAGS_KHR,
                               debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0,
                               EGL_NONE};
  native->context = EGL_NO_CONTEXT;
  if (egl.BindAPI(EGL_OPENGL_API)) {
    native->context = egl.CreateContext(native->display, config, EGL_NO_CONTEXT, attributes);
  }
  if (native->context == EGL_NO_CONTEXT) return add_reason(why, who, error_name()), false;
  native->surface = EGL_NO_SURFACE;
  if (!surfaceless) {
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    native->surface = egl.CreatePbufferSurface(native->display, config, size);
  }
  if (egl.MakeCurrent(native->display, native->surface, native->surface, native->context)) {
    return true;
  }
  add_reason(why, who, error_name());
  if (native->surface != EGL_NO_SURFACE) egl.DestroySurface(native->display, native->surface);
  egl.DestroyContext(native->display, native->context);
  return false;
}

static bool same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool has_part(const char *text, const char *part) {
  const size_t length = strlen(part);
  for (; *text; ++text) {
    size_t same = 0;
    while (same < length && text[same] && same_letter(text[same], part[same])) ++same;
    if (same == length) return true;
  }
  return false;
}

/* Whether it is the one that was asked for by name; NULL: any is. */
static bool is_called(const weft_gl *gl, const char *name, reasons *why) {
  if (!name || has_part(gl->renderer, name) || has_part(gl->egl_device, name)) return true;
  add_reason(why, gl->egl_device, gl->renderer);
  return false;
}

static weft_gl_function find_function(void *user, const char *name) {
  (void)user;
  return egl.GetProcAddress(name);
}

static void unlock(void *held) { pthread_mutex_unlock(held); }

/* Until it is let go, or memory runs out. */
static weft_deferred *hold(void) {
  weft_deferred *held = weft_defer(unlock, &lock);
  pthread_mutex_lock(&lock);
  return held;
}

static void let_go(weft_deferred *held) {
  weft_defer_end(held);
  unlock(&lock);
}

/* The whole way from a display to a usable gl; NULL and a reason otherwise. */
static weft_gl *open_display(EGLDisplay display, weft_gl_platform platform, const char *who,
                             const char *name, const weft_gl_desc *desc, reasons *why) {
  if (display == EGL_NO_DISPLAY) return add_reason(why, who, "no display"), NULL;
  egl_native *native = weft_alloc(1, sizeof *native);
  weft_gl *gl = weft_alloc(1, sizeof *gl); /* all that it takes, before there is a context */
  if (!hold_display(display)) {
    weft_free(gl);
    weft_free(native);
    return add_reason(why, who, error_name()), NULL;
  }
  native->base = (weft_gl_native){egl_make_current, egl_enter, egl_leave, egl_release};
  native->display = display;
  if (!open_context(native, desc->debug, who, why)) {
    drop_display(display);
    weft_free(gl);
    weft_free(native);
    return NULL;
  }
  gl->native = native;
  gl->platform = platform;
  snprintf(gl->egl_device, sizeof gl->egl_device, "%s", who);
  weft_error err = {0};
  weft_result result = weft_gl_take(gl, desc, (weft_gl_functions){find_function, NULL}, &err);
  if (result == WEFT_OK && is_called(gl, name, why)) return gl;
  if (result != WEFT_OK) add_reason(why, who, err.message);
  pthread_mutex_unlock(&lock); /* egl_release takes it */
  egl_release(&native->base);
  pthread_mutex_lock(&lock);
  weft_free(gl);
  return NULL;
}

/* ---- devices ---- */

typedef struct device_list {
  EGLDeviceEXT handles[MAX_DEVICES];
  EGLint count;
} device_list;

/* Which devices may be tried. */
typedef struct device_choice {
  int index; /* -1: any */
  bool hardware, software;
  const char *name;  /* a part of its name; NULL: any */
  const char *asked; /* as it was given, or NULL */
} device_choice;

static weft_result read_choice(const char *asked, device_choice *choice, weft_error *err) {
  *choice = (device_choice){.index = -1, .hardware = true, .software = true};
  if (!asked) asked = getenv("WEFT_EGL_DEVICE");
  if (!asked || !*asked) return WEFT_OK;
  choice->asked = asked;
  if (!strcmp(asked, "software")) return choice->hardware = false, WEFT_OK;
  if (!strcmp(asked, "hardware")) return choice->software = false, WEFT_OK;
  char *end;
  long index = strtol(asked, &end, 10);
  if (*end) return choice->name = asked, WEFT_OK;
  if (index < 0 || index >= MAX_DEVICES) {
    return weft_fail(err, WEFT_ERROR_NO_GL,
                     "--device, WEFT_EGL_DEVICE: \"%.40s\" is no device number below %d", asked,
                     MAX_DEVICES);
  }
  choice->index = (int)index;
  return WEFT_OK;
}

static bool is_software(EGLDeviceEXT device) {
  const char *extensions = egl.QueryDeviceString(device, EGL_EXTENSIONS);
  return has_word(extensions, "EGL_MESA_device_software");
}

static void name_device(EGLDeviceEXT device, EGLint index, char *name, size_t size) {
  const char *extensions = egl.QueryDeviceString(device, EGL_EXTENSIONS);
  const char *file = NULL;
  if (has_word(extensions, "EGL_EXT_device_drm")) {
    file = egl.QueryDeviceString(device, EGL_DRM_DEVICE_FILE_EXT);
  }
  if (file) {
    snprintf(name, size, "device %d (%.80s)", index, file);
  } else {
    snprintf(name, size, "device %d%s", index, is_software(device) ? " (software)" : "");
  }
}

static weft_gl *try_device(const device_list *devices, EGLint index, const char *called,
                           const weft_gl_desc *desc, reasons *why) {
  char name[128];
  name_device(devices->handles[index], index, name, sizeof name);
  EGLDisplay display =
      egl.GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices->handles[index], NULL);
  return open_display(display, WEFT_GL_EGL_DEVICE, name, called, desc, why);
}

static bool list_devices(device_list *devices) {
  devices->count = 0;
  return egl.GetPlatformDisplay && egl.QueryDevices && egl.QueryDeviceString &&
         egl.QueryDevices(MAX_DEVICES, devices->handles, &devices->count);
}

/* Hardware in the driver's order, then software. */
static weft_gl *try_devices(const device_choice *choice, const weft_gl_desc *desc, reasons *why) {
  device_list devices;
  if (!list_devices(&devices)) {
    return add_reason(why, "EGL device platform", "not offered by libEGL"), NULL;
  }
  if (choice->index >= devices.count) {
    char text[80];
    snprintf(text, sizeof text, "there are %d devices", devices.count);
    return add_reason(why, "EGL device platform", text), NULL;
  }
  if (choice->index >= 0) return try_device(&devices, choice->index, NULL, desc, why);
  for (int software = 0; software <= 1; ++software) {
    if (software ? !choice->software : !choice->hardware) continue;
    for (EGLint i = 0; i < devices.count; ++i) {
      if (is_software(devices.handles[i]) != (software == 1)) continue;
      weft_gl *gl = try_device(&devices, i, choice->name, desc, why);
      if (gl) return gl;
    }
  }
  if (!why->length) add_reason(why, "EGL device platform", "no device of the kind asked for");
  return NULL;
}

static weft_gl *try_surfaceless(const weft_gl_desc *desc, reasons *why) {
  const char *extensions = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (!egl.GetPlatformDisplay || !has_word(extensions, "EGL_MESA_platform_surfaceless")) {
    return add_reason(why, "EGL surfaceless platform", "not offered by libEGL"), NULL;
  }
  EGLDisplay display =
      egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  return open_display(display, WEFT_GL_EGL_SURFACELESS, "surfaceless", NULL, desc, why);
}

static weft_gl *open_any(const weft_gl_desc *desc, weft_error *err) {
  device_choice choice;
  if (load_library(err) || read_choice(desc->device, &choice, err)) return NULL;
  reasons why = {.length = 0};
  const current before = note_current();
  weft_gl *gl = try_devices(&choice, desc, &why);
  if (!gl && !choice.asked) gl = try_surfaceless(desc, &why);
  put_back(&before);
  if (gl) return gl;
  weft_fail(err, WEFT_ERROR_NO_GL, "no OpenGL 4.3 context%s%.40s%s: %s",
            choice.asked ? " on the device \"" : "", choice.asked ? choice.asked : "",
            choice.asked ? "\" (--device, WEFT_EGL_DEVICE)" : "", why.text);
  return NULL;
}

/* "0: NVIDIA H200 (/dev/dri/card0)" */
static void describe_device(const device_list *devices, EGLint index, weft_string *text) {
  const weft_gl_desc plain = {.group_size = 64};
  reasons why = {.length = 0};
  char name[128];
  name_device(devices->handles[index], index, name, sizeof name);
  const char *more = strchr(name, '(');
  weft_deferred *held = hold();
  const current before = note_current();
  weft_gl *gl = try_device(devices, index, NULL, &plain, &why);
  put_back(&before);
  let_go(held);
  char renderer[sizeof gl->renderer];
  if (gl) snprintf(renderer, sizeof renderer, "%s", gl->renderer);
  weft_gl_destroy(gl);
  if (gl) {
    weft_string_add(text, "%d: %s%s%s\n", index, renderer, more ? " " : "", more ? more : "");
  } else {
    weft_string_add(text, "%d: not usable: %s\n", index, why.text);
  }
}

char *weft_gl_list_devices(void) {
  WEFT_GUARD_OR(NULL);
  device_list devices = {.count = 0};
  weft_string text = {0};
  pthread_mutex_lock(&lock);
  const bool there = load_library(NULL) == WEFT_OK && list_devices(&devices);
  pthread_mutex_unlock(&lock);
  for (EGLint i = 0; there && i < devices.count; ++i) describe_device(&devices, i, &text);
  weft_string_add(&text, "%s", "");
  return text.bytes;
}

weft_result weft_gl_create_headless(const weft_gl_desc *desc, weft_gl **gl, weft_error *err) {
  WEFT_NEED(gl);
  *gl = NULL;
  WEFT_GUARD(err);
  weft_gl_desc resolved;
  weft_result result = weft_gl_desc_resolve(desc, &resolved, err);
  if (result) return result;
  weft_deferred *held = hold();
  *gl = open_any(&resolved, err);
  let_go(held);
  if (*gl) {
    weft_log(WEFT_LOG_DEBUG, "OpenGL %s on %s (%s)", (*gl)->version, (*gl)->renderer,
             (*gl)->egl_device);
    return WEFT_OK;
  }
  weft_free((void *)(uintptr_t)resolved.shader_dir);
  return WEFT_ERROR_NO_GL;
}
