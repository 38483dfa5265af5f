/* pass_block.c: the parameters of a pass reach it as a range of a uniform buffer.
 *
 * The passes of a frame are the same ones in every frame, so an element is uploaded when its pass
 * first runs and found again afterwards. Substeps have an element each that never changes. */
#include <string.h>

#include "solver_gl_internal.h"

/* GL limits the alignment that a driver may require to 256 bytes. */
enum { ELEMENT_BYTES = 256, ELEMENTS = 1024, SLOTS = 2 * ELEMENTS };

_Static_assert(WEFT_GL_PASS_BYTES == ELEMENTS * ELEMENT_BYTES, "their buffer");
_Static_assert(sizeof(weft_pass) <= ELEMENT_BYTES &&
                   sizeof(weft_single_run_args) <= sizeof(weft_pass),
               "a pass fits its element");

struct weft_gl_pass_elements {
  weft_gl_buffer buffer;
  weft_pass elements[ELEMENTS];
  uint32_t count;
  uint32_t slots[SLOTS]; /* 1 + an element, by the hash of its bytes; 0: none */
};

weft_result weft_gl_pass_elements_create(weft_gl_instance *self, weft_error *err) {
  self->pass_elements = weft_alloc(1, sizeof *self->pass_elements);
  self->shared->counts.buffers_created++;
  return weft_gl_buffer_create(self->gl, "weft passes", (uint64_t)ELEMENTS * ELEMENT_BYTES, 0,
                               GL_DYNAMIC_DRAW, NULL, &self->pass_elements->buffer, err);
}

void weft_gl_pass_elements_destroy(weft_gl_instance *self) {
  if (!self->pass_elements) return;
  weft_gl_buffer_destroy(&self->pass_elements->buffer);
  weft_free(self->pass_elements);
  self->pass_elements = NULL;
}

static uint32_t add_element(struct weft_gl_pass_elements *elements, const weft_pass *pass) {
  uint32_t element = elements->count++;
  elements->elements[element] = *pass;
  weft_gl_buffer_write(&elements->buffer, (uint64_t)element * ELEMENT_BYTES, sizeof *pass, pass);
  return element;
}

static uint32_t element_of(struct weft_gl_pass_elements *elements, const weft_pass *pass) {
  uint32_t slot = (uint32_t)weft_hash_bytes(WEFT_HASH_SEED, pass, sizeof *pass) % SLOTS;
  for (; elements->slots[slot]; slot = (slot + 1) % SLOTS) {
    uint32_t element = elements->slots[slot] - 1;
    if (!memcmp(&elements->elements[element], pass, sizeof *pass)) return element;
  }
  if (elements->count == ELEMENTS) { /* a caller that runs ever different passes: begin anew */
    memset(elements->slots, 0, sizeof elements->slots);
    elements->count = 0;
    return element_of(elements, pass);
  }
  uint32_t element = add_element(elements, pass);
  elements->slots[slot] = element + 1;
  return element;
}

void weft_gl_bind_pass(weft_gl_instance *self, const weft_pass *pass) {
  struct weft_gl_pass_elements *elements = self->pass_elements;
  weft_gl_set_range(
      self->shared, GL_UNIFORM_BUFFER, WEFT_PASS_BINDING,
      &(weft_gl_range){elements->buffer.name, (GLintptr)element_of(elements, pass) * ELEMENT_BYTES,
                       sizeof *pass});
}

void weft_gl_bind_run(weft_gl_instance *self, const weft_single_run_args *args) {
  weft_pass element = {0};
  memcpy(&element, args, sizeof *args);
  weft_gl_bind_pass(self, &element);
}

weft_result weft_gl_substep_elements_create(weft_gl *gl, weft_gl_buffer *buffer, weft_error *err) {
  unsigned char *elements = weft_alloc(WEFT_MAX_SUBSTEPS, ELEMENT_BYTES);
  for (uint32_t s = 0; s < WEFT_MAX_SUBSTEPS; ++s)
    memcpy(elements + (size_t)s * ELEMENT_BYTES, &s, sizeof s);
  weft_result result =
      weft_gl_buffer_create(gl, "weft substeps", (uint64_t)WEFT_MAX_SUBSTEPS * ELEMENT_BYTES, 0,
                            GL_STATIC_DRAW, elements, buffer, err);
  weft_free(elements);
  return result;
}

void weft_gl_bind_substep(const weft_gl_instance *self, uint32_t substep) {
  WEFT_CHECK(substep < WEFT_MAX_SUBSTEPS, "a frame has no such substep");
  weft_gl_set_range(self->shared, GL_UNIFORM_BUFFER, WEFT_SUBSTEP_BINDING,
                    &(weft_gl_range){self->shared->substeps.name, (GLintptr)substep * ELEMENT_BYTES,
                                     sizeof(vec4)});
}
