/* buffer_textures.c: buffer textures over the solver's buffers, for drivers on which they
 * are read faster than storage buffers.
 *
 * A driver that runs shaders on the processor splits a load from a storage buffer into words and
 * lanes, each with a bounds check: some 30 ns an element, against 1 ns from a texture. A fetch need
 * not see what the same dispatch wrote. So only passes whose invocations read no element that
 * another one writes use textures, as passes.def says (see program_text.c). Each buffer has one
 * texture. Its range is set anew only where a buffer is too large for one block and a pass binds
 * another window of it than the last did. */
#include "solver_gl_internal.h"

/* An element is one texel of one, two or three words, or some texels of four. */
#define WEFT_BUFFER(ID, name, element, ...)                         \
  _Static_assert(sizeof(element) < 16 || sizeof(element) % 16 == 0, \
                 "an element of " #name " is no whole number of texels");
#include "buffers.def"
#undef WEFT_BUFFER

static uint32_t texels_of_element(uint32_t stride) { return stride < 16 ? 1 : stride / 16; }

static GLenum format_of(uint32_t stride) {
  static const GLenum formats[] = {0, GL_R32UI, GL_RG32UI, GL_RGB32UI};
  return stride < 16 ? formats[stride / 4] : GL_RGBA32UI;
}

uint64_t weft_gl_max_elements(const weft_gl *gl, uint32_t stride) {
  uint64_t elements = gl->limits.max_storage_block / stride;
  if (gl->desc.reads != WEFT_GL_READS_TEXTURES) return elements;
  uint64_t max = gl->limits.max_texels / texels_of_element(stride);
  return elements < max ? elements : max;
}

/* Lays the bound texture over elements of its buffer. */
static void lay(weft_gl_instance *self, weft_buffer_id id, uint64_t first, uint64_t count) {
  const weft_gl_buffer *buffer = &self->buffers[id];
  uint64_t stride = self->strides[id];
  uint32_t part = (uint32_t)stride / weft_buffer_infos[id].each;
  glTexBufferRange(GL_TEXTURE_BUFFER, format_of(part), buffer->name,
                   (GLintptr)(buffer->guard + first * stride), (GLsizeiptr)(count * stride));
  self->laid[id] = (weft_gl_window){first, count};
}

void weft_gl_buffer_textures_create(weft_gl_instance *self) {
  if (self->gl->desc.reads != WEFT_GL_READS_TEXTURES) return;
  glGenTextures(WEFT_BUFFER_COUNT, self->textures);
  glActiveTexture(GL_TEXTURE0);
  weft_gl_keep_texture(self->gl, 0);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    uint64_t count = self->counts[id];
    if (count == 0 || count > weft_gl_max_elements(self->gl, self->strides[id])) continue;
    glBindTexture(GL_TEXTURE_BUFFER, self->textures[id]);
    lay(self, (weft_buffer_id)id, 0, count);
  }
}

void weft_gl_buffer_textures_destroy(weft_gl_instance *self) {
  if (self->gl->desc.reads != WEFT_GL_READS_TEXTURES) return;
  glDeleteTextures(WEFT_BUFFER_COUNT, self->textures);
}

void weft_gl_buffer_textures_bind(weft_gl_instance *self, weft_buffer_id id, uint32_t unit,
                                  uint64_t first, uint64_t count) {
  if (self->gl->desc.reads != WEFT_GL_READS_TEXTURES) return;
  const weft_gl_window *laid = &self->laid[id];
  bool anew = laid->first != first || laid->count != count;
  weft_gl_set_texture(self->shared, unit, self->textures[id], anew);
  if (!anew) return;
  lay(self, id, first, count);
  self->shared->counts.calls++;
}
