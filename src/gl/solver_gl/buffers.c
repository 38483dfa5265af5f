/* buffers.c: an instance's buffers: how they are made; the state of a frame's beginning, kept on
 * the device and brought back; lists of self-collision that become longer. */
#include <stdio.h>
#include <string.h>

#include "solver_gl_internal.h"

void weft_gl_take_over(weft_gl_instance *self) {
  weft_gl_make_current(self->gl);
  weft_gl_quiet_settle(self);
  weft_gl_forget(self->shared);
}

static GLenum usage_of(weft_buffer_id id) {
  switch (weft_buffer_infos[id].use) {
    case WEFT_USE_STATE:
    case WEFT_USE_SCRATCH:
      return GL_DYNAMIC_COPY;
    case WEFT_USE_FRAME:
      return GL_DYNAMIC_DRAW;
    case WEFT_USE_CONSTANT:
    case WEFT_USE_HOST:
      break;
  }
  return GL_STATIC_DRAW;
}

weft_result weft_gl_make_buffer(weft_gl_instance *self, weft_buffer_id id, uint64_t guard,
                                const void *data, weft_gl_buffer *buffer, weft_error *err) {
  char label[64];
  snprintf(label, sizeof label, "weft %s", weft_buffer_infos[id].name);
  self->shared->counts.buffers_created++;
  return weft_gl_buffer_create(self->gl, label, self->counts[id] * self->strides[id], guard,
                               usage_of(id), data, buffer, err);
}

/* ---- the state ---- */

/* Of a list that is part of the state: what is in it. */
static uint64_t bytes_in_use(const weft_gl_instance *self, int id, const weft_gl_buffer *count) {
  const uint64_t all = self->counts[id] * self->strides[id];
  if (id != WEFT_BUFFER_SELF_CACHE || !count->name) return all;
  uint32_t kept;
  weft_gl_buffer_read(count, 0, sizeof kept, &kept);
  const uint64_t bytes = (uint64_t)kept * self->strides[id];
  return bytes < all ? bytes : all;
}

static void copy(weft_gl_instance *self, const weft_gl_buffer *from, const weft_gl_buffer *to,
                 uint64_t bytes) {
  if (!bytes) return;
  glBindBuffer(GL_COPY_READ_BUFFER, from->name);
  glBindBuffer(GL_COPY_WRITE_BUFFER, to->name);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from->guard,
                      (GLintptr)to->guard, (GLsizeiptr)bytes);
  self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
}

weft_result weft_gl_make_saved(weft_gl_instance *self, weft_error *err) {
  weft_result result = WEFT_OK;
  if (self->counts[WEFT_BUFFER_SELF_COUNTS] == 0) return WEFT_OK;
  for (int id = 0; id < WEFT_BUFFER_COUNT && result == WEFT_OK; ++id) {
    if (!weft_buffer_saved((weft_buffer_id)id) || !self->counts[id]) continue;
    result = weft_gl_make_buffer(self, (weft_buffer_id)id, 0, NULL, &self->saved[id], err);
  }
  return result;
}

void weft_gl_save(void *instance) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!self->saved[id].name) continue;
    const weft_gl_buffer *count = &self->buffers[WEFT_BUFFER_SELF_CACHE_COUNT];
    copy(self, &self->buffers[id], &self->saved[id], bytes_in_use(self, id, count));
  }
}

void weft_gl_restore(void *instance) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  weft_gl_quiet_end(self);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!self->saved[id].name) continue;
    const weft_gl_buffer *count = &self->saved[WEFT_BUFFER_SELF_CACHE_COUNT];
    copy(self, &self->saved[id], &self->buffers[id], bytes_in_use(self, id, count));
  }
}

void weft_gl_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved) {
  weft_gl_instance *self = instance;
  const uint64_t stride = self->strides[WEFT_BUFFER_X];
  weft_gl_take_over(self);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  unsigned char *now = weft_alloc((size_t)(2 * count), (size_t)stride),
                *before = now + count * stride;
  weft_gl_buffer_read(&self->buffers[WEFT_BUFFER_X], first * stride, count * stride, now);
  weft_gl_buffer_read(&self->saved[WEFT_BUFFER_X], first * stride, count * stride, before);
  for (uint64_t k = 0; k < count; ++k) {
    unmoved[k] = memcmp(now + k * stride, before + k * stride, (size_t)stride) == 0;
  }
  weft_free(now);
}

/* ---- lists ---- */

static weft_result check_fit(const weft_gl_instance *self, const weft_self_room *room,
                             weft_error *err) {
  weft_contents lists;
  weft_contents_init(&lists);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    lists.buffers[id].count = weft_self_room_count(room, (weft_buffer_id)id);
  }
  return weft_gl_check_fit(self->gl, &lists, err);
}

/* The longer list in place of the other, which the driver may need the memory of. */
static weft_result lengthen(weft_gl_instance *self, weft_buffer_id id, weft_error *err) {
  const uint64_t guard = self->buffers[id].guard;
  weft_gl_buffer_destroy(&self->buffers[id]);
  weft_result result = weft_gl_make_buffer(self, id, guard, NULL, &self->buffers[id], err);
  if (result != WEFT_OK || !self->saved[id].name) return result;
  weft_gl_buffer old = self->saved[id];
  result = weft_gl_make_buffer(self, id, 0, NULL, &self->saved[id], err);
  if (result == WEFT_OK) copy(self, &old, &self->saved[id], old.size);
  weft_gl_buffer_destroy(&old);
  return result;
}

static void tell_uniforms(weft_gl_instance *self, const weft_self_room *room) {
  weft_uniforms u;
  weft_gl_buffer_read(&self->buffers[WEFT_BUFFER_UNIFORMS], 0, sizeof u, &u);
  weft_self_set_room(&u, room);
  weft_gl_buffer_write(&self->buffers[WEFT_BUFFER_UNIFORMS], 0, sizeof u, &u);
}

weft_result weft_gl_resize(void *instance, const weft_self_room *room, weft_error *err) {
  weft_gl_instance *self = instance;
  weft_gl_take_over(self);
  weft_error why = {0};
  weft_result result = check_fit(self, room, err);
  if (result != WEFT_OK) return result;
  weft_gl_buffer_textures_destroy(self);
  memset(self->laid, 0, sizeof self->laid);
  for (int id = 0; id < WEFT_BUFFER_COUNT && result == WEFT_OK; ++id) {
    const uint64_t count = weft_self_room_count(room, (weft_buffer_id)id);
    if (!count) continue;
    self->counts[id] = count;
    result = lengthen(self, (weft_buffer_id)id, &why);
  }
  weft_gl_buffer_textures_create(self);
  tell_uniforms(self, room);
  weft_gl_forget(self->shared);
  if (result == WEFT_OK) result = weft_gl_check("lengthening lists", &why);
  if (result == WEFT_OK) return WEFT_OK;
  self->fault = why; /* a list is missing */
  return weft_fail(err, result, "%s", why.message);
}

/* ---- tables ---- */

weft_result weft_gl_lengthen_frame(weft_gl_instance *self, const weft_contents *tables,
                                   weft_error *err) {
  weft_gl_buffer longer[WEFT_BUFFER_COUNT] = {0};
  weft_result result = weft_gl_check_fit(self->gl, tables, err);
  bool any = false;
  for (int id = 0; id < WEFT_BUFFER_COUNT && result == WEFT_OK; ++id) {
    const weft_buffer_contents *table = &tables->buffers[id];
    const uint64_t count = self->counts[id];
    if (!table->filled || !table->data || table->count <= count) continue;
    if (table->count * table->stride <= self->buffers[id].size) continue;
    self->counts[id] = table->count;
    result = weft_gl_make_buffer(self, (weft_buffer_id)id, self->buffers[id].guard, table->data,
                                 &longer[id], err);
    self->counts[id] = count;
    any = true;
  }
  if (result == WEFT_OK && any) result = weft_gl_check("lengthening tables", err);
  if (any) weft_gl_buffer_textures_destroy(self);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!longer[id].name) continue;
    weft_gl_buffer_destroy(result == WEFT_OK ? &self->buffers[id] : &longer[id]);
    if (result == WEFT_OK) self->buffers[id] = longer[id];
  }
  if (any) weft_gl_buffer_textures_create(self);
  return result;
}

void weft_gl_take_table(weft_gl_instance *self, weft_buffer_id id, const void *data) {
  const uint64_t bytes = self->counts[id] * self->strides[id];
  if (usage_of(id) == GL_STATIC_DRAW) {
    weft_gl_buffer_replace(&self->buffers[id], GL_STATIC_DRAW, data);
  } else {
    weft_gl_buffer_write(&self->buffers[id], 0, bytes, data);
  }
}
