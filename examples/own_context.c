/* own_context.c: cloth in an OpenGL context of one's own. The program makes the context with EGL
 * and finds its functions itself; weft adopts it, simulates in it, and fills a vertex buffer that
 * the program draws with its own shaders. In all of its frames nothing is read back from the GPU:
 * the loader that weft is given counts.
 *
 *   own_context [PICTURE.ppm [CLOTH.obj]]   and writes the cloth as it was, for other programs
 *
 * `weft simulate CLOTH.obj --pin corners --plain --self-collision off --thickness 0.003
 * --collider sphere:0,-0.6,-0.45,0.25 --frames 120` ends with the same hash. */
#include <stdint.h>
/* before little_gl.h */
#include "little_gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <inttypes.h>
#include <string.h>
#include <weft/weft.h>
#include <weft_gl/share.h>
#include <weft_kit/weft_kit.h>

enum { SIDE = 48, FRAMES = 120, WIDTH = 640, HEIGHT = 480 };
static const float ball_y = -0.6f, ball_z = -0.45f, ball_radius = 0.25f;

static void check(weft_result result, const weft_error *err) {
  if (result == WEFT_OK) return;
  fprintf(stderr, "own_context: %s\n", err->message);
  exit(result == WEFT_ERROR_NO_GL ? 77 : EXIT_FAILURE);
}

/* ---- the context ---- */

static void make_context(void) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  EGLDisplay display =
      get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
  if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  const EGLint wish[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  EGLConfig config = NULL;
  EGLint count = 0;
  EGLContext context = EGL_NO_CONTEXT;
  if (eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_API) &&
      eglChooseConfig(display, wish, &config, 1, &count) && count > 0) {
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  }
  if (context == EGL_NO_CONTEXT ||
      !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    fprintf(stderr, "own_context: no OpenGL 4.3 here\n");
    exit(77);
  }
}

static little_function find(const char *name) { return eglGetProcAddress(name); }

/* ---- what would wait for the GPU is counted ---- */

static unsigned read_backs;
static PFNGLGETBUFFERSUBDATAPROC get_data;
static PFNGLMAPBUFFERRANGEPROC map_range;
static PFNGLMAPBUFFERPROC map;
static PFNGLREADPIXELSPROC read_pixels;
static PFNGLGETTEXIMAGEPROC get_image;

static void APIENTRY count_get_data(GLenum target, GLintptr first, GLsizeiptr size, void *data) {
  ++read_backs;
  get_data(target, first, size, data);
}
static void *APIENTRY count_map_range(GLenum target, GLintptr first, GLsizeiptr size,
                                      GLbitfield access) {
  ++read_backs;
  return map_range(target, first, size, access);
}
static void *APIENTRY count_map(GLenum target, GLenum access) {
  ++read_backs;
  return map(target, access);
}
static void APIENTRY count_read_pixels(GLint x, GLint y, GLsizei width, GLsizei height,
                                       GLenum format, GLenum type, void *pixels) {
  ++read_backs;
  read_pixels(x, y, width, height, format, type, pixels);
}
static void APIENTRY count_get_image(GLenum target, GLint level, GLenum format, GLenum type,
                                     void *pixels) {
  ++read_backs;
  get_image(target, level, format, type, pixels);
}

/* The loader that weft gets. */
static weft_gl_function load(void *user, const char *name) {
  (void)user;
#define COUNTED(text, real, type, counting) \
  if (strcmp(name, text) == 0) {            \
    real = (type)eglGetProcAddress(name);   \
    return (weft_gl_function)counting;      \
  }
  COUNTED("glGetBufferSubData", get_data, PFNGLGETBUFFERSUBDATAPROC, count_get_data)
  COUNTED("glMapBufferRange", map_range, PFNGLMAPBUFFERRANGEPROC, count_map_range)
  COUNTED("glMapBuffer", map, PFNGLMAPBUFFERPROC, count_map)
  COUNTED("glReadPixels", read_pixels, PFNGLREADPIXELSPROC, count_read_pixels)
  COUNTED("glGetTexImage", get_image, PFNGLGETTEXIMAGEPROC, count_get_image)
#undef COUNTED
  return eglGetProcAddress(name);
}

/* ---- the cloth: a sheet held by its corners, above a ball ---- */

/* And the vertices that are drawn of it. For a cloth from a file weft_source_read and
 * weft_mesh_import come first: then there are more vertices than particles, where its texture has
 * seams. */
static weft_solver *make_cloth(const weft_backend *backend, weft_model **model,
                               weft_source_vertices *drawn, const char *file) {
  weft_error err = {0};
  weft_mesh mesh = {0};
  weft_solver *solver = NULL;
  const weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .plane = WEFT_PLANE_XZ};
  check(weft_mesh_grid(&grid, &mesh, &err), &err);
  if (file) check(weft_mesh_export_obj(file, &mesh, NULL, &err), &err);
  weft_source source = {0};
  check(weft_source_from_mesh(&mesh, &source, &err), &err);
  check(weft_source_split(&source, &mesh, drawn, &err), &err);
  weft_source_free(&source);
  const weft_pin corners = {.rule = WEFT_PIN_CORNERS};
  const weft_model_desc desc = {.mesh = &mesh, .pins = &corners, .pin_count = 1};
  check(weft_model_create(&desc, model, &err), &err);
  weft_mesh_free(&mesh);
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                              .a = {0, ball_y, ball_z},
                              .radius = ball_radius,
                              .friction_static = 0.4f,
                              .friction_dynamic = 0.3f};
  weft_params params = {
      .air_density = 1.2f, .thickness = 0.003f, .colliders = &ball, .collider_count = 1};
  weft_params_plain(&params);
  check(weft_solver_create(*model, &params, backend, &solver, &err), &err);
  return solver;
}

/* ---- drawing ---- */

static const char *const vertex_text =
    "#version 430\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 uv;\n"
    "layout(location = 0) uniform mat4 camera;\n"
    "layout(location = 1) uniform vec4 ball;\n" /* centre, radius; radius 0: cloth */
    "out vec3 v_normal;\n"
    "out vec2 v_uv;\n"
    "void main() {\n"
    "  bool is_ball = ball.w > 0.0;\n"
    "  v_normal = is_ball ? position : normal;\n"
    "  v_uv = is_ball ? vec2(0.0) : uv;\n"
    "  gl_Position = camera * vec4(is_ball ? ball.xyz + ball.w * position : position, 1.0);\n"
    "}\n";
static const char *const fragment_text =
    "#version 430\n"
    "in vec3 v_normal;\n"
    "in vec2 v_uv;\n"
    "layout(location = 2) uniform vec4 colour;\n"
    "out vec4 o_colour;\n"
    "void main() {\n"
    "  vec3 n = normalize(gl_FrontFacing ? v_normal : -v_normal);\n"
    "  float light = 0.25 + 0.75 * max(0.0, dot(n, normalize(vec3(0.4, 0.8, 0.5))));\n"
    "  vec2 cell = floor(8.0 * v_uv);\n"
    "  float check = mod(cell.x + cell.y, 2.0) < 0.5 ? 1.0 : 0.55;\n"
    "  o_colour = vec4(light * check * colour.rgb, 1.0);\n"
    "}\n";

typedef struct scene {
  GLuint program, frame, cloth, ball;
} scene;

static scene make_scene(void) {
  scene s = {0};
  GLuint targets[2];
  static float points[3 * LITTLE_POINTS];
  static uint32_t triangles[3 * LITTLE_TRIANGLES];
  s.program = gl.CreateProgram();
  little_attach(s.program, GL_VERTEX_SHADER, vertex_text);
  little_attach(s.program, GL_FRAGMENT_SHADER, fragment_text);
  little_link(s.program);
  gl.GenFramebuffers(1, &s.frame);
  gl.GenRenderbuffers(2, targets);
  gl.BindFramebuffer(GL_FRAMEBUFFER, s.frame);
  gl.BindRenderbuffer(GL_RENDERBUFFER, targets[0]);
  gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, targets[0]);
  gl.BindRenderbuffer(GL_RENDERBUFFER, targets[1]);
  gl.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, targets[1]);
  little_ball(points, triangles);
  gl.GenVertexArrays(1, &s.ball);
  gl.BindVertexArray(s.ball);
  little_attribute(0, 3, little_buffer(GL_ARRAY_BUFFER, sizeof points, points), 12, 0);
  little_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof triangles, triangles);
  gl.Viewport(0, 0, WIDTH, HEIGHT);
  gl.Enable(GL_DEPTH_TEST);
  return s;
}

/* Two of weft's buffers and one of the program's. */
static void attach_cloth(scene *s, const weft_gl_vertices *vertices,
                         const weft_source_vertices *drawn) {
  const GLsizeiptr bytes = (GLsizeiptr)(drawn->vertex_count * sizeof *drawn->uvs);
  const weft_gl_view *x = &vertices->positions, *n = &vertices->normals;
  gl.GenVertexArrays(1, &s->cloth);
  gl.BindVertexArray(s->cloth);
  little_attribute(0, 3, x->buffer, x->stride, x->offset);
  little_attribute(1, 3, n->buffer, n->stride, n->offset);
  little_attribute(2, 2, little_buffer(GL_ARRAY_BUFFER, bytes, drawn->uvs), 8, 0);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, vertices->indices.buffer);
}

static void draw(const scene *s, const weft_gl_vertices *vertices) {
  const float eye[3] = {1.3f, 0.1f, 0.9f}, at[3] = {0, -0.5f, -0.4f};
  float camera[16];
  gl.ClearColor(0.09f, 0.1f, 0.12f, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  gl.UseProgram(s->program);
  little_camera(camera, eye, at, (float)WIDTH / HEIGHT);
  gl.UniformMatrix4fv(0, 1, GL_FALSE, camera);
  gl.Uniform4f(1, 0, ball_y, ball_z, ball_radius - 0.004f);
  gl.Uniform4f(2, 0.55f, 0.6f, 0.7f, 1);
  gl.BindVertexArray(s->ball);
  gl.DrawElements(GL_TRIANGLES, 3 * LITTLE_TRIANGLES, GL_UNSIGNED_INT, NULL);
  little_move(camera, vertices->origin);
  gl.UniformMatrix4fv(0, 1, GL_FALSE, camera);
  gl.Uniform4f(1, 0, 0, 0, 0);
  gl.Uniform4f(2, 0.85f, 0.35f, 0.25f, 1);
  gl.BindVertexArray(s->cloth);
  gl.DrawElements(GL_TRIANGLES, (GLsizei)vertices->indices.count, GL_UNSIGNED_INT,
                  (const void *)(uintptr_t)vertices->indices.offset);
}

int main(int argc, char **argv) {
  weft_error err = {0};
  weft_gl *adopted = NULL;
  const weft_backend *backend = NULL;
  weft_model *model = NULL;
  weft_gl_drawing *drawing = NULL;
  weft_gl_vertices vertices;
  make_context();
  little_load(find);
  check(weft_gl_adopt(NULL, load, NULL, &adopted, &err), &err);
  check(weft_backend_gl(adopted, &backend, &err), &err);
  weft_source_vertices drawn = {0};
  weft_solver *solver = make_cloth(backend, &model, &drawn, argc > 2 ? argv[2] : NULL);
  const weft_gl_drawing_desc desc = {.particles = drawn.particles,
                                     .vertex_count = drawn.vertex_count,
                                     .triangles = drawn.triangles,
                                     .triangle_count = drawn.triangle_count};
  check(weft_gl_drawing_create(solver, &desc, &drawing, &err), &err);
  check(weft_gl_drawing_update(drawing, &vertices, &err), &err);
  scene s = make_scene();
  attach_cloth(&s, &vertices, &drawn);
  weft_source_vertices_free(&drawn);

  read_backs = 0;
  for (int frame = 0; frame < FRAMES; ++frame) {
    check(weft_solver_step(solver, &err), &err);
    check(weft_gl_drawing_update(drawing, &vertices, &err), &err);
    draw(&s, &vertices);
  }
  const unsigned in_frames = read_backs;

  uint64_t hash = 0;
  check(weft_solver_hash(solver, &hash, &err), &err);
  printf("own_context: %d frames, %u read-backs, %u after them, OpenGL error %u, hash %016" PRIx64
         "\n",
         FRAMES, in_frames, read_backs - in_frames, gl.GetError(), hash);
  static unsigned char pixels[4 * WIDTH * HEIGHT];
  gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  if (argc > 1) little_write(argv[1], pixels, WIDTH, HEIGHT);

  weft_gl_drawing_destroy(drawing);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(adopted);
  return in_frames ? EXIT_FAILURE : EXIT_SUCCESS;
}
