/* bindings.c: every call that a step makes, in one place: what is bound already is not bound again,
 * and all of them are counted.
 *
 * What is bound is remembered for a context, as long as the solvers' passes have it for themselves:
 * whatever else is asked of a solver forgets it all, since others may have drawn before. Where a
 * driver has slots and texture units enough, a buffer has the same ones in all passes, so that it
 * stays bound from pass to pass. */
#include <string.h>

#include "solver_gl_internal.h"

void weft_gl_forget(weft_gl_programs *shared) { shared->bound = (weft_gl_bound){0}; }

static weft_gl *gl_of(const weft_gl_programs *shared) { return shared->backend.context; }

void weft_gl_set_program(weft_gl_programs *shared, GLuint program) {
  if (shared->bound.program == program) return;
  shared->bound.program = program;
  glUseProgram(program);
  shared->counts.calls++;
}

static weft_gl_range *range_at(weft_gl_bound *bound, GLenum target, uint32_t slot) {
  if (target == GL_UNIFORM_BUFFER)
    return slot < WEFT_GL_UNIFORM_SLOTS ? &bound->uniform[slot] : NULL;
  return slot < WEFT_GL_MOST_SLOTS ? &bound->storage[slot] : NULL;
}

void weft_gl_set_range(weft_gl_programs *shared, GLenum target, uint32_t slot,
                       const weft_gl_range *range) {
  weft_gl_range *there = range_at(&shared->bound, target, slot);
  if (there && there->buffer == range->buffer && there->offset == range->offset &&
      there->size == range->size) {
    return;
  }
  if (there) *there = *range;
  weft_gl_keep_range(gl_of(shared), target, slot);
  glBindBufferRange(target, slot, range->buffer, range->offset, range->size);
  shared->counts.calls++;
}

void weft_gl_set_texture(weft_gl_programs *shared, uint32_t unit, GLuint texture, bool active) {
  weft_gl_bound *bound = &shared->bound;
  bool there = unit < WEFT_GL_MOST_UNITS && bound->textures[unit] == texture;
  if (there && !active) return;
  if (bound->active != unit + 1) {
    glActiveTexture(GL_TEXTURE0 + unit);
    bound->active = unit + 1;
    shared->counts.calls++;
  }
  if (there) return;
  if (unit < WEFT_GL_MOST_UNITS) bound->textures[unit] = texture;
  weft_gl_keep_texture(gl_of(shared), unit);
  glBindTexture(GL_TEXTURE_BUFFER, texture);
  shared->counts.calls++;
}

void weft_gl_dispatch(weft_gl_programs *shared, uint32_t groups) {
  glDispatchCompute(groups, 1, 1);
  shared->counts.dispatches++;
  shared->counts.calls++;
}

void weft_gl_dispatch_from(weft_gl_programs *shared, GLuint buffer, uint64_t offset) {
  if (shared->bound.indirect != buffer) {
    shared->bound.indirect = buffer;
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer);
    shared->counts.calls++;
  }
  glDispatchComputeIndirect((GLintptr)offset);
  shared->counts.dispatches++;
  shared->counts.calls++;
}

void weft_gl_barrier(weft_gl_programs *shared, GLbitfield bits) {
  glMemoryBarrier(bits);
  shared->counts.barriers++;
  shared->counts.calls++;
}
