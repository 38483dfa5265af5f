// engine.cpp: cloth in the loop of an engine: a window of GLFW with a camera that the mouse turns.
// A ball goes up and down through a sheet that lies on it. The engine's compute shader moves the
// ball in a vertex buffer of the engine's; weft takes it from there, and the engine draws weft's
// vertices from weft's: no position goes over the host.
//
//   engine [FRAMES [PICTURE.ppm]]   default: until the window is closed
#include <cstdint>
// before little_gl.h
#include "little_gl.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <weft/weft.h>
#include <weft_gl/share.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// ---- weft in C++: results become exceptions, handles know how they end ----

void check(weft_result result, const weft_error &err) {
  if (result != WEFT_OK) throw std::runtime_error(err.message);
}

template <class T, void (*destroy)(T *)>
struct destroyer {
  void operator()(T *p) const { destroy(p); }
};
template <class T, void (*destroy)(T *)>
using handle = std::unique_ptr<T, destroyer<T, destroy>>;
using gl_handle = handle<weft_gl, weft_gl_destroy>;
using model_handle = handle<weft_model, weft_model_destroy>;
using solver_handle = handle<weft_solver, weft_solver_destroy>;
using drawing_handle = handle<weft_gl_drawing, weft_gl_drawing_destroy>;

weft_gl_function load(void *, const char *name) { return glfwGetProcAddress(name); }

// ---- the window and its camera ----

struct orbit {
  double around = 0.6, above = 0.35, away = 1.5, x = 0, y = 0;
  bool held = false;
};

struct window {
  GLFWwindow *glfw = nullptr;
  orbit camera;

  window(int width, int height) {
    if (!glfwInit()) throw std::runtime_error("no window can be opened");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfw = glfwCreateWindow(width, height, "weft in an engine", nullptr, nullptr);
    if (!glfw) throw std::runtime_error("no window with OpenGL 4.3");
    glfwMakeContextCurrent(glfw);
    glfwSetWindowUserPointer(glfw, &camera);
    glfwSetMouseButtonCallback(glfw, [](GLFWwindow *w, int button, int action, int) {
      auto *c = static_cast<orbit *>(glfwGetWindowUserPointer(w));
      if (button == GLFW_MOUSE_BUTTON_LEFT) c->held = action == GLFW_PRESS;
    });
    glfwSetCursorPosCallback(glfw, [](GLFWwindow *w, double x, double y) {
      auto *c = static_cast<orbit *>(glfwGetWindowUserPointer(w));
      if (c->held) {
        c->around -= 0.01 * (x - c->x);
        c->above = std::fmin(1.4, std::fmax(-0.3, c->above + 0.01 * (y - c->y)));
      }
      c->x = x;
      c->y = y;
    });
    glfwSetScrollCallback(glfw, [](GLFWwindow *w, double, double y) {
      auto *c = static_cast<orbit *>(glfwGetWindowUserPointer(w));
      c->away *= std::exp(-0.1 * y);
    });
  }
  ~window() { glfwTerminate(); }
  window(const window &) = delete;
  window &operator=(const window &) = delete;
};

little_function find(const char *name) { return glfwGetProcAddress(name); }

// ---- the engine's ball: a compute shader writes where its vertices are ----

const char *const move_text =
    "#version 430\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) readonly buffer Rest { float rest[]; };\n"
    "layout(std430, binding = 1) writeonly buffer Now { float now[]; };\n"
    "layout(location = 0) uniform float time;\n"
    "void main() {\n"
    "  uint k = gl_GlobalInvocationID.x;\n"
    "  if (3u * k >= uint(rest.length())) return;\n"
    "  float c = cos(time), s = sin(time), up = -0.31 + 0.12 * sin(2.0 * time);\n"
    "  vec3 p = 0.3 * vec3(rest[3u * k], rest[3u * k + 1u], rest[3u * k + 2u]);\n"
    "  p = vec3(c * p.x + s * p.z, p.y + up, c * p.z - s * p.x);\n"
    "  now[3u * k] = p.x; now[3u * k + 1u] = p.y; now[3u * k + 2u] = p.z;\n"
    "}\n";

struct ball {
  std::vector<float> points = std::vector<float>(3 * LITTLE_POINTS);
  std::vector<std::uint32_t> triangles = std::vector<std::uint32_t>(3 * LITTLE_TRIANGLES);
  GLuint rest, now, vertices, move;

  ball() {
    little_ball(points.data(), triangles.data());
    const auto bytes = static_cast<GLsizeiptr>(points.size() * sizeof(float));
    rest = little_buffer(GL_SHADER_STORAGE_BUFFER, bytes, points.data());
    now = little_buffer(GL_SHADER_STORAGE_BUFFER, bytes, nullptr);
    gl.GenVertexArrays(1, &vertices);
    gl.BindVertexArray(vertices);
    little_attribute(0, 3, now, 12, 0);
    little_attribute(1, 3, rest, 12, 0);  // of a unit sphere: its normals, but for the turn
    little_buffer(GL_ELEMENT_ARRAY_BUFFER,
                  static_cast<GLsizeiptr>(triangles.size() * sizeof(std::uint32_t)),
                  triangles.data());
    move = gl.CreateProgram();
    little_attach(move, GL_COMPUTE_SHADER, move_text);
    little_link(move);
  }

  void place(float time) const {
    gl.UseProgram(move);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, rest);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, now);
    gl.Uniform1f(0, time);
    gl.DispatchCompute((LITTLE_POINTS + 63) / 64, 1, 1);
    gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
  }

  weft_gl_view view() const {
    weft_gl_view view = {};
    view.buffer = now;
    view.stride = 12;
    view.count = LITTLE_POINTS;
    return view;
  }
};

// ---- the cloth ----

struct cloth {
  gl_handle gl;
  model_handle model;
  solver_handle solver;
  drawing_handle drawing;
  weft_gl_vertices shown = {};
  GLuint vertices = 0;

  explicit cloth(const ball &body) {
    weft_error err = {};
    weft_gl *adopted = nullptr;
    check(weft_gl_adopt(nullptr, load, nullptr, &adopted, &err), err);
    gl.reset(adopted);
    const weft_backend *backend = nullptr;
    check(weft_backend_gl(adopted, &backend, &err), err);

    weft_grid_desc grid = {};
    grid.rows = grid.columns = 32;
    grid.plane = WEFT_PLANE_XZ;
    weft_mesh mesh = {};
    check(weft_mesh_grid(&grid, &mesh, &err), err);
    weft_model_desc desc = {};
    desc.mesh = &mesh;
    weft_model *made = nullptr;
    const weft_result result = weft_model_create(&desc, &made, &err);
    weft_mesh_free(&mesh);
    check(result, err);
    model.reset(made);

    // The ball where the engine has it at first; from then on it comes from the buffer.
    std::vector<weft_vec3> places(LITTLE_POINTS);
    for (std::size_t k = 0; k < places.size(); ++k) {
      places[k] = {0.3f * body.points[3 * k], 0.3f * body.points[3 * k + 1] - 0.31f,
                   0.3f * body.points[3 * k + 2]};
    }
    std::vector<std::uint32_t> triangles = body.triangles;
    weft_mesh solid = {};
    solid.vertex_count = LITTLE_POINTS;
    solid.triangle_count = LITTLE_TRIANGLES;
    solid.positions = places.data();
    solid.triangles = triangles.data();
    weft_body moving = {};
    moving.mesh = &solid;
    moving.friction_static = 0.5f;
    moving.friction_dynamic = 0.4f;
    weft_params params = {};
    params.bodies = &moving;
    params.body_count = 1;
    params.line_sweeps = 1;
    weft_solver *solved = nullptr;
    check(weft_solver_create(made, &params, backend, &solved, &err), err);
    solver.reset(solved);
    weft_gl_drawing *drawn = nullptr;
    check(weft_gl_drawing_create(solved, nullptr, &drawn, &err), err);
    drawing.reset(drawn);
    check(weft_gl_drawing_update(drawn, &shown, &err), err);
    ::gl.GenVertexArrays(1, &vertices);
    ::gl.BindVertexArray(vertices);
    little_attribute(0, 3, shown.positions.buffer, shown.positions.stride, shown.positions.offset);
    little_attribute(1, 3, shown.normals.buffer, shown.normals.stride, shown.normals.offset);
    ::gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, shown.indices.buffer);
  }

  void step(const weft_gl_view &body) {
    weft_error err = {};
    check(weft_solver_gl_move_body(solver.get(), 0, &body, &err), err);
    check(weft_solver_step(solver.get(), &err), err);
    check(weft_gl_drawing_update(drawing.get(), &shown, &err), err);
  }
};

// ---- the engine's renderer ----

const char *const vertex_text =
    "#version 430\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 0) uniform mat4 camera;\n"
    "out vec3 v_normal;\n"
    "void main() { v_normal = normal; gl_Position = camera * vec4(position, 1.0); }\n";
const char *const fragment_text =
    "#version 430\n"
    "in vec3 v_normal;\n"
    "layout(location = 2) uniform vec4 colour;\n"
    "out vec4 o_colour;\n"
    "void main() {\n"
    "  vec3 n = normalize(gl_FrontFacing ? v_normal : -v_normal);\n"
    "  o_colour = vec4((0.3 + 0.7 * max(0.0, dot(n, normalize(vec3(0.5, 0.8, 0.3))))) * "
    "colour.rgb, 1.0);\n"
    "}\n";

void draw(const orbit &from, int width, int height, GLuint program, const ball &body,
          const cloth &sheet) {
  const double flat = std::cos(from.above);
  const float eye[3] = {static_cast<float>(from.away * flat * std::sin(from.around)),
                        static_cast<float>(from.away * std::sin(from.above) - 0.2),
                        static_cast<float>(from.away * flat * std::cos(from.around))};
  const float at[3] = {0, -0.25f, 0};
  float camera[16];
  little_camera(camera, eye, at, static_cast<float>(width) / static_cast<float>(height));
  gl.Viewport(0, 0, width, height);
  gl.ClearColor(0.85f, 0.87f, 0.9f, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  gl.Enable(GL_DEPTH_TEST);
  gl.UseProgram(program);
  gl.UniformMatrix4fv(0, 1, GL_FALSE, camera);
  gl.Uniform4f(2, 0.8f, 0.65f, 0.3f, 1);
  gl.BindVertexArray(body.vertices);
  gl.DrawElements(GL_TRIANGLES, 3 * LITTLE_TRIANGLES, GL_UNSIGNED_INT, nullptr);
  little_move(camera, sheet.shown.origin);
  gl.UniformMatrix4fv(0, 1, GL_FALSE, camera);
  gl.Uniform4f(2, 0.2f, 0.4f, 0.75f, 1);
  gl.BindVertexArray(sheet.vertices);
  gl.DrawElements(
      GL_TRIANGLES, static_cast<GLsizei>(sheet.shown.indices.count), GL_UNSIGNED_INT,
      reinterpret_cast<const void *>(static_cast<std::uintptr_t>(sheet.shown.indices.offset)));
}

int run(int frames, const char *picture) {
  window view(640, 480);
  little_load(find);
  ball body;
  cloth sheet(body);
  GLuint program = gl.CreateProgram();
  little_attach(program, GL_VERTEX_SHADER, vertex_text);
  little_attach(program, GL_FRAGMENT_SHADER, fragment_text);
  little_link(program);
  int width = 0, height = 0;
  for (int frame = 0; frame != frames && !glfwWindowShouldClose(view.glfw); ++frame) {
    body.place(static_cast<float>(frame) / 60);
    sheet.step(body.view());
    glfwGetFramebufferSize(view.glfw, &width, &height);
    draw(view.camera, width, height, program, body, sheet);
    if (frame + 1 == frames && picture) {
      std::vector<unsigned char> pixels(4 * static_cast<std::size_t>(width) *
                                        static_cast<std::size_t>(height));
      gl.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
      little_write(picture, pixels.data(), width, height);
    }
    glfwSwapBuffers(view.glfw);
    glfwPollEvents();
  }
  weft_error err = {};
  weft_metrics metrics;
  check(weft_solver_metrics(sheet.solver.get(), &metrics, &err), err);
  std::printf(
      "engine: %llu frames, cloth from %.3f to %.3f m, %u particles in the ball, OpenGL "
      "error %u\n",
      static_cast<unsigned long long>(weft_solver_frame(sheet.solver.get())),
      static_cast<double>(metrics.box_min.y), static_cast<double>(metrics.box_max.y),
      metrics.body_inside, gl.GetError());
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? std::atoi(argv[1]) : -1, argc > 2 ? argv[2] : nullptr);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "engine: %s\n", error.what());
    return std::strstr(error.what(), "window") ? 77 : 1;
  }
}
