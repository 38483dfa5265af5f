/* programs.c: programs by their text: what was compiled once is found again. */
#include <string.h>

#include "solver_gl_internal.h"

weft_result weft_gl_find_program(weft_gl *gl, const char *path, const char *defines, char *made,
                                 GLuint *program, weft_error *err) {
  weft_gl_programs *shared = gl->solver;
  for (size_t k = 0; k < shared->made_count; ++k) {
    if (strcmp(shared->made[k].text, made) || strcmp(shared->made[k].path, path)) continue;
    weft_free(made);
    *program = shared->made[k].program;
    return WEFT_OK;
  }
  weft_result result = weft_gl_compute_program(gl, path, defines, made, program, err);
  if (result != WEFT_OK) {
    weft_free(made);
    return result;
  }
  weft_grow((void **)&shared->made, &shared->made_capacity, shared->made_count + 1,
            sizeof *shared->made);
  shared->made[shared->made_count++] = (weft_gl_made){path, made, *program};
  shared->counts.programs_created++;
  return WEFT_OK;
}
