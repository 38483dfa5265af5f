/* level_small: all small levels, down and up again, inside one work group, instead of dozens of dispatches with hardly any work in each. Its steps
 * are the other passes over levels; a barrier with memory ordering stands between two steps. */
#ifndef WEFT_PASSES_LEVEL_SMALL_H
#define WEFT_PASSES_LEVEL_SMALL_H
#include "passes/level_project.h"
#include "passes/level_prolong.h"
#include "passes/level_restrict.h"

PASS(pass_level_small) {
  for (uint s = 0u; s < pass.steps; ++s) {
    weft_level_step todo = AT(LEVEL_STEPS, i + s);
    EACH(k, 0u, 1u, todo.count) {
      if (todo.kind == WEFT_LEVEL_RESTRICT) {
        CALL(pass_level_restrict, todo.first + k);
      } else if (todo.kind == WEFT_LEVEL_PROJECT) {
        CALL(pass_level_project, todo.first + k);
      } else {
        CALL(pass_level_prolong, todo.first + k);
      }
    }
    WAIT_FOR_BUFFERS
  }
}

#endif
