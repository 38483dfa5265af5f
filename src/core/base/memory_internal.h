/* memory_internal.h: what stands in front of memory that was handed out, and the rings it is in. */
#ifndef WEFT_MEMORY_INTERNAL_H
#define WEFT_MEMORY_INTERNAL_H

#include <stddef.h>

#include "base.h"

typedef struct weft_block {
  _Alignas(max_align_t) weft_chain link; /* first: a link is its block */
  size_t bytes;                          /* of the whole, with all that stands in front */
  uint32_t lead;                         /* bytes from the beginning of the whole to what was
                                            handed out */
  bool deferred;                         /* see weft_defer */
} weft_block;

/* Becomes part of the innermost scope of this thread, if there is one. */
void weft_block_enter(weft_block *block);
void weft_block_leave(weft_block *block);
/* One takes the place of the other in its ring, if it is in one. */
void weft_chain_replace(weft_chain *old, weft_chain *fresh);

#endif
