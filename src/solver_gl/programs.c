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
  weft_gl_making *making = NULL;
  weft_result result = weft_gl_begin_compute(gl, path, defines, text, program, &making, err);
  if (result != WEFT_OK) {
    weft_free(text);
    return result;
  }
  weft_grow((void **)&shared->made, &shared->made_capacity, shared->made_count + 1,
            sizeof *shared->made);
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
