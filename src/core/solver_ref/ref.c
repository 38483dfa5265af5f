/* ref.c: the passes of the reference: the text of shaders/passes and shaders/kernels in C, an
 * element after the other. Compiled twice: src/core/solver_f64/double.h has `float` mean double for
 * the backend f64. */
#include "ref.h"

#include "shape_rows.h"
/* and, in the language of passes */
#include "constraint_rows.h"

/* The passes themselves, a file each, and those of constraints by their rows. */
#include <rows/all_passes.h>

#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  PASS(pass_project_##name) {                                             \
    pass_project(m, pass, i, WEFT_CONSTRAINT_##ID, KEEPS,                 \
                 (pass.variant & WEFT_VARIANT_JACOBI) != 0);              \
  }
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT

static weft_ref point_at(unsigned char *const *p) {
  return (weft_ref){
#define WEFT_BUFFER(ID, name, element, each, scalars, use, owner, quantity, instead) \
  .ID = (void *)p[WEFT_BUFFER_##ID],
#include "buffers.def"
#undef WEFT_BUFFER
  };
}

/* All elements of a permutation, which is a constant in each loop. */
#define LOOP(function, permutation)               \
  do {                                            \
    weft_pass pass = *asked;                      \
    pass.variant = permutation;                   \
    for (uint32_t k = 0; k < pass.count; ++k) {   \
      function(m, pass, substep, pass.first + k); \
    }                                             \
  } while (0)
#define RUN_NONE(function) LOOP(function, 0);
#define RUN_LAMBDA(function)                  \
  if (asked->variant & WEFT_VARIANT_LAMBDA) { \
    LOOP(function, WEFT_VARIANT_LAMBDA);      \
  } else {                                    \
    LOOP(function, 0);                        \
  }
#define RUN_PAIRS(function)                  \
  if (asked->variant & WEFT_VARIANT_PAIRS) { \
    LOOP(function, WEFT_VARIANT_PAIRS);      \
  } else {                                   \
    LOOP(function, 0);                       \
  }
#define RUN_ONE(function, permutation) \
  if (asked->variant == (permutation)) LOOP(function, permutation);
#define RUN_LAMBDA_JACOBI_PAIRS(function) \
  RUN_ONE(function, 0)                    \
  RUN_ONE(function, 1)                    \
  RUN_ONE(function, 2)                    \
  RUN_ONE(function, 3)                    \
  RUN_ONE(function, 4)                    \
  RUN_ONE(function, 5)                    \
  RUN_ONE(function, 6)                    \
  RUN_ONE(function, 7)

#define WEFT_PASS(ID, name, variants, group, cpu, single, reads, ...)                   \
  static void run_##name(const weft_ref *m, const weft_pass *asked, uint32_t substep) { \
    RUN_##variants(pass_##name)                                                         \
  }
#include "passes.def"
#undef WEFT_PASS

void weft_ref_run(unsigned char *const *payload, const weft_pass *pass, uint32_t substep) {
  static void (*const functions[WEFT_PASS_KIND_COUNT])(const weft_ref *, const weft_pass *,
                                                       uint32_t) = {
#define WEFT_PASS(ID, name, ...) [WEFT_PASS_##ID] = run_##name,
#include "passes.def"
#undef WEFT_PASS
  };
  const weft_ref ref = point_at(payload);
  weft_pass part = *pass;
  if (!weft_pass_runs(pass, substep)) return;
  if (part.counted) {
    uint32_t end = ref.SELF_DISPATCH_ARGS[part.counted - 1].w;
    uint32_t left = end > part.first ? end - part.first : 0;
    if (part.count > left) part.count = left;
  }
  functions[pass->kind](&ref, &part, substep);
}
