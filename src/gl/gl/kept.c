/* kept.c: a context of the caller's, and its state as he left it.
 *
 * weft binds programs, buffers and buffer textures, and touches nothing else. What is bound in any
 * case is asked for on entering; slots and texture units when something is first bound to them, so
 * that a call costs as many questions as it uses slots. Leaving binds it all again. */
#include "base.h"
#include "native.h"

enum { UNIFORM_SLOTS = 16, STORAGE_SLOTS = 128, UNITS = 128, STAGES = 6, MOST_SUBROUTINES = 64 };

typedef struct kept_range {
  bool kept;
  GLint buffer;
  GLint64 first, size; /* 0, 0: all of the buffer */
} kept_range;

typedef struct kept_texture {
  bool kept;
  GLint texture;
} kept_texture;

/* Which subroutines a program in use was told to call: glUseProgram forgets. */
typedef struct kept_subroutines {
  GLint count;
  GLuint index[MOST_SUBROUTINES];
} kept_subroutines;

struct weft_gl_kept {
  GLint program, unit, copy_read, copy_write, indirect, uniform, storage;
  kept_subroutines subroutines[STAGES];
  bool resumes; /* transform feedback, which lets no program change */
  kept_range uniforms[UNIFORM_SLOTS], storages[STORAGE_SLOTS];
  kept_texture textures[UNITS];
};

static const struct {
  GLenum shader, subroutines;
} stages[STAGES] = {{GL_VERTEX_SHADER, GL_VERTEX_SUBROUTINE_UNIFORM},
                    {GL_TESS_CONTROL_SHADER, GL_TESS_CONTROL_SUBROUTINE_UNIFORM},
                    {GL_TESS_EVALUATION_SHADER, GL_TESS_EVALUATION_SUBROUTINE_UNIFORM},
                    {GL_GEOMETRY_SHADER, GL_GEOMETRY_SUBROUTINE_UNIFORM},
                    {GL_FRAGMENT_SHADER, GL_FRAGMENT_SUBROUTINE_UNIFORM},
                    {GL_COMPUTE_SHADER, GL_COMPUTE_SUBROUTINE_UNIFORM}};

/* ---- errors ---- */

/* They are the caller's. OpenGL has no way to put one back, so it is kept for him. */
static void take_caller_error(weft_gl *gl) {
  enum { FLAGS = 16 };
  for (int k = 0; k < FLAGS; ++k) {
    const GLenum error = glGetError();
    if (!error) return;
    if (!gl->caller_error) gl->caller_error = error;
    weft_log(WEFT_LOG_WARNING,
             "OpenGL error 0x%04x was pending when weft was called: it is not weft's, and "
             "weft_gl_caller_error tells it",
             error);
  }
}

uint32_t weft_gl_caller_error(weft_gl *gl) {
  if (!gl) return GL_NO_ERROR;
  const GLenum error = gl->caller_error;
  gl->caller_error = GL_NO_ERROR;
  return error;
}

/* ---- programs ---- */

/* Drivers take a question about locations of a stage that is not there for an error. */
static void keep_subroutines(weft_gl_kept *kept) {
  for (int s = 0; s < STAGES; ++s) {
    kept_subroutines *of = &kept->subroutines[s];
    const GLuint program = (GLuint)kept->program;
    GLint any = 0;
    of->count = 0;
    if (program) glGetProgramInterfaceiv(program, stages[s].subroutines, GL_ACTIVE_RESOURCES, &any);
    if (any == 0) continue;
    glGetProgramStageiv(program, stages[s].shader, GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS,
                        &of->count);
    if (of->count > MOST_SUBROUTINES) of->count = 0;
    for (GLint k = 0; k < of->count; ++k)
      glGetUniformSubroutineuiv(stages[s].shader, k, &of->index[k]);
  }
}

static void give_back_program(const weft_gl_kept *kept) {
  glUseProgram((GLuint)kept->program);
  for (int s = 0; s < STAGES; ++s) {
    const kept_subroutines *of = &kept->subroutines[s];
    if (of->count > 0) glUniformSubroutinesuiv(stages[s].shader, of->count, of->index);
  }
}

/* ---- slots and units ---- */

static kept_range *range_at(weft_gl_kept *kept, GLenum target, uint32_t slot) {
  const bool uniform = target == GL_UNIFORM_BUFFER;
  WEFT_CHECK(slot < (uniform ? UNIFORM_SLOTS : STORAGE_SLOTS), "a slot that is not kept");
  return uniform ? &kept->uniforms[slot] : &kept->storages[slot];
}

void weft_gl_keep_range(weft_gl *gl, GLenum target, uint32_t slot) {
  if (!gl->kept) return;
  kept_range *range = range_at(gl->kept, target, slot);
  if (range->kept) return;
  const bool uniform = target == GL_UNIFORM_BUFFER;
  range->kept = true;
  glGetIntegeri_v(uniform ? GL_UNIFORM_BUFFER_BINDING : GL_SHADER_STORAGE_BUFFER_BINDING, slot,
                  &range->buffer);
  range->first = range->size = 0;
  if (!range->buffer) return;
  glGetInteger64i_v(uniform ? GL_UNIFORM_BUFFER_START : GL_SHADER_STORAGE_BUFFER_START, slot,
                    &range->first);
  glGetInteger64i_v(uniform ? GL_UNIFORM_BUFFER_SIZE : GL_SHADER_STORAGE_BUFFER_SIZE, slot,
                    &range->size);
}

static void give_back_ranges(kept_range *ranges, uint32_t count, GLenum target) {
  for (uint32_t slot = 0; slot < count; ++slot) {
    kept_range *range = &ranges[slot];
    if (!range->kept) continue;
    range->kept = false;
    if (range->size > 0) {
      glBindBufferRange(target, slot, (GLuint)range->buffer, (GLintptr)range->first,
                        (GLsizeiptr)range->size);
    } else {
      glBindBufferBase(target, slot, (GLuint)range->buffer);
    }
  }
}

void weft_gl_keep_texture(weft_gl *gl, uint32_t unit) {
  if (!gl->kept) return;
  WEFT_CHECK(unit < UNITS, "a texture unit that is not kept");
  kept_texture *of = &gl->kept->textures[unit];
  if (of->kept) return;
  of->kept = true;
  glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, &of->texture);
}

static void give_back_textures(weft_gl_kept *kept) {
  for (uint32_t unit = 0; unit < UNITS; ++unit) {
    if (!kept->textures[unit].kept) continue;
    kept->textures[unit].kept = false;
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_BUFFER, (GLuint)kept->textures[unit].texture);
  }
  glActiveTexture((GLenum)kept->unit);
}

/* ---- entering and leaving ---- */

void weft_gl_keep(weft_gl *gl) {
  weft_gl_kept *kept = gl->kept;
  if (!kept) return;
  take_caller_error(gl);
  glGetIntegerv(GL_CURRENT_PROGRAM, &kept->program);
  glGetIntegerv(GL_ACTIVE_TEXTURE, &kept->unit);
  glGetIntegerv(GL_COPY_READ_BUFFER_BINDING, &kept->copy_read);
  glGetIntegerv(GL_COPY_WRITE_BUFFER_BINDING, &kept->copy_write);
  glGetIntegerv(GL_DISPATCH_INDIRECT_BUFFER_BINDING, &kept->indirect);
  glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &kept->uniform);
  glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &kept->storage);
  keep_subroutines(kept);
  GLboolean active = GL_FALSE, paused = GL_FALSE;
  glGetBooleanv(GL_TRANSFORM_FEEDBACK_ACTIVE, &active);
  if (active) glGetBooleanv(GL_TRANSFORM_FEEDBACK_PAUSED, &paused);
  kept->resumes = active && !paused;
  if (kept->resumes) glPauseTransformFeedback();
  weft_gl_check("asking for state", NULL); /* of what this driver does not have */
}

void weft_gl_give_back(weft_gl *gl) {
  weft_gl_kept *kept = gl->kept;
  if (!kept) return;
  give_back_textures(kept);
  give_back_ranges(kept->uniforms, UNIFORM_SLOTS, GL_UNIFORM_BUFFER);
  give_back_ranges(kept->storages, STORAGE_SLOTS, GL_SHADER_STORAGE_BUFFER);
  glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)kept->uniform);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, (GLuint)kept->storage);
  glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, (GLuint)kept->indirect);
  glBindBuffer(GL_COPY_READ_BUFFER, (GLuint)kept->copy_read);
  glBindBuffer(GL_COPY_WRITE_BUFFER, (GLuint)kept->copy_write);
  give_back_program(kept);
  if (kept->resumes) glResumeTransformFeedback();
  weft_gl_settle(gl, "a call before", NULL); /* weft's own do not become the caller's */
}

weft_gl_kept *weft_gl_kept_create(void) { return weft_alloc(1, sizeof(weft_gl_kept)); }
