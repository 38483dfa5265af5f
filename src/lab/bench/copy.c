/* copy.c: what the machine gives at best, measured before and after every row: bytes a second
 * of a copy as large as the solver's buffers (so what fits a cache is compared with copying in that
 * cache), and, on a GPU, what starting a pass costs that does nothing. On processors a pass is a
 * call, and where threads wait for each other is the backend's choice: there starting costs
 * nothing.
 *
 * With OpenGL a kernel copies, and the driver: on llvmpipe a kernel is held up by what every
 * invocation costs, not by memory, and a floor from it alone came out above what passes took.
 *
 * A copy of n bytes moves 2 n. Where it takes less than some dispatches do it grows until that no
 * longer matters. The quickest of some repetitions counts: what others did on the machine meanwhile
 * only ever makes it slower. */
#include <math.h>
#include <string.h>

#include "bench_internal.h"
#include "gl.h"
#include "thread_pool.h"

enum { REPETITIONS = 7, DISPATCHES = 64, DISPATCHES_WORTH = 16 };

static const uint64_t min_bytes = UINT64_C(1) << 16, max_bytes = UINT64_C(1) << 28;

static uint64_t bytes_to_copy(uint64_t buffer_bytes) {
  uint64_t bytes = buffer_bytes / 2 / 64 * 64;
  return bytes < min_bytes ? min_bytes : bytes > max_bytes ? max_bytes : bytes;
}

/* ---- processors ---- */

typedef struct copying {
  uint32_t threads;
  unsigned char *from, *to;
  size_t bytes;
  uint32_t times;
} copying;

static uint32_t copy_parts(void *context, uint32_t phase) {
  (void)phase;
  return ((const copying *)context)->threads;
}

/* Each thread its own part, back and forth. */
static void copy_part(void *context, uint32_t phase, uint32_t part) {
  (void)phase;
  const copying *c = context;
  size_t size = c->threads, begin = c->bytes / size * part;
  size_t count = part + 1 == size ? c->bytes - begin : c->bytes / size;
  for (uint32_t k = 0; k < c->times; ++k) {
    unsigned char *from = k % 2 ? c->to : c->from, *to = k % 2 ? c->from : c->to;
    memcpy(to + begin, from + begin, count);
  }
}

/* Seconds of one of `times`, at best. */
static double quickest(copying *c, uint32_t times) {
  const weft_job job = {.context = c, .phases = 1, .parts = copy_parts, .run = copy_part};
  double best = INFINITY;
  c->times = times;
  for (int k = 0; k < REPETITIONS; ++k) {
    double start = weft_clock_seconds();
    weft_thread_pool_run(&job, NULL);
    best = fmin(best, (weft_clock_seconds() - start) / times);
  }
  return best;
}

static double copy_with(uint32_t threads, copying c) {
  c.threads = threads;
  weft_thread_pool_acquire(threads);
  uint32_t times = 2 + (uint32_t)((UINT64_C(4) << 20) / c.bytes);
  double seconds = quickest(&c, times);
  weft_thread_pool_release();
  return 2 * (double)c.bytes / seconds;
}

/* With all threads or with one, whichever is faster: what is small is that for one. */
static void measure_processors(uint32_t threads, uint64_t bytes, weft_bench_machine *machine) {
  copying c = {.bytes = (size_t)bytes};
  c.from = weft_alloc(c.bytes, 1);
  c.to = weft_alloc(c.bytes, 1);
  memset(c.from, 1, c.bytes); /* pages never written are all the same page */
  memset(c.to, 2, c.bytes);
  machine->copied = bytes;
  machine->copier = "memcpy";
  machine->bytes_per_s = copy_with(1, c);
  if (threads > 1) machine->bytes_per_s = fmax(machine->bytes_per_s, copy_with(threads, c));
  weft_free(c.from);
  weft_free(c.to);
}

/* ---- OpenGL ---- */

typedef struct device {
  weft_gl *gl;
  GLuint program;
  weft_gl_buffer from, to;
  GLuint textured; /* over `from`, where the driver's passes read so */
} device;

static void dispatch_elements(uint32_t first, uint32_t count, uint32_t groups) {
  glUniform1ui(0, first); /* copy.comp has them there */
  glUniform1ui(1, count);
  glDispatchCompute(groups, 1, 1);
}

/* All rows, in dispatches that the driver accepts. */
static void copy_all(const device *d) {
  uint32_t rows = (uint32_t)(d->from.size / sizeof(vec4)), group = d->gl->desc.group_size;
  uint64_t max = (uint64_t)d->gl->limits.max_groups[0] * group;
  for (uint32_t first = 0; first < rows;) {
    uint32_t count = rows - first < max ? rows - first : (uint32_t)max;
    dispatch_elements(first, count, (count + group - 1) / group);
    first += count;
  }
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void start_nothing(const device *d) {
  (void)d;
  for (int k = 0; k < DISPATCHES; ++k) {
    dispatch_elements(0, 0, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
}

/* Seconds by the device's own timestamps, as passes are timed, at best. */
static double quickest_on(const device *d, void (*work)(const device *)) {
  weft_gl_timer timer;
  weft_gl_timer_create(&timer);
  double best = INFINITY;
  glUseProgram(d->program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, d->from.name);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, d->to.name);
  if (d->textured) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_BUFFER, d->textured);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, d->from.name);
  }
  for (int k = 0; k <= REPETITIONS; ++k) {
    weft_gl_timer_begin(&timer);
    work(d);
    weft_gl_timer_end(&timer);
    glFinish();
    double seconds = weft_gl_timer_seconds(&timer);
    if (k > 0 && seconds > 0) best = fmin(best, seconds); /* the first wakes it up */
  }
  weft_gl_timer_destroy(&timer);
  return best;
}

static weft_result make_buffers(device *d, uint64_t bytes, weft_error *err) {
  weft_result result = weft_gl_buffer_create(d->gl, "weft bench from", bytes, 0, GL_DYNAMIC_COPY,
                                             NULL, &d->from, err);
  if (result != WEFT_OK) return result;
  result =
      weft_gl_buffer_create(d->gl, "weft bench to", bytes, 0, GL_DYNAMIC_COPY, NULL, &d->to, err);
  if (result != WEFT_OK) weft_gl_buffer_destroy(&d->from);
  return result;
}

/* As the driver copies, by the host's clock, so with what waiting for its end takes: that can only
 * make it look slower. Back and forth, so that each waits for the one before. */
static double quickest_of_driver(const device *d, uint64_t bytes) {
  uint32_t times = 2 + (uint32_t)((UINT64_C(4) << 20) / bytes);
  double best = INFINITY;
  for (int k = 0; k <= REPETITIONS; ++k) {
    glFinish();
    double start = weft_clock_seconds();
    for (uint32_t t = 0; t < times; ++t) {
      glBindBuffer(GL_COPY_READ_BUFFER, t % 2 ? d->to.name : d->from.name);
      glBindBuffer(GL_COPY_WRITE_BUFFER, t % 2 ? d->from.name : d->to.name);
      glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)bytes);
    }
    glFinish();
    double seconds = (weft_clock_seconds() - start) / times;
    if (k > 0) best = fmin(best, seconds);
  }
  return best;
}

/* Starting it is paid for by the floor anyhow. */
static double rate_of(uint64_t bytes, double seconds, double dispatch) {
  return isfinite(seconds) ? 2 * (double)bytes / fmax(seconds - dispatch, seconds / 2) : 0;
}

/* One size; machine->dispatch_s is that of these buffers. */
static weft_result copy_on(device *d, uint64_t bytes, weft_bench_machine *machine, double *seconds,
                           weft_error *err) {
  weft_result result = make_buffers(d, bytes, err);
  if (result != WEFT_OK) return result;
  double nothing = quickest_on(d, start_nothing) / DISPATCHES;
  *seconds = quickest_on(d, copy_all);
  machine->dispatch_s = isfinite(nothing) ? nothing : 0;
  machine->copied = bytes;
  machine->bytes_per_s = rate_of(bytes, *seconds, machine->dispatch_s);
  machine->copier = "a kernel";
  double by_driver = 2 * (double)bytes / quickest_of_driver(d, bytes);
  if (by_driver > machine->bytes_per_s) {
    machine->bytes_per_s = by_driver;
    machine->copier = "the driver";
  }
  weft_gl_buffer_destroy(&d->from);
  weft_gl_buffer_destroy(&d->to);
  return WEFT_OK;
}

static weft_result measure_device(weft_gl *gl, uint64_t bytes, weft_bench_machine *machine,
                                  weft_error *err) {
  weft_gl_make_current(gl);
  device d = {.gl = gl};
  char defines[64];
  bool textured = gl->desc.reads == WEFT_GL_READS_TEXTURES;
  snprintf(defines, sizeof defines, "WEFT_GROUP_SIZE=%u%s", gl->desc.group_size,
           textured ? " WEFT_TEXTURES=1" : "");
  weft_result result =
      weft_gl_compute_program(gl, "bench/copy.comp", defines, NULL, &d.program, err);
  if (result != WEFT_OK) return result;
  if (textured) glGenTextures(1, &d.textured);
  uint64_t max =
      gl->limits.max_storage_block < max_bytes ? gl->limits.max_storage_block : max_bytes;
  double seconds = 0;
  if (bytes > max) bytes = max;
  for (;; bytes *= 2) {
    result = copy_on(&d, bytes, machine, &seconds, err);
    bool enough = seconds >= DISPATCHES_WORTH * machine->dispatch_s;
    if (result != WEFT_OK || enough || 2 * bytes > max) break;
  }
  if (textured) glDeleteTextures(1, &d.textured);
  glDeleteProgram(d.program);
  return result == WEFT_OK ? weft_gl_check("measuring copies", err) : result;
}

/* ---- */

static void keep_best(const weft_bench_machine *now, weft_bench_machine *best) {
  bool first = best->copied == 0;
  if (first || now->dispatch_s < best->dispatch_s) best->dispatch_s = now->dispatch_s;
  if (!first && !(now->bytes_per_s > best->bytes_per_s)) return;
  best->bytes_per_s = now->bytes_per_s;
  best->copied = now->copied;
  best->copier = now->copier;
}

weft_result weft_bench_measure_machine(const weft_bench_plan *plan, const char *backend,
                                       uint64_t buffer_bytes, weft_bench_machine *machine,
                                       weft_error *err) {
  uint64_t bytes = bytes_to_copy(buffer_bytes);
  weft_bench_machine now = {0};
  weft_result result = WEFT_OK;
  uint32_t threads = plan->threads ? plan->threads : weft_thread_pool_processors();
  if (strcmp(backend, "gl") == 0) {
    result = measure_device(plan->gl, bytes, &now, err);
  } else {
    measure_processors(strcmp(backend, "cpu") == 0 ? threads : 1, bytes, &now);
  }
  if (result == WEFT_OK) keep_best(&now, machine);
  return result;
}
