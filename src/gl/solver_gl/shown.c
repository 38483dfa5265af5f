/* shown.c: a backend that computes elsewhere and is seen in GL. Passes go to another backend; a
 * buffer that is asked for as a GL buffer is copied there, once for each time it may have changed.
 */
#include "solver_gl_internal.h"

struct weft_shown {
  weft_backend backend;
  weft_gl *gl;
  const weft_backend *inner;
};

/* What it makes. */
typedef struct shown_instance {
  weft_gl *gl;
  const weft_backend *inner;
  void *instance;
  uint64_t counts[WEFT_BUFFER_COUNT];
  uint32_t strides[WEFT_BUFFER_COUNT];
  weft_gl_buffer copies[WEFT_BUFFER_COUNT]; /* made when asked for */
  bool fresh[WEFT_BUFFER_COUNT];
} shown_instance;

static void forget(shown_instance *s) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (weft_buffer_infos[id].use != WEFT_USE_CONSTANT) s->fresh[id] = false;
  }
}

static void shown_destroy(void *instance) {
  shown_instance *s = instance;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (s->copies[id].name) weft_gl_buffer_destroy(&s->copies[id]);
  }
  if (s->instance) s->inner->destroy(s->instance);
  weft_free(s);
}

static weft_result shown_create(const weft_backend *backend, weft_contents *contents,
                                uint32_t guard, void **instance, weft_error *err) {
  const weft_shown *of = backend->context;
  shown_instance *s = weft_alloc(1, sizeof *s);
  s->gl = of->gl;
  s->inner = of->inner;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    s->counts[id] = contents->buffers[id].count;
    s->strides[id] = contents->buffers[id].stride;
  }
  weft_result result = s->inner->create(s->inner, contents, guard, &s->instance, err);
  if (result == WEFT_OK) {
    *instance = s;
  } else {
    weft_free(s);
  }
  return result;
}

static void shown_run(void *instance, const weft_pass *pass, uint32_t substep) {
  shown_instance *s = instance;
  forget(s);
  s->inner->run(s->instance, pass, substep);
}

static void shown_finish(void *instance) {
  const shown_instance *s = instance;
  s->inner->finish(s->instance);
}

static weft_result shown_check(void *instance, const char *what, weft_error *err) {
  const shown_instance *s = instance;
  return s->inner->check(s->instance, what, err);
}

static void shown_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                       void *data) {
  const shown_instance *s = instance;
  s->inner->read(s->instance, id, first, count, data);
}

static void shown_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                        const void *data) {
  shown_instance *s = instance;
  s->fresh[id] = false;
  s->inner->write(s->instance, id, first, count, data);
}

static void shown_save(void *instance) {
  const shown_instance *s = instance;
  s->inner->save(s->instance);
}

static void shown_restore(void *instance) {
  shown_instance *s = instance;
  forget(s);
  s->inner->restore(s->instance);
}

static void shown_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved) {
  const shown_instance *s = instance;
  s->inner->unmoved(s->instance, first, count, unmoved);
}

static weft_result shown_resize(void *instance, const weft_self_room *room, weft_error *err) {
  shown_instance *s = instance;
  const weft_result result = s->inner->resize(s->instance, room, err);
  for (int id = 0; id < WEFT_BUFFER_COUNT && result == WEFT_OK; ++id) {
    const uint64_t count = weft_self_room_count(room, (weft_buffer_id)id);
    if (!count) continue;
    s->counts[id] = count;
    s->fresh[id] = false;
    if (s->copies[id].name) weft_gl_buffer_destroy(&s->copies[id]);
  }
  return result;
}

static weft_buffer_id shown_broken_guard(void *instance) {
  const shown_instance *s = instance;
  return s->inner->broken_guard(s->instance);
}

static uint64_t shown_device_bytes(void *instance) {
  const shown_instance *s = instance;
  uint64_t bytes = 0;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) bytes += s->copies[id].size;
  return bytes;
}

/* ---- the backend ---- */

weft_shown *weft_shown_create(weft_gl *gl, const weft_backend *inner) {
  WEFT_CHECK(!inner->contents && !inner->plan_single, "a backend that cannot be shown");
  weft_shown *shown = weft_alloc(1, sizeof *shown);
  *shown = (weft_shown){.gl = gl, .inner = inner};
  shown->backend = (weft_backend){.name = inner->name,
                                  .context = shown,
                                  .create = shown_create,
                                  .destroy = shown_destroy,
                                  .run = shown_run,
                                  .finish = shown_finish,
                                  .check = shown_check,
                                  .read = shown_read,
                                  .write = shown_write,
                                  .save = shown_save,
                                  .restore = shown_restore,
                                  .unmoved = shown_unmoved,
                                  .resize = shown_resize,
                                  .device_bytes = shown_device_bytes,
                                  .broken_guard = shown_broken_guard};
  return shown;
}

void weft_shown_destroy(weft_shown *shown) { weft_free(shown); }
const weft_backend *weft_backend_shown(const weft_shown *shown) { return &shown->backend; }

/* ---- copies ---- */

static bool copy(shown_instance *s, weft_buffer_id id) {
  uint64_t bytes = s->counts[id] * s->strides[id];
  weft_gl_make_current(s->gl);
  if (!s->copies[id].name &&
      weft_gl_buffer_create(s->gl, weft_buffer_infos[id].name, bytes, 0, GL_DYNAMIC_DRAW, NULL,
                            &s->copies[id], NULL) != WEFT_OK) {
    return false;
  }
  if (!s->fresh[id] && bytes) {
    void *data = weft_alloc((size_t)s->counts[id], s->strides[id]);
    s->inner->read(s->instance, id, 0, s->counts[id], data);
    weft_gl_buffer_write(&s->copies[id], 0, bytes, data);
    weft_free(data);
  }
  s->fresh[id] = true;
  return true;
}

bool weft_shown_view(const weft_solver *solver, weft_buffer_id id, weft_gl_view *view) {
  if (solver->backend->run != shown_run) return false;
  shown_instance *s = solver->instance;
  if (!copy(s, id)) return false;
  *view = (weft_gl_view){.buffer = s->copies[id].name,
                         .stride = s->strides[id],
                         .offset = s->copies[id].guard,
                         .size = s->counts[id] * s->strides[id],
                         .count = (uint32_t)s->counts[id]};
  return true;
}
