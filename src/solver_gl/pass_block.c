/* pass_block.c: what a pass is told reaches it as a range of a uniform buffer.
 *
 * The passes of a frame are the same ones in every frame, so a row is uploaded when its pass first
 * runs and found again afterwards. Substeps have a row each that never changes. */
#include <string.h>

#include "solver_gl_internal.h"

/* GL allows no driver to ask for more than 256 bytes between ranges. */
enum { ROW_BYTES = 256, ROWS = 1024, SLOTS = 2 * ROWS };

_Static_assert(sizeof(weft_pass) <= ROW_BYTES && sizeof(weft_single_run_args) <= sizeof(weft_pass),
               "a pass fits its row");

struct weft_gl_pass_rows {
  weft_gl_buffer buffer;
  weft_pass rows[ROWS];
  uint32_t count;
  uint32_t slots[SLOTS]; /* 1 + a row, by the hash of its bytes; 0: none */
};

weft_result weft_gl_pass_rows_create(weft_gl_instance *self, weft_error *err) {
  self->pass_rows = weft_alloc(1, sizeof *self->pass_rows);
  self->shared->counts.buffers_created++;
  return weft_gl_buffer_create(self->gl, "weft passes", (uint64_t)ROWS * ROW_BYTES, 0,
                               GL_DYNAMIC_DRAW, NULL, &self->pass_rows->buffer, err);
}

void weft_gl_pass_rows_destroy(weft_gl_instance *self) {
  if (!self->pass_rows) return;
  weft_gl_buffer_destroy(&self->pass_rows->buffer);
  weft_free(self->pass_rows);
  self->pass_rows = NULL;
}

static uint32_t add_row(struct weft_gl_pass_rows *rows, const weft_pass *pass) {
  uint32_t row = rows->count++;
  rows->rows[row] = *pass;
  weft_gl_buffer_write(&rows->buffer, (uint64_t)row * ROW_BYTES, sizeof *pass, pass);
  return row;
}

static uint32_t row_of(struct weft_gl_pass_rows *rows, const weft_pass *pass) {
  uint32_t slot = (uint32_t)weft_hash_bytes(WEFT_HASH_SEED, pass, sizeof *pass) % SLOTS;
  for (; rows->slots[slot]; slot = (slot + 1) % SLOTS) {
    uint32_t row = rows->slots[slot] - 1;
    if (!memcmp(&rows->rows[row], pass, sizeof *pass)) return row;
  }
  if (rows->count == ROWS) { /* a caller that runs ever other passes: begin anew */
    memset(rows->slots, 0, sizeof rows->slots);
    rows->count = 0;
    return row_of(rows, pass);
  }
  uint32_t row = add_row(rows, pass);
  rows->slots[slot] = row + 1;
  return row;
}

void weft_gl_bind_pass(weft_gl_instance *self, const weft_pass *pass) {
  struct weft_gl_pass_rows *rows = self->pass_rows;
  glBindBufferRange(GL_UNIFORM_BUFFER, WEFT_PASS_BINDING, rows->buffer.name,
                    (GLintptr)row_of(rows, pass) * ROW_BYTES, sizeof *pass);
}

void weft_gl_bind_run(weft_gl_instance *self, const weft_single_run_args *args) {
  weft_pass row = {0};
  memcpy(&row, args, sizeof *args);
  weft_gl_bind_pass(self, &row);
}

weft_result weft_gl_substep_rows_create(weft_gl *gl, weft_gl_buffer *buffer, weft_error *err) {
  unsigned char *rows = weft_alloc(WEFT_MAX_SUBSTEPS, ROW_BYTES);
  for (uint32_t s = 0; s < WEFT_MAX_SUBSTEPS; ++s)
    memcpy(rows + (size_t)s * ROW_BYTES, &s, sizeof s);
  weft_result result =
      weft_gl_buffer_create(gl, "weft substeps", (uint64_t)WEFT_MAX_SUBSTEPS * ROW_BYTES, 0,
                            GL_STATIC_DRAW, rows, buffer, err);
  weft_free(rows);
  return result;
}

void weft_gl_bind_substep(const weft_gl_instance *self, uint32_t substep) {
  WEFT_CHECK(substep < WEFT_MAX_SUBSTEPS, "a frame has no such substep");
  glBindBufferRange(GL_UNIFORM_BUFFER, WEFT_SUBSTEP_BINDING, self->shared->substeps.name,
                    (GLintptr)substep * ROW_BYTES, sizeof(vec4));
}
