/* heap.h: memory as it comes, and what stands in front of what is handed out. */
#ifndef WEFT_HEAP_H
#define WEFT_HEAP_H

#include <stddef.h>

#include "base.h"

typedef struct weft_block {
  _Alignas(max_align_t) weft_chain link; /* first: a link is its block */
  size_t bytes;                          /* of the whole, with all that stands in front */
  uint32_t lead;                         /* bytes from the beginning of the whole to what is handed
                                            out, which is behind this struct */
  bool deferred;                         /* see weft_defer */
} weft_block;

/* So many bytes in all, 0, with a lead of the block's size or of a cache line, where they begin
 * then. NULL where there are none; so the next, which leaves the block as it was. */
weft_block *weft_heap_take(size_t bytes, uint32_t lead);
/* More or fewer bytes; new ones are not cleared. */
weft_block *weft_heap_grow(weft_block *block, size_t bytes);
void weft_heap_give(weft_block *block);

#endif
