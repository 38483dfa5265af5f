/* f64.c: the third backend: the passes of the reference in double precision, so that what float
 * rounds away can be told from what the method gets wrong.
 *
 * The contents of its buffers are doubles from the start: 1/(sum w + alpha~), dt, gravity*dt and
 * the like are never rounded to float. What comes as floats from outside stays that: the model
 * (rest lengths, masses, positions), parameters, and what the frame brings (wind, poses of
 * colliders, paths of pins). Reading and writing rounds to float, except in weft_solver_read_f64.
 */
#include "f64.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "solver.h"

typedef struct weft_f64_instance {
  weft_memory memory;
} weft_f64_instance;

/* The table as it is, or doubles made of its floats: tests give floats. */
static void widen_table(const weft_buffer_contents *table, weft_buffer_id id, weft_contents *wide) {
  weft_buffer_contents *doubles = &wide->buffers[id];
  void *data = weft_f64_contents_set(wide, id, table->count);
  if (!table->data) return;
  if (table->stride == doubles->stride) {
    memcpy(data, table->data, (size_t)table->count * table->stride);
  } else {
    char format[WEFT_F64_SCALARS];
    weft_f64_format(id, format);
    weft_f64_widen(format, table->data, data, table->count);
  }
}

static weft_result f64_create(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                              void **instance, weft_error *err) {
  (void)backend;
  (void)err;
  weft_contents wide;
  weft_f64_contents_init(&wide);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    char format[WEFT_F64_SCALARS];
    weft_f64_format((weft_buffer_id)id, format);
    WEFT_CHECK(wide.buffers[id].stride == weft_f64_stride(format),
               "a row of buffers.def takes a uint for a float");
    widen_table(&contents->buffers[id], (weft_buffer_id)id, &wide);
  }
  weft_f64_instance *self = weft_alloc(1, sizeof *self);
  wide.given = true;
  weft_memory_create(&self->memory, &wide, guard);
  weft_f64_contents_free(&wide);
  *instance = self;
  return WEFT_OK;
}

static void f64_destroy(void *instance) {
  weft_f64_instance *self = instance;
  weft_memory_destroy(&self->memory);
  weft_free(self);
}

static void f64_run(void *instance, const weft_pass *pass, uint32_t substep) {
  weft_f64_instance *self = instance;
  weft_f64_run(self->memory.payload, pass, substep);
}

/* Scalars become twice as wide, indices in lists stay. Both are there while it is made. */
static void f64_need(const weft_backend *backend, weft_need *need) {
  (void)backend;
  const uint64_t lists = need->lists, others = need->buffers - lists;
  need->host += 2 * others + lists * 7 / 5 + need->saved * 8 / 5;
  need->making += 2 * others + lists * 6 / 5;
}

static void f64_finish(void *instance) { (void)instance; }

static weft_result f64_check(void *instance, const char *what, weft_error *err) {
  (void)instance;
  (void)what;
  (void)err;
  return WEFT_OK;
}

static void f64_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                     void *data) {
  weft_f64_instance *self = instance;
  char format[WEFT_F64_SCALARS];
  weft_f64_format(id, format);
  weft_f64_narrow(format, weft_memory_elements(&self->memory, id, first, count), data, count);
}

static void f64_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                      const void *data) {
  weft_f64_instance *self = instance;
  char format[WEFT_F64_SCALARS];
  weft_f64_format(id, format);
  weft_f64_widen(format, data, weft_memory_elements(&self->memory, id, first, count), count);
}

static void f64_change(void *instance, const weft_params *params) {
  weft_f64_instance *self = instance;
  weft_f64_uniforms_change(params, self->memory.payload[WEFT_BUFFER_UNIFORMS]);
}

static void f64_save(void *instance) {
  weft_f64_instance *self = instance;
  weft_memory_save(&self->memory);
}

static void f64_restore(void *instance) {
  weft_f64_instance *self = instance;
  weft_memory_restore(&self->memory);
}

static void f64_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved) {
  const weft_f64_instance *self = instance;
  weft_memory_unmoved(&self->memory, first, count, unmoved);
}

static weft_result f64_resize(void *instance, const weft_self_room *room, weft_error *err) {
  (void)err;
  weft_f64_instance *self = instance;
  weft_memory_resize(&self->memory, room);
  weft_f64_self_set_room(self->memory.payload[WEFT_BUFFER_UNIFORMS], room);
  return WEFT_OK;
}

static weft_buffer_id f64_broken_guard(void *instance) {
  weft_f64_instance *self = instance;
  return weft_memory_broken_guard(&self->memory);
}

const weft_backend *weft_backend_f64(void) {
  static const weft_backend backend = {
      .name = "f64",
      .contents = weft_f64_solver_contents,
      .create = f64_create,
      .destroy = f64_destroy,
      .run = f64_run,
      .finish = f64_finish,
      .check = f64_check,
      .read = f64_read,
      .write = f64_write,
      .change = f64_change,
      .save = f64_save,
      .restore = f64_restore,
      .unmoved = f64_unmoved,
      .resize = f64_resize,
      .need = f64_need,
      .broken_guard = f64_broken_guard,
  };
  return &backend;
}

void *weft_f64_elements(void *instance, weft_buffer_id id, uint64_t first, uint64_t count) {
  weft_f64_instance *self = instance;
  return weft_memory_elements(&self->memory, id, first, count);
}

/* Doubles of the backend f64, else floats, counted from an origin. */
static void copy_vectors(weft_solver *solver, weft_buffer_id id, weft_vec3d origin, double *out) {
  const uint32_t n = solver->model->particle_count;
  const bool wide = solver->backend == weft_backend_f64();
  const double *doubles = wide ? weft_f64_elements(solver->instance, id, 0, n) : NULL;
  if (!wide) weft_solver_read_buffer(solver, id, 0, n, solver->staging);
  for (uint32_t i = 0; i < n; ++i, out += 3) {
    const vec4 *x = &solver->staging[i];
    const double *d =
        wide ? doubles + 4 * (size_t)i : (const double[]){(double)x->x, (double)x->y, (double)x->z};
    out[0] = origin.x + d[0];
    out[1] = origin.y + d[1];
    out[2] = origin.z + d[2];
  }
}

static weft_result check_sound(const weft_solver *solver, const char *what, const double *numbers,
                               weft_error *err) {
  const size_t count = 3 * (size_t)solver->model->particle_count;
  for (size_t k = 0; k < count; ++k) {
    if (!isfinite(numbers[k])) return weft_solver_fail_not_finite(solver, what, k, err);
  }
  return WEFT_OK;
}

weft_result weft_solver_read_f64(weft_solver *solver, double *positions, double *velocities,
                                 weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  if (positions) copy_vectors(solver, WEFT_BUFFER_X, solver->origin, positions);
  if (velocities) copy_vectors(solver, WEFT_BUFFER_V, weft_v3d(0, 0, 0), velocities);
  result = solver->backend->check(solver->instance, "reading the state", err);
  if (positions && result == WEFT_OK) result = check_sound(solver, "position", positions, err);
  if (velocities && result == WEFT_OK) result = check_sound(solver, "velocity", velocities, err);
  return result;
}
