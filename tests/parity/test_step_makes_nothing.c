/* What a step must not do once it has run: allocate memory, start a thread, open a file; on the GPU
 * also make an object, read anything back, wait or ask the driver for anything. All of it is
 * counted, on every backend, with all that a step can have in it. Only self-collision on the GPU
 * copies the state once a frame, and asks whether its lists are empty, were long enough, and left
 * all free to move.
 *
 * Allocations: the linker puts the counting functions below before the C library's (--wrap in
 * CMakeLists.txt) for all of weft, whichever thread calls; what the driver allocates for itself is
 * not weft's. OpenGL: all functions that the loader knows are replaced while a step runs, those
 * that a step needs by ones that count and go on, every other by one that fails and says its name.
 */
#include "../physics/rig.h"
/* after rig.h */
#include <pthread.h>
#include <stdatomic.h>

#include "../rig_scene.h"
#include "base.h"
#include "solver_gl.h"

/* ---- memory, threads, files ---- */

static atomic_ulong allocations, others;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **p, size_t alignment, size_t bytes);
char *__real_strdup(const char *text);
void __real_qsort(void *items, size_t count, size_t size, int (*order)(const void *, const void *));
FILE *__real_fopen(const char *path, const char *mode);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*begin)(void *), void *argument);

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  allocations++;
  return __real_malloc(bytes);
}
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes) {
  allocations++;
  return __real_realloc(old, bytes);
}
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  allocations++;
  return __real_aligned_alloc(alignment, bytes);
}
int __wrap_posix_memalign(void **p, size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **p, size_t alignment, size_t bytes) {
  allocations++;
  return __real_posix_memalign(p, alignment, bytes);
}
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text) {
  allocations++;
  return __real_strdup(text);
}
/* The C library's may allocate. */
void __wrap_qsort(void *items, size_t count, size_t size, int (*order)(const void *, const void *));
void __wrap_qsort(void *items, size_t count, size_t size,
                  int (*order)(const void *, const void *)) {
  allocations++;
  __real_qsort(items, count, size, order);
}
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode) {
  others++;
  return __real_fopen(path, mode);
}
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*begin)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*begin)(void *), void *argument) {
  others++;
  return __real_pthread_create(thread, attributes, begin, argument);
}

/* ---- OpenGL ---- */

typedef void (*any_function)(void);

enum {
#define GL_FUNCTION(name) AT_##name,
#include "gl_functions.h"
#undef GL_FUNCTION
  GL_FUNCTIONS
};

static const char *const gl_names[] = {
#define GL_FUNCTION(name) #name,
#include "gl_functions.h"
#undef GL_FUNCTION
};

static any_function real[GL_FUNCTIONS];
static unsigned long gl_calls, gl_reads;

#define REAL(name) ((__typeof__(glad_##name))real[AT_##name])

static void put_back(void);

static void refuse(int which) {
  put_back();
  fail_msg("a step calls %s, and needs no more than binding, dispatches, barriers and uploads",
           gl_names[which]);
}

#define GL_FUNCTION(name) \
  static void refuse_##name(void) { refuse(AT_##name); }
#include "gl_functions.h"
#undef GL_FUNCTION

/* What a step is made of. glBufferSubData fills a buffer that is there. */
static void GLAD_API_PTR count_use_program(GLuint program) {
  gl_calls++;
  REAL(glUseProgram)(program);
}
static void GLAD_API_PTR count_bind_buffer(GLenum target, GLuint buffer) {
  gl_calls++;
  REAL(glBindBuffer)(target, buffer);
}
static void GLAD_API_PTR count_bind_range(GLenum target, GLuint index, GLuint buffer,
                                          GLintptr offset, GLsizeiptr size) {
  gl_calls++;
  REAL(glBindBufferRange)(target, index, buffer, offset, size);
}
static void GLAD_API_PTR count_active_texture(GLenum unit) {
  gl_calls++;
  REAL(glActiveTexture)(unit);
}
static void GLAD_API_PTR count_bind_texture(GLenum target, GLuint texture) {
  gl_calls++;
  REAL(glBindTexture)(target, texture);
}
static void GLAD_API_PTR count_uniform(GLint location, GLuint value) {
  gl_calls++;
  REAL(glUniform1ui)(location, value);
}
static void GLAD_API_PTR count_dispatch(GLuint x, GLuint y, GLuint z) {
  gl_calls++;
  REAL(glDispatchCompute)(x, y, z);
}
static void GLAD_API_PTR count_dispatch_indirect(GLintptr offset) {
  gl_calls++;
  REAL(glDispatchComputeIndirect)(offset);
}
static void GLAD_API_PTR count_barrier(GLbitfield bits) {
  gl_calls++;
  REAL(glMemoryBarrier)(bits);
}
/* With self-collision: the state that a frame begins with. */
static void GLAD_API_PTR count_copy(GLenum from, GLenum to, GLintptr first, GLintptr second,
                                    GLsizeiptr size) {
  gl_calls++;
  REAL(glCopyBufferSubData)(from, to, first, second, size);
}
/* Whether lists are empty, how long those are that outlive a frame, whether all were long enough,
 * whether a particle stood still. */
static void GLAD_API_PTR count_read(GLenum target, GLintptr offset, GLsizeiptr size, void *data) {
  gl_calls++;
  gl_reads++;
  REAL(glGetBufferSubData)(target, offset, size, data);
}
static void GLAD_API_PTR count_upload(GLenum target, GLintptr offset, GLsizeiptr size,
                                      const void *data) {
  gl_calls++;
  REAL(glBufferSubData)(target, offset, size, data);
}

static void stand_before(bool reads) {
#define GL_FUNCTION(name)                      \
  real[AT_##name] = (any_function)glad_##name; \
  glad_##name = (__typeof__(glad_##name))refuse_##name;
#include "gl_functions.h"
#undef GL_FUNCTION
  glad_glUseProgram = count_use_program;
  glad_glBindBuffer = count_bind_buffer;
  glad_glBindBufferRange = count_bind_range;
  glad_glActiveTexture = count_active_texture;
  glad_glBindTexture = count_bind_texture;
  glad_glUniform1ui = count_uniform;
  glad_glDispatchCompute = count_dispatch;
  glad_glDispatchComputeIndirect = count_dispatch_indirect;
  glad_glMemoryBarrier = count_barrier;
  glad_glBufferSubData = count_upload;
  if (reads) glad_glGetBufferSubData = count_read;
  if (reads) glad_glCopyBufferSubData = count_copy;
}

static void put_back(void) {
#define GL_FUNCTION(name) glad_##name = (__typeof__(glad_##name))real[AT_##name];
#include "gl_functions.h"
#undef GL_FUNCTION
}

/* ---- a run ---- */

enum { BACKENDS = 4 };

static const weft_backend *backend_at(int index) {
  if (index == 0) return weft_backend_ref();
  if (index == 1) return weft_backend_cpu(2);
  if (index == 2) return weft_backend_f64();
  return rig_gl_context ? rig_backend_on(rig_gl_context) : NULL;
}

typedef weft_result frame(void *user, weft_solver *solver, weft_error *err);

/* One frame to make what is made once, then three that are watched. */
static void watch(const char *what, weft_solver *solver, frame *step, void *user) {
  weft_error err = {0};
  if (step(user, solver, &err) != WEFT_OK) fail_msg("%s: %s", what, err.message);
  solver->backend->finish(solver->instance);
  bool on_gl = strcmp(weft_backend_name(solver->backend), "gl") == 0;
  unsigned long allocated = allocations, other = others;
  gl_calls = gl_reads = 0;
  if (on_gl) stand_before(weft_self_active(solver->model, &solver->params));
  weft_result result = WEFT_OK;
  for (int k = 0; k < 3 && result == WEFT_OK; ++k) result = step(user, solver, &err);
  if (on_gl) put_back();
  solver->backend->finish(solver->instance);
  allocated = allocations - allocated;
  other = others - other;
  if (result != WEFT_OK) fail_msg("%s: %s", what, err.message);
  if (allocated || other) {
    fail_msg("%s on %s: three frames made %lu allocations and opened %lu files or threads", what,
             weft_backend_name(solver->backend), allocated, other);
  }
  assert_true(gl_reads <= 14);
  if (on_gl) assert_true(gl_calls > 3 * (solver->single ? 6 : solver->params.substeps));
}

/* ---- everything at once ---- */

static const weft_collider ball = {
    .shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.1f, 0.32f}, .radius = 0.3f, .friction_static = 0.4f};

static weft_params everything(weft_mode mode) {
  return (weft_params){.plain = true,
                       .mode = mode,
                       .iterations = 2,
                       .substeps = 6,
                       .air_density = 1.2f,
                       .wind = {0, 0, 4},
                       .gust = 0.5f,
                       .global_damping = 1,
                       .lra = 2,
                       .multilevel = WEFT_ALL_LEVELS,
                       .grab = true,
                       .keep_multipliers = true,
                       .collide_each_iteration = true,
                       .colliders = &ball,
                       .collider_count = 1};
}

/* What an application does between frames: pins, hand and collider move. */
static weft_result busy_frame(void *user, weft_solver *solver, weft_error *err) {
  float at = 0.01f * (float)weft_solver_frame(solver);
  (void)user;
  weft_vec3 pin = weft_v3(-0.5f, 0.02f * at, at);
  weft_result result = weft_solver_move_pins(solver, solver->pin_particles, &pin, 1, err);
  if (result == WEFT_OK) result = weft_solver_move_grab(solver, weft_v3(at, -1, at), err);
  if (result == WEFT_OK) result = weft_solver_move_collider(solver, 0, weft_v3(at, 0, 0), err);
  return result == WEFT_OK ? weft_solver_step(solver, err) : result;
}

static void watch_everything(const weft_model *model, const weft_params *params,
                             const weft_backend *backend) {
  weft_solver *solver;
  weft_error err = {0};
  weft_result made = weft_solver_create(model, params, backend, &solver, &err);
  if (made == WEFT_ERROR_LIMIT) {
    print_message("left out: %s\n", err.message);
    return;
  }
  if (made != WEFT_OK) fail_msg("%s", err.message);
  uint32_t last = model->particle_count - 1;
  if (weft_solver_grab(solver, last, weft_v3(0, -1, 0.2f), &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  watch("a sheet with everything", solver, busy_frame, NULL);
  weft_solver_destroy(solver);
}

static void a_step_with_everything_makes_nothing(void **state) {
  (void)state;
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  weft_grid_desc grid = {.rows = 20, .columns = 20};
  for (int k = 0; k < 2; ++k) {
    weft_model *model = rig_sheet(&grid, "tshirt", bendings[k], false, WEFT_PIN_CORNERS);
    for (int b = 0; b < BACKENDS; ++b) {
      const weft_backend *backend = backend_at(b);
      for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID && backend; ++mode) {
        weft_params params = everything((weft_mode)mode);
        watch_everything(model, &params, backend);
      }
      for (int s = WEFT_SCHEDULE_COLOURS; s <= WEFT_SCHEDULE_SINGLE && backend; ++s) {
        weft_params params = everything(WEFT_MODE_GS), resolved;
        params.schedule = (weft_schedule)s;
        if (weft_params_resolve(&params, &resolved, NULL) != WEFT_OK) continue;
        watch_everything(model, &params, backend);
      }
    }
    weft_model_destroy(model);
  }
}

/* ---- every scene, as it comes ---- */

static weft_result scene_frame(void *user, weft_solver *solver, weft_error *err) {
  return weft_scene_step(user, solver, err);
}

static void watch_scene(const weft_scene *scene, const weft_backend *backend) {
  const weft_scene_options options = {.size = scene->default_size < 16 ? 0 : 16};
  weft_scene_instance instance = rig_scene_of(scene, &options);
  weft_solver *solver = rig_solver(instance.model, &instance.params, backend);
  watch(scene->name, solver, scene_frame, &instance);
  weft_solver_destroy(solver);
  weft_scene_free(&instance);
}

static void a_step_of_any_scene_makes_nothing(void **state) {
  (void)state;
  for (uint32_t s = 0; weft_scene_at(s); ++s) {
    for (int b = 0; b < BACKENDS; ++b) {
      const weft_backend *backend = backend_at(b);
      if (backend) watch_scene(weft_scene_at(s), backend);
    }
  }
}

/* ---- the counting itself ---- */

static void what_is_made_is_counted(void **state) {
  (void)state;
  unsigned long before = allocations, other = others;
  weft_free(weft_alloc(1, 1));
  weft_free(weft_realloc(NULL, 1, 1));
  weft_free(weft_strdup("text"));
  assert_int_equal(allocations - before, 3);
  weft_solver *solver = NULL;
  weft_grid_desc grid = {.rows = 8, .columns = 8};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_NONE, false, WEFT_PIN_CORNERS);
  before = allocations;
  solver = rig_solver(model, &(weft_params){0}, weft_backend_cpu(2));
  rig_step(solver, 1);
  assert_true(allocations > before);
  assert_true(others > other);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_made_is_counted),
      cmocka_unit_test(a_step_with_everything_makes_nothing),
      cmocka_unit_test(a_step_of_any_scene_makes_nothing),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
