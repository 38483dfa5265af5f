/* programs.c: programs by their text: what was compiled once is found again. They are begun one by
 * one and looked at together, so that a driver with threads of its own has all of them to do. */
#include <string.h>

#include "solver_gl_internal.h"

weft_result weft_gl_find_program(weft_gl *gl, const char *path, const char *defines, char *text,
                                 GLuint *program, weft_error *err) {
  weft_gl_programs *shared = gl->solver;
  for (size_t k = 0; k < shared->made_count; ++k) {
    if (strcmp(shared->made[k].text, text) || strcmp(shared->made[k].path, path)) continue;
    weft_free(text);
    *program = shared->made[k].program;
    return WEFT_OK;
  }
  WEFT_KEEP_MEMORY(); /* it is the context's */
  weft_gl_making *making = NULL;
  weft_grow((void **)&shared->made, &shared->made_capacity, shared->made_count + 1,
            sizeof *shared->made);
  weft_keep_memory(shared->made); /* also where the program is not made */
  weft_result result = weft_gl_begin_compute(gl, path, defines, text, program, &making, err);
  if (result != WEFT_OK) {
    weft_free(text);
    return result;
  }
  weft_keep_memory(text);
  shared->made[shared->made_count++] = (weft_gl_made){path, text, *program, making};
  shared->counts.programs_created++;
  return WEFT_OK;
}

/* Those that failed are forgotten; the first of them is reported. */
weft_result weft_gl_end_programs(weft_gl *gl, weft_error *err) {
  weft_gl_programs *shared = gl->solver;
  weft_result result = WEFT_OK;
  size_t kept = 0;
  for (size_t k = 0; k < shared->made_count; ++k) {
    weft_gl_made made = shared->made[k];
    weft_result one = WEFT_OK;
    if (made.making) one = weft_gl_end_program(made.making, result == WEFT_OK ? err : NULL);
    if (result == WEFT_OK) result = one;
    made.making = NULL;
    if (one == WEFT_OK) {
      shared->made[kept++] = made;
    } else {
      weft_free(made.text);
    }
  }
  shared->made_count = kept;
  return result;
}

/* ---- of passes ---- */

/* What bindings.c can remember is enough for every buffer. */
static uint32_t slots_of(const weft_gl *gl) {
  uint32_t slots = gl->limits.max_storage_bindings;
  return slots < WEFT_GL_MOST_SLOTS ? slots : WEFT_GL_MOST_SLOTS;
}
static uint32_t units_of(const weft_gl *gl) {
  uint32_t units = gl->limits.max_texture_units;
  return units < WEFT_GL_MOST_UNITS ? units : WEFT_GL_MOST_UNITS;
}

void weft_gl_number_bindings(weft_gl *gl) {
  weft_gl_programs *shared = gl->solver;
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    shared->numbers[kind] = weft_gl_numbers_of((weft_pass_kind)kind, slots_of(gl), units_of(gl));
  }
}

/* A program has the text of the shapes and types there are: each is a good part of it, and an angle
 * takes many more registers than all else. */
weft_result weft_gl_begin_pass(weft_gl_instance *self, const weft_pass *pass, weft_error *err) {
  const weft_gl *gl = self->gl;
  GLuint *program = &self->programs[pass->kind][pass->variant];
  if (*program) return WEFT_OK;
  const weft_gl_pass_desc desc = {.kind = (weft_pass_kind)pass->kind,
                                  .variant = pass->variant,
                                  .group = gl->desc.group_size,
                                  .textured = gl->desc.reads == WEFT_GL_READS_TEXTURES,
                                  .types = self->types,
                                  .shapes = self->shapes ? self->shapes : weft_gl_all_shapes(),
                                  .slots = slots_of(gl),
                                  .units = units_of(gl)};
  char defines[96];
  weft_gl_pass_defines(&desc, defines, sizeof defines);
  return weft_gl_find_program(self->gl, "solver/pass.comp", defines, weft_gl_pass_text(&desc),
                              program, err);
}
