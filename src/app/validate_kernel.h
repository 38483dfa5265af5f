/* validate_kernel.h: made-up inputs for one pass alone: seeded random values, and the degenerate
 * ones that a cloth meets once in a million substeps. */
#ifndef WEFT_APP_VALIDATE_KERNEL_H
#define WEFT_APP_VALIDATE_KERNEL_H

#include "solver.h"

/* What an output holds before a pass that must overwrite it: a NaN no arithmetic makes. */
#define WEFT_KERNEL_UNWRITTEN 0x7FC0DEADu

/* The pass works on elements [FIRST, FIRST + count); PAD more follow, which it must leave alone. */
enum { WEFT_KERNEL_FIRST = 3, WEFT_KERNEL_PAD = 5 };

typedef struct weft_kernel_case {
  weft_pass pass;
  uint32_t substep;
  /* Constraints of a batch use particles of their own. With very many, only some move anything and
   * the rest share a few particles, or the positions would exceed a storage block. */
  bool sparse;
} weft_kernel_case;

/* NULL where a kind has no inputs: then that pass has no test. */
typedef void weft_kernel_fill(const weft_kernel_case *c, weft_rng *rng, weft_tables *tables);
extern weft_kernel_fill *const weft_kernel_fills[WEFT_PASS_KIND_COUNT];

#endif
