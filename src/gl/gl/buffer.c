/* Buffers with their size checked and, for tests, guard bytes around the payload; timers.
 *
 * The guard words read as signalling NaNs: a shader that reads past its range poisons its result,
 * one that writes there is found by weft_gl_buffer_guards_intact. */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "gl.h"

/* A range that is bound must not be empty. */
enum { SMALLEST_PAYLOAD = 16 };

static const unsigned char guard_word[4] = {0xa5, 0xa5, 0xa5, 0x7f};

static uint64_t stored_payload(const weft_gl_buffer *buffer) {
  return buffer->size > SMALLEST_PAYLOAD ? buffer->size : SMALLEST_PAYLOAD;
}

/* Guard bytes by their offset in the buffer, so that any start and end will do. */
static unsigned char *guard_bytes(uint64_t first, uint64_t count) {
  unsigned char *bytes = weft_alloc((size_t)count, 1);
  for (uint64_t i = 0; i < count; ++i) bytes[i] = guard_word[(first + i) & 3];
  return bytes;
}

/* The guard behind starts right at the payload's last byte, whatever its size. */
static uint64_t behind_first(const weft_gl_buffer *buffer) { return buffer->guard + buffer->size; }
static uint64_t behind_count(const weft_gl_buffer *buffer) {
  return buffer->guard + stored_payload(buffer) - buffer->size;
}

static void write_guard(uint64_t first, uint64_t count) {
  unsigned char *bytes = guard_bytes(first, count);
  glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)first, (GLsizeiptr)count, bytes);
  weft_free(bytes);
}

static bool guard_intact(uint64_t first, uint64_t count) {
  unsigned char *expected = guard_bytes(first, count);
  unsigned char *found = weft_alloc((size_t)count, 1);
  glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)first, (GLsizeiptr)count, found);
  bool intact = memcmp(expected, found, (size_t)count) == 0;
  weft_free(expected);
  weft_free(found);
  return intact;
}

static void fill(const weft_gl_buffer *buffer, const void *data) {
  /* Without data, which drivers take from where the caller's pixel storage modes point. */
  glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL);
  if (data && buffer->size) {
    glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)buffer->guard, (GLsizeiptr)buffer->size, data);
  }
  if (buffer->guard) {
    write_guard(0, buffer->guard);
    write_guard(behind_first(buffer), behind_count(buffer));
  }
}

/* What asks less of a driver. */
static const char less[] = ": --backend cpu needs none, a smaller size less of it";

weft_result weft_gl_buffer_create(weft_gl *gl, const char *label, uint64_t size, uint64_t guard,
                                  GLenum usage, const void *data, weft_gl_buffer *buffer,
                                  weft_error *err) {
  uint64_t alignment = gl->limits.storage_alignment;
  *buffer =
      (weft_gl_buffer){.size = size, .guard = (guard + alignment - 1) / alignment * alignment};
  const uint64_t max = UINT64_C(1) << 48; /* beyond any machine, and sums stay in range */
  if (size > max || guard > max) {
    return weft_fail(err, WEFT_ERROR_LIMIT, "a buffer of %llu bytes (%s) is beyond any driver",
                     (unsigned long long)size, label);
  }
  uint64_t total = 2 * buffer->guard + stored_payload(buffer);
  char what[128];
  snprintf(what, sizeof what, "before the buffer %s was made", label);
  weft_gl_settle(gl, what, NULL);
  glGenBuffers(1, &buffer->name);
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
  glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)total, NULL, usage);
  GLenum error = glGetError();
  GLint64 got = 0;
  glGetBufferParameteri64v(GL_COPY_WRITE_BUFFER, GL_BUFFER_SIZE, &got);
  if (error || (uint64_t)got != total) {
    weft_gl_buffer_destroy(buffer);
    return weft_fail(err, error == GL_OUT_OF_MEMORY || !error ? WEFT_ERROR_LIMIT : WEFT_ERROR_GL,
                     "the driver has no memory for %llu bytes (%s, GL error 0x%04x)%s",
                     (unsigned long long)total, label, error, less);
  }
  glObjectLabel(GL_BUFFER, buffer->name, -1, label);
  fill(buffer, data);
  snprintf(what, sizeof what, "filling the buffer %s", label);
  weft_result result = weft_gl_check(what, err);
  if (result != WEFT_OK) weft_gl_buffer_destroy(buffer);
  return result;
}

void weft_gl_buffer_destroy(weft_gl_buffer *buffer) {
  glDeleteBuffers(1, &buffer->name);
  *buffer = (weft_gl_buffer){0};
}

void weft_gl_buffer_write(const weft_gl_buffer *buffer, uint64_t offset, uint64_t size,
                          const void *data) {
  WEFT_CHECK(offset <= buffer->size && size <= buffer->size - offset,
             "a write reaches past the end of its buffer");
  if (!size) return;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
  glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)(buffer->guard + offset), (GLsizeiptr)size, data);
}

/* A new store under the same name, so that nothing waits for what still reads the old one. */
void weft_gl_buffer_replace(const weft_gl_buffer *buffer, GLenum usage, const void *data) {
  unsigned char least[SMALLEST_PAYLOAD] = {0};
  if (buffer->guard) {
    weft_gl_buffer_write(buffer, 0, buffer->size, data);
    return;
  }
  if (buffer->size < SMALLEST_PAYLOAD && buffer->size) {
    memcpy(least, data, (size_t)buffer->size);
    data = least;
  }
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
  glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)stored_payload(buffer), data, usage);
}

void weft_gl_buffer_read(const weft_gl_buffer *buffer, uint64_t offset, uint64_t size, void *data) {
  WEFT_CHECK(offset <= buffer->size && size <= buffer->size - offset,
             "a read reaches past the end of its buffer");
  if (!size) return;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_COPY_READ_BUFFER, buffer->name);
  glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)(buffer->guard + offset), (GLsizeiptr)size,
                     data);
}

bool weft_gl_buffer_guards_intact(const weft_gl_buffer *buffer) {
  if (!buffer->guard) return true;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_COPY_READ_BUFFER, buffer->name);
  return guard_intact(0, buffer->guard) && guard_intact(behind_first(buffer), behind_count(buffer));
}

/* ---- timers ---- */

void weft_gl_timer_create(weft_gl_timer *timer) { glGenQueries(2, timer->queries); }

void weft_gl_timer_destroy(weft_gl_timer *timer) { glDeleteQueries(2, timer->queries); }

void weft_gl_timer_begin(weft_gl_timer *timer) { glQueryCounter(timer->queries[0], GL_TIMESTAMP); }

void weft_gl_timer_end(weft_gl_timer *timer) { glQueryCounter(timer->queries[1], GL_TIMESTAMP); }

bool weft_gl_timer_ready(const weft_gl_timer *timer) {
  GLuint there = 0;
  glGetQueryObjectuiv(timer->queries[1], GL_QUERY_RESULT_AVAILABLE, &there);
  return there != 0;
}

double weft_gl_timer_seconds(const weft_gl_timer *timer) {
  GLuint64 begin = 0, end = 0;
  glGetQueryObjectui64v(timer->queries[0], GL_QUERY_RESULT, &begin);
  glGetQueryObjectui64v(timer->queries[1], GL_QUERY_RESULT, &end);
  return end > begin ? 1e-9 * (double)(end - begin) : 0;
}

/* ---- errors ---- */

enum { CONTEXT_LOST = 0x0507 }; /* of OpenGL 4.5, and KHR_robustness */

static const char *error_name(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "an invalid enumerant";
    case GL_INVALID_VALUE:
      return "an invalid value";
    case GL_INVALID_OPERATION:
      return "an invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "an incomplete frame buffer";
    case GL_OUT_OF_MEMORY:
      return "that it is out of memory";
    case CONTEXT_LOST:
      return "that it gave up the context, as where work takes longer than its time-out";
    default:
      return "an error";
  }
}

weft_result weft_gl_check(const char *what, weft_error *err) {
  enum { FLAGS = 16 }; /* no more kinds of errors than that can be pending */
  GLenum error = glGetError();
  if (!error) return WEFT_OK;
  for (int k = 0; k < FLAGS && glGetError(); ++k) continue;
  return weft_fail(err, error == GL_OUT_OF_MEMORY ? WEFT_ERROR_LIMIT : WEFT_ERROR_GL,
                   "%s: the driver reports %s (GL error 0x%04x)%s", what, error_name(error), error,
                   error == GL_OUT_OF_MEMORY || error == CONTEXT_LOST ? less : "");
}

weft_result weft_gl_settle(weft_gl *gl, const char *what, weft_error *err) {
  weft_error fault = {0};
  weft_result result = weft_gl_check(what, &fault);
  if (result == WEFT_OK) return WEFT_OK;
  gl->fault = fault;
  gl->faults++;
  return weft_fail(err, result, "%s", fault.message);
}
