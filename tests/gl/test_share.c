/* Buffers that a solver and its caller share: views, vertices to draw, what is read without waiting
 * and what is given on the GPU, against what the functions that copy say. */
#include "caller.h"
/* after caller.h */
#include <math.h>
#include <stdlib.h>
#include <weft/change.h>
#include <weft/weft.h>
#include <weft_gl/share.h>

#include "state.h"

static EGLContext context;
static weft_gl *gl;
static const weft_backend *backend;

static void done(weft_result result, const weft_error *err) {
  if (result != WEFT_OK) fail_msg("%s", err->message);
}
#define DO(call)                 \
  do {                           \
    weft_error err_ = {0};       \
    weft_error *const E = &err_; \
    const weft_result r_ = call; \
    done(r_, &err_);             \
  } while (0)

static int open_context(void **state) {
  (void)state;
  context = caller_context(EGL_NO_CONTEXT, 4, 3, true);
  caller_make_current(context);
  DO(weft_gl_adopt(NULL, caller_load, NULL, &gl, E));
  DO(weft_backend_gl(gl, &backend, E));
  return 0;
}

static int close_context(void **state) {
  (void)state;
  weft_gl_destroy(gl);
  caller_make_current(EGL_NO_CONTEXT);
  caller.DestroyContext(caller.display, context);
  return 0;
}

/* ---- cloths ---- */

static weft_model *sheet_at(weft_vec3 centre) {
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  const weft_grid_desc grid = {
      .rows = 12, .columns = 9, .width = 0.8f, .height = 1, .plane = WEFT_PLANE_XZ};
  static const uint32_t row[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const weft_pin pins = {.rule = WEFT_PIN_LIST, .list = row, .list_count = 9};
  DO(weft_mesh_grid(&grid, &mesh, E));
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    mesh.positions[i].x += centre.x;
    mesh.positions[i].y += centre.y;
    mesh.positions[i].z += centre.z;
  }
  DO(weft_model_create(&(weft_model_desc){.mesh = &mesh, .pins = &pins, .pin_count = 1}, &model,
                       E));
  weft_mesh_free(&mesh);
  return model;
}

static const weft_vec3 body_positions[4] = {
    {-0.3f, -0.6f, -0.3f}, {0.3f, -0.6f, -0.3f}, {0, -0.6f, 0.3f}, {0, -0.2f, 0}};
static uint32_t body_triangles[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};

static weft_solver *solver_of(const weft_model *model, const weft_backend *on, bool with_body) {
  weft_solver *solver = NULL;
  weft_vec3 positions[4];
  memcpy(positions, body_positions, sizeof positions);
  const weft_mesh mesh = {
      .vertex_count = 4, .triangle_count = 4, .positions = positions, .triangles = body_triangles};
  const weft_body body = {.mesh = &mesh, .friction_static = 0.3f, .friction_dynamic = 0.2f};
  weft_params params = {.substeps = 5};
  if (with_body) params.bodies = &body;
  params.body_count = with_body;
  DO(weft_solver_create(model, &params, on, &solver, E));
  return solver;
}

static void read_view(const weft_gl_view *view, uint32_t floats, float *out) {
  char *bytes = malloc((size_t)view->size);
  glBindBuffer(GL_ARRAY_BUFFER, view->buffer);
  glGetBufferSubData(GL_ARRAY_BUFFER, (GLintptr)view->offset, (GLsizeiptr)view->size, bytes);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  for (uint32_t i = 0; i < view->count; ++i)
    memcpy(out + (size_t)i * floats, bytes + (size_t)i * view->stride, floats * sizeof *out);
  free(bytes);
}

/* ---- views ---- */

static void a_view_is_the_state(void **state) {
  (void)state;
  /* Far out, where the origin is not 0. */
  weft_model *model = sheet_at((weft_vec3){40, 3, -7});
  const uint32_t n = 12 * 9;
  weft_vec3 *x = calloc(2 * n, sizeof *x), *v = x + n, *seen = calloc(2 * n, sizeof *seen);
  const weft_backend *backends[] = {backend, weft_backend_cpu(2), weft_backend_ref()};
  for (int b = 0; b < 3; ++b) {
    weft_solver *solver = solver_of(model, backends[b], false);
    for (int f = 0; f < 7; ++f) DO(weft_solver_step(solver, E));
    double origin[3];
    if (b == 0) {
      weft_gl_state now;
      DO(weft_solver_gl_state(solver, &now, E));
      assert_int_equal(now.positions.count, n);
      read_view(&now.positions, 3, &seen->x);
      read_view(&now.velocities, 3, &seen[n].x);
      memcpy(origin, now.origin, sizeof origin);
    } else {
      weft_view view;
      DO(weft_solver_view(solver, &view, E));
      assert_int_equal(view.count, n);
      for (uint32_t i = 0; i < n; ++i) {
        memcpy(&seen[i], (const char *)view.positions + (size_t)i * view.stride, sizeof *seen);
        memcpy(&seen[n + i], (const char *)view.velocities + (size_t)i * view.stride, sizeof *seen);
      }
      memcpy(origin, view.origin, sizeof origin);
    }
    assert_true(origin[0] > 30 && origin[2] < -5);
    DO(weft_solver_read(solver, x, v, E));
    for (uint32_t i = 0; i < n; ++i) {
      assert_true((float)(origin[0] + (double)seen[i].x) == x[i].x);
      assert_true((float)(origin[1] + (double)seen[i].y) == x[i].y);
      assert_true((float)(origin[2] + (double)seen[i].z) == x[i].z);
    }
    assert_memory_equal(v, seen + n, n * sizeof *v);
    weft_solver_destroy(solver);
  }
  free(x);
  free(seen);
  weft_model_destroy(model);
}

static void other_backends_say_what_to_use(void **state) {
  (void)state;
  weft_model *model = sheet_at((weft_vec3){0, 0, 0});
  weft_error err = {0};
  weft_gl_state seen;
  weft_view view;
  weft_gl_drawing *drawing;
  weft_solver *cpu = solver_of(model, weft_backend_cpu(1), false);
  weft_solver *wide = solver_of(model, weft_backend_f64(), false);
  weft_solver *here = solver_of(model, backend, false);
  assert_int_equal(weft_solver_gl_state(cpu, &seen, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "weft_solver_view"));
  assert_int_equal(weft_gl_drawing_create(cpu, NULL, &drawing, &err), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_view(here, &view, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "weft_solver_gl_state"));
  assert_int_equal(weft_solver_view(wide, &view, &err), WEFT_ERROR_ARGUMENT);
  weft_solver_destroy(cpu);
  weft_solver_destroy(wide);
  weft_solver_destroy(here);
  weft_model_destroy(model);
}

/* ---- vertices ---- */

/* A mean of triangles' normals by area, in doubles. */
static void normals_of(const weft_vec3 *x, uint32_t n, const uint32_t *triangles, uint32_t count,
                       double *out) {
  memset(out, 0, 3 * (size_t)n * sizeof *out);
  for (uint32_t t = 0; t < count; ++t) {
    const uint32_t *c = triangles + 3 * (size_t)t;
    const double a[3] = {(double)x[c[1]].x - (double)x[c[0]].x,
                         (double)x[c[1]].y - (double)x[c[0]].y,
                         (double)x[c[1]].z - (double)x[c[0]].z};
    const double b[3] = {(double)x[c[2]].x - (double)x[c[0]].x,
                         (double)x[c[2]].y - (double)x[c[0]].y,
                         (double)x[c[2]].z - (double)x[c[0]].z};
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double area = a[i] * b[j] - a[j] * b[i];
      for (int l = 0; l < 3; ++l) out[3 * (size_t)c[l] + (size_t)k] += area;
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    double *o = out + 3 * (size_t)i, size = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    for (int k = 0; k < 3 && size > 0; ++k) o[k] /= size;
  }
}

static void vertices_are_positions_and_mean_normals(void **state) {
  (void)state;
  enum { N = 12 * 9, SEAM = 5, V = N + SEAM, T = 2 * 11 * 8 };
  weft_model *model = sheet_at((weft_vec3){0, 0, 0});
  weft_structure structure = {0};
  weft_solver *solver = solver_of(model, backend, true);
  DO(weft_solver_structure(solver, &structure, E));
  uint32_t particles[V], triangles[3 * T];
  weft_vec3 x[N], seen[V], normals[V];
  static double wanted[3 * N];
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {
      .rows = 12, .columns = 9, .width = 0.8f, .height = 1, .plane = WEFT_PLANE_XZ};
  DO(weft_mesh_grid(&grid, &mesh, E));
  assert_int_equal(mesh.triangle_count, T);
  memcpy(triangles, mesh.triangles, sizeof triangles);
  for (uint32_t i = 0; i < V; ++i) particles[i] = i < N ? i : 4 + 9 * (i - N);
  for (uint32_t c = 0; c < 3 * T; ++c) { /* a seam: the second half names other vertices */
    for (uint32_t s = 0; s < SEAM; ++s)
      if (c > 3 * T / 2 && triangles[c] == particles[N + s]) triangles[c] = N + s;
  }
  weft_gl_drawing *all = NULL, *seamed = NULL;
  const weft_gl_drawing_desc desc = {
      .particles = particles, .vertex_count = V, .triangles = triangles, .triangle_count = T};
  DO(weft_gl_drawing_create(solver, NULL, &all, E));
  DO(weft_gl_drawing_create(solver, &desc, &seamed, E));
  state_disturb();
  char *before = state_describe();
  for (int f = 0; f < 30; ++f) {
    weft_gl_vertices vertices;
    DO(weft_solver_step(solver, E));
    DO(weft_gl_drawing_update(all, NULL, E));
    DO(weft_gl_drawing_update(seamed, &vertices, E));
    state_compare("weft_gl_drawing_update", before);
    if (f % 10) continue;
    DO(weft_solver_read(solver, x, NULL, E));
    normals_of(x, N, mesh.triangles, T, wanted);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    read_view(&vertices.positions, 3, &seen->x);
    read_view(&vertices.normals, 3, &normals->x);
    assert_int_equal(vertices.positions.count, V);
    assert_int_equal(vertices.indices.count, 3 * T);
    for (uint32_t i = 0; i < V; ++i) {
      const double *w = &wanted[3 * (size_t)particles[i]];
      assert_memory_equal(&seen[i], &x[particles[i]], sizeof *x);
      assert_true(fabs((double)normals[i].x - w[0]) < 1e-6);
      assert_true(fabs((double)normals[i].y - w[1]) < 1e-6);
      assert_true(fabs((double)normals[i].z - w[2]) < 1e-6);
    }
    uint32_t drawn[3 * T];
    glBindBuffer(GL_ARRAY_BUFFER, vertices.indices.buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, (GLintptr)vertices.indices.offset, sizeof drawn, drawn);
    assert_memory_equal(drawn, triangles, sizeof drawn);
    weft_free(before);
    before = state_describe();
  }
  weft_error err = {0};
  weft_gl_drawing *none = NULL;
  particles[3] = N;
  assert_int_equal(weft_gl_drawing_create(solver, &desc, &none, &err), WEFT_ERROR_ARGUMENT);
  particles[3] = 3;
  triangles[7] = V;
  assert_int_equal(weft_gl_drawing_create(solver, &desc, &none, &err), WEFT_ERROR_ARGUMENT);
  assert_null(none);
  weft_free(before);
  glEndTransformFeedback();
  weft_structure_free(&structure);
  weft_mesh_free(&mesh);
  weft_gl_drawing_destroy(all);
  weft_gl_drawing_destroy(seamed);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- barriers, which software drivers do not miss ---- */

static PFNGLMEMORYBARRIERPROC real_barrier;
static PFNGLDISPATCHCOMPUTEPROC real_dispatch;
static GLbitfield since_dispatch;
static unsigned dispatches;

static void GLAD_API_PTR note_barrier(GLbitfield bits) {
  since_dispatch |= bits;
  real_barrier(bits);
}
static void GLAD_API_PTR note_dispatch(GLuint x, GLuint y, GLuint z) {
  since_dispatch = 0;
  ++dispatches;
  real_dispatch(x, y, z);
}

static void what_is_read_next_is_visible(void **state) {
  (void)state;
  const GLbitfield all = GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT |
                         GL_UNIFORM_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT |
                         GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT;
  weft_model *model = sheet_at((weft_vec3){0, 0, 0});
  weft_solver *solver = solver_of(model, backend, false);
  weft_gl_drawing *drawing = NULL;
  weft_gl_readback *ring = NULL;
  weft_gl_state seen;
  DO(weft_gl_drawing_create(solver, NULL, &drawing, E));
  DO(weft_gl_readback_create(solver, 1, false, &ring, E));
  DO(weft_solver_step(solver, E));
  real_barrier = glad_glMemoryBarrier;
  real_dispatch = glad_glDispatchCompute;
  glad_glMemoryBarrier = note_barrier;
  glad_glDispatchCompute = note_dispatch;
  weft_error err = {0};
  weft_result result = weft_gl_drawing_update(drawing, NULL, &err);
  const GLbitfield drawn = since_dispatch;
  const unsigned drew = dispatches;
  if (result == WEFT_OK) result = weft_solver_step(solver, &err);
  since_dispatch = 0;
  if (result == WEFT_OK) result = weft_solver_gl_state(solver, &seen, &err);
  const GLbitfield viewed = since_dispatch;
  since_dispatch = 0;
  if (result == WEFT_OK) result = weft_gl_readback_begin(ring, &err);
  const GLbitfield sent = since_dispatch;
  glad_glMemoryBarrier = real_barrier;
  glad_glDispatchCompute = real_dispatch;
  done(result, &err);
  assert_int_equal(drew, 1);
  assert_int_equal(drawn & all, all);
  assert_int_equal(viewed & all, all);
  assert_true(sent & GL_BUFFER_UPDATE_BARRIER_BIT);
  weft_gl_readback_destroy(ring);
  weft_gl_drawing_destroy(drawing);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- without waiting ---- */

static void a_ring_brings_every_frame_in_order(void **state) {
  (void)state;
  enum { N = 12 * 9 };
  weft_model *model = sheet_at((weft_vec3){9, 0, 0});
  weft_solver *solver = solver_of(model, backend, false);
  weft_gl_readback *ring = NULL;
  weft_error err = {0};
  static weft_vec3 x[20][N], v[20][N];
  weft_vec3 got[N], speed[N];
  uint64_t frame = 0, next = 1;
  assert_int_equal(weft_gl_readback_create(solver, 9, true, &ring, &err), WEFT_ERROR_ARGUMENT);
  DO(weft_gl_readback_create(solver, 3, true, &ring, E));
  assert_false(weft_gl_readback_ready(ring));
  assert_int_equal(weft_gl_readback_take(ring, got, NULL, &frame, &err), WEFT_ERROR_ARGUMENT);
  for (uint64_t f = 1; f < 20; ++f) {
    DO(weft_solver_step(solver, E));
    DO(weft_gl_readback_begin(ring, E));
    DO(weft_solver_read(solver, x[f], v[f], E));
    if (f < 3) continue;
    assert_int_equal(weft_gl_readback_begin(ring, &err), WEFT_ERROR_ARGUMENT);
    DO(weft_gl_readback_take(ring, got, speed, &frame, E));
    assert_int_equal(frame, next);
    assert_memory_equal(got, x[next], sizeof got);
    assert_memory_equal(speed, v[next], sizeof speed);
    ++next;
  }
  glFinish();
  assert_true(weft_gl_readback_ready(ring));
  weft_gl_readback_destroy(ring); /* with frames under way */
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_fence_is_one(void **state) {
  (void)state;
  void *sync = NULL;
  DO(weft_gl_fence(gl, &sync, E));
  assert_true(glIsSync(sync));
  const GLenum got = glClientWaitSync(sync, 0, 1000000000);
  assert_true(got == GL_ALREADY_SIGNALED || got == GL_CONDITION_SATISFIED);
  glDeleteSync(sync);
}

/* ---- what is given ---- */

static weft_vec3 target_of(uint32_t pin, int frame) {
  const float t = (float)frame;
  return (weft_vec3){0.1f * (float)pin - 0.4f + 0.003f * t, 0.01f * sinf(0.3f * t),
                     -0.5f + 0.002f * t};
}

static uint64_t hash_of(weft_solver *solver) {
  uint64_t hash = 0;
  DO(weft_solver_hash(solver, &hash, E));
  return hash;
}

/* What is on its way goes along as bytes; into a solver that was given other things meanwhile. */
static weft_solver *from_bytes(const weft_model *model, weft_solver *from, bool with_body,
                               bool same, const weft_gl_view *other) {
  void *bytes;
  size_t size;
  DO(weft_solver_save(from, &bytes, &size, E));
  weft_solver *to = same ? from : solver_of(model, backend, with_body);
  DO(weft_solver_gl_move_pins(to, NULL, other, E));
  DO(weft_solver_step(to, E));
  if (!same) weft_solver_destroy(from);
  DO(weft_solver_load(to, bytes, size, E));
  weft_free(bytes);
  return to;
}

/* Pins at times from the host, at times from the GPU, at times at rest: the same bits as from the
 * host alone, on a processor. */
static void given_from_the_gpu(bool with_body) {
  enum { PINS = 9, FRAMES = 48, STRIDE = 20, FRONT = 36 };
  weft_model *model = sheet_at((weft_vec3){0, 0, 0});
  weft_solver *here = solver_of(model, backend, with_body);
  weft_solver *there = solver_of(model, weft_backend_cpu(1), with_body);
  uint32_t pinned[PINS], some[4] = {7, 2, 5, 0};
  GLuint buffer = 0, body_buffer = 0, far_buffer = 0;
  weft_vec3 far[PINS];
  for (uint32_t k = 0; k < PINS; ++k) {
    pinned[k] = k;
    far[k] = target_of(k, 100);
  }
  glGenBuffers(1, &far_buffer);
  glBindBuffer(GL_ARRAY_BUFFER, far_buffer);
  glBufferData(GL_ARRAY_BUFFER, sizeof far, far, GL_STATIC_DRAW);
  const weft_gl_view far_view = {.buffer = far_buffer, .stride = sizeof *far, .count = PINS};
  glGenBuffers(1, &buffer);
  glGenBuffers(1, &body_buffer);
  for (int f = 0; f < FRAMES; ++f) {
    unsigned char bytes[FRONT + PINS * STRIDE];
    weft_vec3 targets[PINS], body[4];
    const bool all = f % 5 != 3;
    const uint32_t count = all ? PINS : 4;
    for (uint32_t k = 0; k < count; ++k) {
      targets[k] = target_of(all ? k : some[k], f);
      memcpy(bytes + FRONT + k * STRIDE, &targets[k], sizeof *targets);
    }
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof bytes, bytes, GL_STREAM_DRAW);
    const weft_gl_view view = {.buffer = buffer, .stride = STRIDE, .offset = FRONT, .count = count};
    for (int k = 0; k < 4; ++k) {
      body[k] = body_positions[k];
      body[k].y += 0.008f * (float)(f < 30 ? f : 30);
    }
    glBindBuffer(GL_ARRAY_BUFFER, body_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof body, body, GL_STREAM_DRAW);
    const weft_gl_view body_view = {.buffer = body_buffer, .stride = 12, .count = 4};
    const bool still = f % 11 == 7 || (f > 34 && f < 40);
    if (!still) {
      const bool on_host = f % 7 == 4;
      if (on_host) DO(weft_solver_move_pins(here, all ? pinned : some, targets, count, E));
      if (!on_host) DO(weft_solver_gl_move_pins(here, all ? NULL : some, &view, E));
      DO(weft_solver_move_pins(there, all ? pinned : some, targets, count, E));
      if (with_body && on_host) DO(weft_solver_move_body(here, 0, body, E));
      if (with_body && !on_host) DO(weft_solver_gl_move_body(here, 0, &body_view, E));
      if (with_body) DO(weft_solver_move_body(there, 0, body, E));
    }
    if (f == 20) { /* both ways in one frame */
      const weft_vec3 other = {0.31f, 0.02f, -0.4f};
      DO(weft_solver_move_pins(here, &some[1], &other, 1, E));
      DO(weft_solver_move_pins(there, &some[1], &other, 1, E));
    }
    if (f == 26 || f == 33) { /* and on from a copy, with what is on its way */
      weft_solver *copy = solver_of(model, backend, with_body);
      DO(weft_solver_copy_state_from(copy, here, E));
      weft_solver_destroy(here);
      here = copy;
    }
    if (f == 22 || f == 36 || f == 43) {
      here = from_bytes(model, here, with_body, f == 43, &far_view);
    }
    DO(weft_solver_step(here, E));
    DO(weft_solver_step(there, E));
    if (hash_of(here) != hash_of(there)) fail_msg("frame %d differs", f);
    weft_metrics a, b;
    if (f % 9 == 0) {
      DO(weft_solver_metrics(here, &a, E));
      DO(weft_solver_metrics(there, &b, E));
      assert_memory_equal(&a, &b, sizeof a);
    }
  }
  glDeleteBuffers(1, &buffer);
  glDeleteBuffers(1, &body_buffer);
  glDeleteBuffers(1, &far_buffer);
  weft_solver_destroy(here);
  weft_solver_destroy(there);
  weft_model_destroy(model);
}

static void pins_are_moved_by_a_buffer(void **state) {
  (void)state;
  given_from_the_gpu(false);
}

static void bodies_are_moved_by_a_buffer(void **state) {
  (void)state;
  given_from_the_gpu(true);
}

/* The origin comes along; from then on bits may differ in the last one. */
static void far_out_targets_are_met(void **state) {
  (void)state;
  weft_model *model = sheet_at((weft_vec3){0, 0, 0});
  weft_solver *solver = solver_of(model, backend, false);
  weft_vec3 x[12 * 9], targets[9];
  GLuint buffer = 0;
  weft_gl_state now = {.origin = {0}};
  glGenBuffers(1, &buffer);
  for (int f = 0; f < 120; ++f) {
    for (uint32_t k = 0; k < 9; ++k) {
      targets[k] = target_of(k, 0);
      targets[k].x += 0.1f * (float)f;
    }
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof targets, targets, GL_STREAM_DRAW);
    DO(weft_solver_gl_move_pins(solver, NULL,
                                &(weft_gl_view){.buffer = buffer, .stride = 12, .count = 9}, E));
    DO(weft_solver_step(solver, E));
    DO(weft_solver_read(solver, x, NULL, E));
    for (uint32_t k = 0; k < 9; ++k) assert_true(fabsf(x[k].x - targets[k].x) < 1e-6f * 12);
  }
  DO(weft_solver_gl_state(solver, &now, E));
  assert_true(now.origin[0] > 5);
  glDeleteBuffers(1, &buffer);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void wrong_buffers_are_refused(void **state) {
  (void)state;
  weft_model *model = sheet_at((weft_vec3){0, 0, 0});
  weft_solver *solver = solver_of(model, backend, true);
  GLuint buffer = state_buffer(9 * 12);
  weft_error err = {0};
  const uint32_t free_one = 50;
#define REFUSED(call)                          \
  assert_int_equal(call, WEFT_ERROR_ARGUMENT); \
  assert_true(strlen(err.message) > 20)
#define PINS(...) weft_solver_gl_move_pins(solver, NULL, &(weft_gl_view){__VA_ARGS__}, &err)
  REFUSED(PINS(.buffer = 4000000, .stride = 12, .count = 9));
  REFUSED(PINS(.buffer = buffer, .stride = 12, .offset = 4, .count = 9));
  REFUSED(PINS(.buffer = buffer, .stride = 12, .offset = 2, .count = 1));
  REFUSED(PINS(.buffer = buffer, .stride = 8, .count = 1));
  REFUSED(PINS(.buffer = buffer, .stride = 12, .count = 10));
  REFUSED(weft_solver_gl_move_pins(
      solver, &free_one, &(weft_gl_view){.buffer = buffer, .stride = 12, .count = 1}, &err));
  REFUSED(weft_solver_gl_move_body(
      solver, 1, &(weft_gl_view){.buffer = buffer, .stride = 12, .count = 4}, &err));
  REFUSED(weft_solver_gl_move_body(
      solver, 0, &(weft_gl_view){.buffer = buffer, .stride = 12, .count = 3}, &err));
  assert_int_equal(glGetError(), GL_NO_ERROR);
  glDeleteBuffers(1, &buffer);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  caller_open();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_view_is_the_state),
      cmocka_unit_test(other_backends_say_what_to_use),
      cmocka_unit_test(what_is_read_next_is_visible),
      cmocka_unit_test(a_ring_brings_every_frame_in_order),
      cmocka_unit_test(a_fence_is_one),
      cmocka_unit_test(pins_are_moved_by_a_buffer),
      cmocka_unit_test(bodies_are_moved_by_a_buffer),
      cmocka_unit_test(far_out_targets_are_met),
      cmocka_unit_test(wrong_buffers_are_refused),
      cmocka_unit_test(vertices_are_positions_and_mean_normals),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
