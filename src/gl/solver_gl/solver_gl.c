/* solver_gl.c: the compute backend: buffers made from contents, programs made for its passes. */
#include "solver_gl.h"

#include <string.h>

#include "solver_gl_internal.h"

/* ---- shapes and types that there are ---- */

/* Shapes among these poses. */
static uint32_t shapes_of(const weft_collider_pose *poses, uint64_t count) {
  uint32_t shapes = 0;
  for (uint64_t i = 0; i < count; ++i) shapes |= 1u << poses[i].shape;
  return shapes & weft_gl_all_shapes();
}

/* Of the constraints there are. Tables made by hand may have patches alone; then the types of their
 * constraints are unknown. */
static uint32_t types_of(const weft_contents *contents) {
  uint32_t types = 0;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (contents->buffers[weft_constraint_buffers_of[type].elements].count) types |= 1u << type;
  }
  return types ? types : WEFT_ALL_TYPES;
}

static void release(weft_gl *gl) {
  weft_gl_programs *shared = gl->solver;
  if (!shared) return;
  weft_gl_end_programs(gl, NULL);
  for (size_t k = 0; k < shared->made_count; ++k) {
    glDeleteProgram(shared->made[k].program);
    weft_free(shared->made[k].text);
  }
  weft_free(shared->made);
  weft_gl_buffer_destroy(&shared->substeps);
  weft_free(shared);
  gl->solver = NULL;
}

/* ---- the backend's functions ---- */

static weft_result gl_enter(const weft_backend *backend, weft_error *err) {
  weft_gl *gl = backend->context;
  weft_gl_programs *shared = gl->solver;
  const weft_result result = weft_gl_enter(gl, err);
  if (result != WEFT_OK || gl->depth > 1) return result;
  weft_gl_forget(shared); /* others may have drawn since */
  if (!gl->kept || glIsBuffer(shared->substeps.name)) return WEFT_OK;
  weft_gl_leave(gl);
  return weft_fail(err, WEFT_ERROR_GL,
                   "the current OpenGL context has none of the solver's buffers: the one that was "
                   "adopted, or one that shares with it, must be current");
}

static void gl_leave(const weft_backend *backend) { weft_gl_leave(backend->context); }

static void release_instance(void *instance) {
  weft_gl_instance *self = instance;
  weft_gl_make_current(self->gl);
  weft_gl_forget(self->shared);
  weft_gl_buffer_textures_destroy(self);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    weft_gl_buffer_destroy(&self->buffers[id]);
    weft_gl_buffer_destroy(&self->saved[id]);
  }
  weft_gl_frame_times_destroy(self);
  weft_gl_single_free(self);
  weft_gl_quiet_free(self);
  weft_gl_given_free(self);
  weft_gl_pass_elements_destroy(self);
  weft_free(self);
}

static void gl_destroy(void *instance) {
  const weft_gl_instance *self = instance;
  weft_defer_end(self->deferred);
  release_instance(instance);
}

static weft_result gl_create(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                             void **instance, weft_error *err) {
  weft_gl *gl = backend->context;
  weft_gl_make_current(gl);
  weft_result result = weft_gl_check_fit(gl, contents, err);
  if (result != WEFT_OK) return result;
  weft_gl_settle(gl, "before the solver was made", NULL);
  weft_gl_instance *self = weft_alloc(1, sizeof *self);
  self->gl = gl;
  self->shared = gl->solver;
  self->faults = gl->faults;
  self->deferred = weft_defer(release_instance, self);
  self->types = types_of(contents);
  const weft_buffer_contents *poses = &contents->buffers[WEFT_BUFFER_COLLIDERS];
  if (poses->data) self->shapes = shapes_of(poses->data, poses->count);
  for (int id = 0; id < WEFT_BUFFER_COUNT && result == WEFT_OK; ++id) {
    const weft_buffer_contents *table = &contents->buffers[id];
    self->counts[id] = table->count;
    self->strides[id] = table->stride;
    result =
        weft_gl_make_buffer(self, (weft_buffer_id)id, guard, table->data, &self->buffers[id], err);
  }
  if (result == WEFT_OK) result = weft_gl_make_saved(self, err);
  if (result == WEFT_OK) result = weft_gl_pass_elements_create(self, err);
  if (result == WEFT_OK) weft_gl_buffer_textures_create(self);
  if (result == WEFT_OK) result = weft_gl_check("creating the solver's buffers", err);
  if (result != WEFT_OK) {
    gl_destroy(self);
    return result;
  }
  weft_gl_forget(self->shared);
  *instance = self;
  return WEFT_OK;
}

static void gl_run(void *instance, const weft_pass *pass, uint32_t substep) {
  weft_gl_instance *self = instance;
  weft_gl_make_current(self->gl);
  if (!weft_gl_quiet_run(self, pass, substep)) weft_gl_run_pass(self, pass, substep);
}

/* All programs of the list are made here, so that no frame waits for one. Passes outside of it,
 * such as those that pick a particle, make theirs when they are run. */
static weft_result begin_passes(weft_gl_instance *self, const weft_pass *passes, size_t count,
                                weft_error *err) {
  weft_result result = WEFT_OK;
  for (size_t k = 0; k < count && result == WEFT_OK; ++k) {
    if (passes[k].count > 0) result = weft_gl_begin_pass(self, &passes[k], err);
  }
  return result;
}

static weft_result make_passes(weft_gl_instance *self, const weft_pass *passes, size_t count,
                               const weft_contents *contents, weft_error *err) {
  const weft_result result = begin_passes(self, passes, count, err);
  return result == WEFT_OK ? weft_gl_quiet_plan(self, passes, count, contents, err) : result;
}

static weft_result gl_plan(void *instance, weft_schedule asked, const weft_pass *passes,
                           size_t count, const weft_contents *contents, bool *single,
                           weft_error *err) {
  weft_gl_instance *self = instance;
  weft_gl_make_current(self->gl);
  weft_result result = weft_gl_plan_single(instance, asked, passes, count, contents, single, err);
  if (result == WEFT_OK && !*single) result = make_passes(self, passes, count, contents, err);
  weft_result ended = weft_gl_end_programs(self->gl, result == WEFT_OK ? err : NULL);
  if (result == WEFT_OK) result = ended;
  return result == WEFT_OK ? weft_gl_check("making the solver's programs", err) : result;
}

static void gl_finish(void *instance) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  glFinish();
}

static weft_result gl_check(void *instance, const char *what, weft_error *err) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  weft_gl_settle(self->gl, what, NULL);
  if (self->fault.code == WEFT_OK && self->gl->faults != self->faults)
    self->fault = self->gl->fault;
  if (self->fault.code == WEFT_OK) return WEFT_OK;
  return weft_fail(err, self->fault.code, "%s", self->fault.message);
}

static void gl_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count, void *data) {
  weft_gl_instance *self = instance;
  WEFT_CHECK(first + count <= self->counts[id], "elements past the buffer's end");
  weft_gl_take_over(self);
  weft_gl_buffer_read(&self->buffers[id], first * self->strides[id], count * self->strides[id],
                      data);
  self->shared->counts.reads++;
  self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
}

/* A shape that the solver was not made with needs another program. */
static void meet_shapes(weft_gl_instance *self, uint32_t shapes) {
  if ((shapes & ~self->shapes) == 0) return;
  self->shapes |= shapes;
  memset(self->programs[WEFT_PASS_COLLIDE], 0, sizeof self->programs[WEFT_PASS_COLLIDE]);
}

static void gl_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                     const void *data) {
  weft_gl_instance *self = instance;
  WEFT_CHECK(first + count <= self->counts[id], "elements past the buffer's end");
  weft_gl_take_over(self);
  weft_gl_quiet_written(self, id, data, count * self->strides[id]);
  if (id == WEFT_BUFFER_COLLIDERS) meet_shapes(self, shapes_of(data, count));
  weft_gl_buffer_write(&self->buffers[id], first * self->strides[id], count * self->strides[id],
                       data);
  self->shared->counts.writes++;
  self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
}

static weft_result gl_refill(void *instance, const weft_contents *tables, const weft_pass *passes,
                             size_t count, weft_error *err) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  WEFT_OWN_MEMORY(tables->again);
  weft_result result = begin_passes(self, passes, count, err);
  const weft_result ended = weft_gl_end_programs(self->gl, result == WEFT_OK ? err : NULL);
  if (result == WEFT_OK) result = ended;
  const weft_buffer_contents *frame = &tables->buffers[WEFT_BUFFER_SUBSTEPS];
  const uint64_t substeps = frame->filled ? frame->count : self->counts[WEFT_BUFFER_SUBSTEPS];
  if (result == WEFT_OK) result = weft_gl_lengthen_frame(self, tables, err);
  if (result == WEFT_OK) result = weft_gl_quiet_plan_again(self, passes, count, substeps, err);
  for (int id = 0; id < WEFT_BUFFER_COUNT && result == WEFT_OK; ++id) {
    const weft_buffer_contents *table = &tables->buffers[id];
    if (!table->filled || !table->data) continue;
    self->counts[id] = table->count;
    weft_gl_take_table(self, (weft_buffer_id)id, table->data);
    self->shared->counts.writes++;
    self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
  }
  weft_gl_forget(self->shared);
  if (result == WEFT_OK && weft_gl_check("filling tables anew", &self->fault) != WEFT_OK) {
    result = weft_fail(err, self->fault.code, "%s", self->fault.message);
  }
  return result;
}

static uint64_t bytes_of(const weft_gl_buffer *buffer) {
  return buffer->name ? buffer->size + 2 * buffer->guard : 0;
}

static uint64_t gl_device_bytes(void *instance) {
  const weft_gl_instance *self = instance;
  uint64_t bytes = bytes_of(&self->single.steps) + bytes_of(&self->single.contents);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    bytes += bytes_of(&self->buffers[id]) + bytes_of(&self->saved[id]);
  }
  return bytes + WEFT_GL_PASS_BYTES;
}

/* Contents are made on the host, and go when they have been uploaded; the host keeps the instance,
 * with the elements of passes. */
static void gl_need(const weft_backend *backend, weft_need *need) {
  /* Texts of programs, and of those of self-collision; passes of a substep, see quiet.c. */
  enum { TEXTS = 1 << 19, OF_SELF = 1 << 22, ISSUED = 72 << 10, MOST = 1 << 21 };
  (void)backend;
  need->device = need->buffers + need->saved + 2 * WEFT_GL_PASS_BYTES;
  const uint64_t issued = (uint64_t)ISSUED * need->params->substeps;
  need->host += WEFT_GL_PASS_BYTES / 2;
  if (need->patches > 0) need->host += issued < MOST ? issued : MOST;
  if (need->patches > 0) need->making += OF_SELF;
  need->making += need->buffers + TEXTS;
}

static weft_buffer_id gl_broken_guard(void *instance) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!weft_gl_buffer_guards_intact(&self->buffers[id])) return (weft_buffer_id)id;
  }
  return WEFT_BUFFER_COUNT;
}

/* ---- public ---- */

static void release_programs(void *gl) { release(gl); }

weft_result weft_backend_gl(weft_gl *gl, const weft_backend **backend, weft_error *err) {
  WEFT_NEED(backend);
  *backend = NULL;
  WEFT_NEED(gl);
  WEFT_GL_ENTER(gl);
  WEFT_GUARD(err);
  weft_gl_programs *shared = gl->solver;
  if (!shared) {
    WEFT_KEEP_MEMORY(); /* it is the context's */
    weft_deferred *deferred = weft_defer(release_programs, gl);
    shared = weft_alloc(1, sizeof *shared);
    gl->solver = shared;
    gl->solver_release = release;
    shared->backend = (weft_backend){
        .name = "gl",
        .context = gl,
        .enter = gl_enter,
        .leave = gl_leave,
        .create = gl_create,
        .destroy = gl_destroy,
        .run = gl_run,
        .plan_single = gl_plan,
        .run_single = weft_gl_run_single,
        .time_frame = weft_gl_time_frame,
        .frame_seconds = weft_gl_frame_seconds,
        .finish = gl_finish,
        .check = gl_check,
        .read = gl_read,
        .write = gl_write,
        .save = weft_gl_save,
        .restore = weft_gl_restore,
        .unmoved = weft_gl_unmoved,
        .resize = weft_gl_resize,
        .refill = gl_refill,
        .need = gl_need,
        .device_bytes = gl_device_bytes,
        .broken_guard = gl_broken_guard,
    };
    weft_result result = weft_gl_run_probe(gl, &shared->probe, err);
    weft_gl_number_bindings(gl);
    if (result == WEFT_OK) result = weft_gl_substep_elements_create(gl, &shared->substeps, err);
    weft_defer_end(deferred);
    if (result != WEFT_OK) {
      release(gl);
      return result;
    }
    weft_log(shared->probe.exact ? WEFT_LOG_DEBUG : WEFT_LOG_WARNING, "start-up probe of %s: %s",
             gl->renderer, shared->probe.verdict);
  }
  *backend = &shared->backend;
  return WEFT_OK;
}

bool weft_solver_gl_view(const weft_solver *solver, weft_buffer_id id, weft_gl_view *view) {
  if (solver->backend->run != gl_run) return weft_shown_view(solver, id, view);
  weft_gl_instance *self = solver->instance;
  weft_gl_take_over(self);
  *view = (weft_gl_view){.buffer = self->buffers[id].name,
                         .stride = self->strides[id],
                         .offset = self->buffers[id].guard,
                         .size = self->counts[id] * self->strides[id],
                         .count = (uint32_t)self->counts[id]};
  return true;
}

weft_gl_counts weft_solver_gl_counts(const weft_gl *gl) {
  const weft_gl_programs *shared = gl->solver;
  return shared ? shared->counts : (weft_gl_counts){0};
}
