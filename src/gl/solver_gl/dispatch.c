/* dispatch.c: a pass on the GPU, cut into pieces the driver accepts. What an earlier pass counted
 * is one dispatch, whose groups the driver takes from that pass.
 *
 * A buffer that a pass reaches anywhere must fit one storage block. A streamed buffer is only
 * touched at the pass's own elements, so when it is larger than a block, a window of it is bound
 * for each piece. Windows begin at multiples of 256 elements: whatever the element size (a multiple
 * of 4), the byte offset is then a multiple of every driver's alignment (256 at most). */
#include <math.h>
#include <stdio.h>

#include "room.h"
#include "solver_gl_internal.h"

enum { WINDOW_ALIGNMENT = 256 };

/* An empty buffer still has this many bytes: GL binds no range of 0. */
enum { SMALLEST_BINDING = 16 };

static bool fits_block(const weft_gl_instance *self, weft_buffer_id id) {
  return self->counts[id] <= weft_gl_max_elements(self->gl, self->strides[id]);
}

/* Elements a window may span so that the widest streamed buffer fits a block; 0: no window needed.
 */
static uint32_t window_elements(const weft_gl_instance *self, const weft_pass *pass) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  bool needed = false;
  uint64_t elements = UINT32_MAX;
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (!b->streamed || !weft_binding_used(b, pass->variant)) continue;
    uint64_t room = weft_gl_max_elements(self->gl, self->strides[b->buffer]);
    if (room < elements) elements = room;
    needed = needed || !fits_block(self, b->buffer);
  }
  return needed ? (uint32_t)(elements / WINDOW_ALIGNMENT * WINDOW_ALIGNMENT) : 0;
}

static void bind_elements(weft_gl_instance *self, weft_buffer_id id, uint32_t slot, uint64_t first,
                          uint64_t count) {
  const weft_gl_buffer *buffer = &self->buffers[id];
  uint64_t stride = self->strides[id];
  uint64_t size = count * stride;
  if (size < SMALLEST_BINDING) size = SMALLEST_BINDING;
  weft_gl_set_range(
      self->shared, GL_SHADER_STORAGE_BUFFER, slot,
      &(weft_gl_range){buffer->name, (GLintptr)(buffer->guard + first * stride), (GLsizeiptr)size});
}

void weft_gl_bind_single(weft_gl_instance *self, weft_buffer_id id, uint32_t slot) {
  bind_elements(self, id, slot, 0, self->counts[id]);
}

void weft_gl_bind_uniforms(weft_gl_instance *self) {
  const weft_gl_buffer *buffer = &self->buffers[WEFT_BUFFER_UNIFORMS];
  weft_gl_set_range(self->shared, GL_UNIFORM_BUFFER, WEFT_UNIFORM_BINDING,
                    &(weft_gl_range){buffer->name, (GLintptr)buffer->guard, sizeof(weft_uniforms)});
}

/* Of binding k of a pass: its block, its texture. */
static void bind(weft_gl_instance *self, const weft_pass *pass, uint32_t k, uint64_t first,
                 uint64_t count) {
  const weft_gl_numbers *numbers = &self->shared->numbers[pass->kind];
  const weft_binding *b = &weft_pass_infos[pass->kind].bindings[k];
  bool textured =
      self->gl->desc.reads == WEFT_GL_READS_TEXTURES && weft_pass_infos[pass->kind].textured;
  if (b->writes || !textured) bind_elements(self, b->buffer, numbers->slot[k], first, count);
  if (textured && b->reads && count)
    weft_gl_buffer_textures_bind(self, b->buffer, numbers->unit[k], first, count);
}

/* Binds every block of the pass; streamed ones to [window, window + span) when span is not 0. */
static void bind_all(weft_gl_instance *self, const weft_pass *pass, uint32_t window,
                     uint32_t span) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (!weft_binding_used(b, pass->variant)) continue;
    uint64_t all = self->counts[b->buffer];
    if (span == 0 || !b->streamed) {
      bind(self, pass, k, 0, all);
    } else {
      uint64_t rest = all > window ? all - window : 0;
      bind(self, pass, k, rest ? window : 0, rest < span ? rest : span);
    }
  }
}

static uint32_t elements_of_group(const weft_gl *gl, weft_pass_kind kind) {
  return weft_pass_infos[kind].group ? 1 : weft_gl_pass_group(kind, gl->desc.group_size);
}

static uint32_t groups_for(const weft_gl *gl, weft_pass_kind kind, uint32_t count) {
  uint32_t each = elements_of_group(gl, kind);
  return (count + each - 1) / each;
}

static void dispatch(weft_gl_instance *self, const weft_pass *pass, uint32_t first, uint32_t count,
                     uint32_t done) {
  weft_pass part = *pass;
  part.first = first;
  part.count = count;
  part.delta_first += done * weft_pass_arity(pass->kind);
  weft_gl_bind_pass(self, &part);
  weft_gl_dispatch(self->shared, groups_for(self->gl, pass->kind, count));
}

/* Its groups stand in self_sizes, so nothing waits for the host to know them. */
static void dispatch_counted(weft_gl_instance *self, const weft_pass *pass) {
  const weft_gl_buffer *sizes = &self->buffers[WEFT_BUFFER_SELF_DISPATCH_ARGS];
  uint64_t entry = (uint64_t)(pass->counted - 1) * self->strides[WEFT_BUFFER_SELF_DISPATCH_ARGS];
  bind_all(self, pass, 0, 0);
  weft_gl_bind_pass(self, pass);
  weft_gl_dispatch_from(self->shared, sizes->name, sizes->guard + entry);
}

static uint32_t max_elements(const weft_gl *gl, weft_pass_kind kind) {
  uint32_t of_group = elements_of_group(gl, kind);
  uint64_t max = (uint64_t)gl->limits.max_groups[0] * of_group;
  return max > UINT32_MAX ? UINT32_MAX : (uint32_t)max;
}

/* What later passes read it as: blocks, buffer textures, groups of a dispatch. */
void weft_gl_make_visible(weft_gl_instance *self, bool groups) {
  GLbitfield bits = GL_SHADER_STORAGE_BARRIER_BIT;
  if (self->gl->desc.reads == WEFT_GL_READS_TEXTURES) bits |= GL_TEXTURE_FETCH_BARRIER_BIT;
  if (groups) bits |= GL_COMMAND_BARRIER_BIT;
  weft_gl_barrier(self->shared, bits);
}

static void dispatch_pieces(weft_gl_instance *self, const weft_pass *pass) {
  uint32_t max = max_elements(self->gl, pass->kind);
  uint32_t span = window_elements(self, pass);
  if (span == 0) bind_all(self, pass, 0, 0);
  for (uint32_t done = 0; done < pass->count;) {
    uint32_t begin = pass->first + done;
    uint32_t count = pass->count - done;
    if (count > max) count = max;
    uint32_t window = 0;
    if (span) {
      window = begin / WINDOW_ALIGNMENT * WINDOW_ALIGNMENT;
      uint32_t room = window + span - begin;
      if (count > room) count = room;
      bind_all(self, pass, window, span);
    }
    dispatch(self, pass, begin - window, count, done);
    done += count;
  }
}

/* Of a pass that is not in the list. What the driver says of it is found at the next check. */
static bool make_program(weft_gl_instance *self, const weft_pass *pass) {
  if (self->programs[pass->kind][pass->variant]) return true;
  weft_error err = {0};
  weft_result result = weft_gl_begin_pass(self, pass, &err);
  if (result == WEFT_OK) result = weft_gl_end_programs(self->gl, &err);
  if (result == WEFT_OK) return true;
  self->programs[pass->kind][pass->variant] = 0;
  if (self->fault.code == WEFT_OK) self->fault = err;
  return false;
}

static void begin(weft_gl_instance *self, const weft_pass *pass, uint32_t substep) {
  weft_gl_set_program(self->shared, self->programs[pass->kind][pass->variant]);
  weft_gl_bind_substep(self, substep);
  weft_gl_bind_uniforms(self);
}

uint32_t weft_gl_groups_of(const weft_gl_instance *self, const weft_pass *pass) {
  bool one = pass->count <= max_elements(self->gl, pass->kind) && window_elements(self, pass) == 0;
  return one ? groups_for(self->gl, pass->kind, pass->count) : 0;
}

void weft_gl_prepare_pass(weft_gl_instance *self, const weft_pass *pass, uint32_t substep) {
  begin(self, pass, substep);
  bind_all(self, pass, 0, 0);
  weft_gl_bind_pass(self, pass);
}

void weft_gl_run_pass(weft_gl_instance *self, const weft_pass *pass, uint32_t substep) {
  if (pass->count == 0 || !weft_pass_runs(pass, substep)) return;
  if (!make_program(self, pass)) return;
  begin(self, pass, substep);
  if (pass->counted) {
    dispatch_counted(self, pass);
  } else {
    dispatch_pieces(self, pass);
  }
  weft_gl_make_visible(self, pass->kind == WEFT_PASS_SELF_DISPATCH_ARGS);
}

static bool bound_single(weft_buffer_id id) {
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    const weft_pass_info *info = &weft_pass_infos[kind];
    for (uint32_t k = 0; k < info->binding_count; ++k) {
      if (info->bindings[k].buffer == id && !info->bindings[k].streamed) return true;
    }
  }
  return false;
}

/* Particles of a smaller cloth of this kind, whose buffers all fit: these grow as their number or
 * faster. Lists with room are as long as is asked for. 0: nothing is known. */
static uint64_t particles_that_fit(const weft_gl *gl, const weft_contents *contents) {
  static const weft_self_room any = {1, 1, 1, 1, 1, 1};
  const double now = (double)contents->buffers[WEFT_BUFFER_X].count;
  double part = 1;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &contents->buffers[id];
    if (table->count == 0 || !bound_single((weft_buffer_id)id)) continue;
    if (weft_self_room_count(&any, (weft_buffer_id)id)) continue;
    part = fmin(part, (double)weft_gl_max_elements(gl, table->stride) / (double)table->count);
  }
  return part < 1 ? (uint64_t)(part * now) : 0;
}

static weft_result fail_to_fit(const weft_gl *gl, const weft_contents *contents, int id,
                               weft_error *err) {
  const weft_buffer_contents *table = &contents->buffers[id];
  const char *instead = weft_buffer_infos[id].instead;
  const uint64_t bytes = table->count * table->stride;
  const uint64_t max = weft_gl_max_elements(gl, table->stride) * table->stride;
  const uint64_t particles = particles_that_fit(gl, contents);
  uint32_t side = 0;
  char fewer[100] = "";
  while ((side + 1ull) * (side + 1ull) <= particles) ++side;
  if (particles) {
    snprintf(fewer, sizeof fewer, ", or at most %llu particles, as a sheet of %u x %u has",
             (unsigned long long)particles, side, side);
  }
  return weft_fail(err, WEFT_ERROR_LIMIT,
                   "the %s buffer of this model needs %.1f MiB in one storage block, and this "
                   "driver allows %.1f MiB: use %s%s--backend cpu%s",
                   table->name, (double)bytes / 1048576.0, (double)max / 1048576.0,
                   instead ? instead : "", instead ? ", or " : "", fewer);
}

weft_result weft_gl_check_fit(const weft_gl *gl, const weft_contents *contents, weft_error *err) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &contents->buffers[id];
    uint64_t max = weft_gl_max_elements(gl, table->stride);
    if (!bound_single((weft_buffer_id)id) || table->count <= max) continue;
    return fail_to_fit(gl, contents, id, err);
  }
  return WEFT_OK;
}
