/* readback.c: states on their way to the host, a buffer each, in a ring. The GPU copies into one
 * and sets a fence; the host looks at the fence, and maps the buffer once it is through. */
#include "solver_gl_internal.h"

enum { MOST_FRAMES = 8 };

typedef struct sent_frame {
  weft_gl_buffer buffer; /* positions, then velocities */
  GLsync fence;
  weft_vec3d origin;
  uint64_t frame;
} sent_frame;

struct weft_gl_readback {
  weft_solver *solver;
  sent_frame frames[MOST_FRAMES];
  uint32_t count, oldest, sent; /* of frames; the one that arrives next; how many are under way */
  bool velocities;
};

static void release(void *readback) { weft_gl_readback_destroy(readback); }

weft_result weft_gl_readback_create(weft_solver *solver, uint32_t frames, bool velocities,
                                    weft_gl_readback **out, weft_error *err) {
  WEFT_NEED(out);
  *out = NULL;
  WEFT_NEED(solver);
  weft_gl_instance *self = weft_gl_instance_of(solver, err);
  if (!self) return WEFT_ERROR_ARGUMENT;
  if (frames < 1 || frames > MOST_FRAMES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u frames under way, allowed are 1 to %d", frames,
                     MOST_FRAMES);
  }
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_gl_take_over(self);
  weft_gl_readback *readback = weft_alloc(1, sizeof *readback);
  *readback = (weft_gl_readback){.solver = solver, .count = frames, .velocities = velocities};
  weft_deferred *deferred = weft_defer(release, readback);
  const uint64_t bytes = (uint64_t)solver->model->particle_count * sizeof(vec4);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < frames && result == WEFT_OK; ++k) {
    result = weft_gl_buffer_create(self->gl, "a state on its way", velocities ? 2 * bytes : bytes,
                                   0, GL_STREAM_READ, NULL, &readback->frames[k].buffer, err);
  }
  weft_defer_end(deferred);
  if (result == WEFT_OK) {
    *out = readback;
  } else {
    weft_gl_readback_destroy(readback);
  }
  return result;
}

void weft_gl_readback_destroy(weft_gl_readback *readback) {
  if (!readback) return;
  const weft_backend *entered = NULL;
  if (weft_enter(readback->solver->backend, &entered, NULL) == WEFT_OK) {
    for (uint32_t k = 0; k < readback->count; ++k) {
      weft_gl_buffer_destroy(&readback->frames[k].buffer);
      if (readback->frames[k].fence) glDeleteSync(readback->frames[k].fence);
    }
    weft_leave(&entered);
  }
  weft_free(readback);
}

static void send(weft_gl_instance *self, weft_buffer_id id, const weft_gl_buffer *to,
                 uint64_t first, uint64_t bytes) {
  const weft_gl_buffer *from = &self->buffers[id];
  glBindBuffer(GL_COPY_READ_BUFFER, from->name);
  glBindBuffer(GL_COPY_WRITE_BUFFER, to->name);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from->guard,
                      (GLintptr)first, (GLsizeiptr)bytes);
}

weft_result weft_gl_readback_begin(weft_gl_readback *readback, weft_error *err) {
  WEFT_NEED(readback);
  weft_solver *solver = readback->solver;
  if (readback->sent == readback->count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "all %u frames are under way: take one first",
                     readback->count);
  }
  weft_gl_instance *self = weft_gl_instance_of(solver, err);
  if (!self) return WEFT_ERROR_ARGUMENT;
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_gl_take_over(self);
  sent_frame *next = &readback->frames[(readback->oldest + readback->sent) % readback->count];
  const uint64_t bytes = (uint64_t)solver->model->particle_count * sizeof(vec4);
  weft_gl_barrier(self->shared, GL_BUFFER_UPDATE_BARRIER_BIT);
  send(self, WEFT_BUFFER_X, &next->buffer, 0, bytes);
  if (readback->velocities) send(self, WEFT_BUFFER_V, &next->buffer, bytes, bytes);
  next->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  next->origin = solver->origin;
  next->frame = solver->frame;
  readback->sent++;
  return WEFT_OK;
}

static bool has_arrived(const sent_frame *frame, GLuint64 wait) {
  const GLenum got = glClientWaitSync(frame->fence, wait ? GL_SYNC_FLUSH_COMMANDS_BIT : 0, wait);
  return got == GL_ALREADY_SIGNALED || got == GL_CONDITION_SATISFIED;
}

bool weft_gl_readback_ready(weft_gl_readback *readback) {
  const weft_backend *entered = NULL;
  if (!readback || readback->sent == 0) return false;
  if (weft_enter(readback->solver->backend, &entered, NULL) != WEFT_OK) return false;
  const bool ready = has_arrived(&readback->frames[readback->oldest], 0);
  weft_leave(&entered);
  return ready;
}

static void unpack(const vec4 *rows, uint32_t count, weft_vec3d origin, weft_vec3 *out) {
  for (uint32_t i = 0; i < count && out; ++i) out[i] = weft_origin_leave(origin, rows[i]);
}

static weft_result take_rows(weft_gl_readback *readback, const sent_frame *frame,
                             weft_vec3 *positions, weft_vec3 *velocities, weft_error *err) {
  const uint32_t count = readback->solver->model->particle_count;
  glBindBuffer(GL_COPY_READ_BUFFER, frame->buffer.name);
  const vec4 *rows =
      glMapBufferRange(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)frame->buffer.size, GL_MAP_READ_BIT);
  if (!rows) return weft_fail(err, WEFT_ERROR_GL, "the driver does not map a state that arrived");
  unpack(rows, count, frame->origin, positions);
  if (readback->velocities) unpack(rows + count, count, (weft_vec3d){0, 0, 0}, velocities);
  glUnmapBuffer(GL_COPY_READ_BUFFER);
  return WEFT_OK;
}

weft_result weft_gl_readback_take(weft_gl_readback *readback, weft_vec3 *positions,
                                  weft_vec3 *velocities, uint64_t *frame, weft_error *err) {
  enum { SECOND = 1000000000 };
  WEFT_NEED(readback);
  if (readback->sent == 0 || (velocities && !readback->velocities)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s",
                     readback->sent ? "velocities were not sent" : "no frame is under way");
  }
  WEFT_ENTER(readback->solver->backend);
  WEFT_GUARD_CHANGE(&readback->solver->owned, err);
  sent_frame *oldest = &readback->frames[readback->oldest];
  if (!has_arrived(oldest, SECOND)) glFinish();
  const weft_result result = take_rows(readback, oldest, positions, velocities, err);
  glDeleteSync(oldest->fence);
  oldest->fence = NULL;
  if (frame) *frame = oldest->frame;
  readback->oldest = (readback->oldest + 1) % readback->count;
  readback->sent--;
  return result;
}
