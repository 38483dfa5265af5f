/* A program with a GL loader of its own, made by the same generator as weft's, so of the same
 * names. Neither sees the other: weft leaves the program's functions alone, and never calls them.
 */
#include <dlfcn.h>
#include <glad/gl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>
#include <weft_gl/gl.h>

static void called(void) {
  fprintf(stderr, "own_loader: weft called a function of the program\n");
  abort();
}

static int fall(const weft_model *model, const weft_backend *backend, uint64_t *hash,
                weft_error *err) {
  weft_solver *solver = NULL;
  int failed = weft_solver_create(model, NULL, backend, &solver, err) ||
               weft_solver_step(solver, err) || weft_solver_hash(solver, hash, err);
  weft_solver_destroy(solver);
  return failed;
}

/* POSIX: what dlsym gives may be a function. */
static GLADapiproc load(void *get, const char *name) {
  GLADapiproc (*get_address)(const char *) = NULL;
  *(void **)&get_address = get;
  return get_address(name);
}

static void *function(void *egl, const char *name) { return egl ? dlsym(egl, name) : NULL; }

/* A context of the program's own, without a surface: weft leaves none current. False: none. */
static bool make_current(void *egl) {
  enum { SURFACELESS = 0x31DD, OPENGL = 0x30A2, MAJOR = 0x3098, MINOR = 0x30FB, END = 0x3038 };
  void *(*get_display)(unsigned, void *, const void *) = NULL;
  unsigned (*initialize)(void *, int *, int *) = NULL;
  unsigned (*bind_api)(unsigned) = NULL;
  void *(*create)(void *, void *, void *, const int *) = NULL;
  unsigned (*current)(void *, void *, void *, void *) = NULL;
  const int version[] = {MAJOR, 4, MINOR, 3, END};
  *(void **)&get_display = function(egl, "eglGetPlatformDisplay");
  *(void **)&initialize = function(egl, "eglInitialize");
  *(void **)&bind_api = function(egl, "eglBindAPI");
  *(void **)&create = function(egl, "eglCreateContext");
  *(void **)&current = function(egl, "eglMakeCurrent");
  if (!get_display || !initialize || !bind_api || !create || !current) return false;
  void *display = get_display(SURFACELESS, NULL, NULL);
  if (!display || !initialize(display, NULL, NULL) || !bind_api(OPENGL)) return false;
  void *context = create(display, NULL, NULL, version);
  return context && current(display, NULL, NULL, context);
}

int main(void) {
  weft_error err = {0};
  weft_gl *gl = NULL;
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  const weft_backend *backend = NULL;
  uint64_t on_gl = 0, on_ref = 1;
  if (weft_gl_create_headless(NULL, &gl, &err)) {
    printf("skipped: %s\n", err.message);
    return 77;
  }
  if (glad_glGenBuffers || glad_glDispatchCompute) {
    fprintf(stderr, "own_loader: weft loaded the program's functions\n");
    return 1;
  }
  glad_glGenBuffers = (PFNGLGENBUFFERSPROC)called;
  glad_glBindBuffer = (PFNGLBINDBUFFERPROC)called;
  glad_glUseProgram = (PFNGLUSEPROGRAMPROC)called;
  glad_glDispatchCompute = (PFNGLDISPATCHCOMPUTEPROC)called;
  int failed = weft_backend_gl(gl, &backend, &err) ||
               weft_mesh_grid(&(weft_grid_desc){.rows = 8, .columns = 8}, &mesh, &err) ||
               weft_model_create(&(weft_model_desc){.mesh = &mesh}, &model, &err) ||
               fall(model, backend, &on_gl, &err) || fall(model, weft_backend_ref(), &on_ref, &err);
  if (failed) fprintf(stderr, "own_loader: %s\n", err.message);
  void *egl = dlopen("libEGL.so.1", RTLD_NOW);
  void *get = function(egl, "eglGetProcAddress");
  if (!get || !make_current(egl) || !gladLoadGLUserPtr((GLADuserptrloadfunc)load, get)) {
    fprintf(stderr, "own_loader: the program's own functions cannot be loaded\n");
    failed = 1;
  } else {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    if (!glIsBuffer(buffer)) failed = 1;
    glDeleteBuffers(1, &buffer);
  }
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
  weft_gl_destroy(gl);
  printf("with a loader of its own: %s\n", !failed && on_gl == on_ref ? "same bits" : "FAILED");
  return failed || on_gl != on_ref;
}
