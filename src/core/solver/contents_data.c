/* contents_data.c: making, filling and freeing contents. Compiled twice, see
 * src/core/solver_f64/double.h.
 */
#include <string.h>

#include "solver.h"

/* Bytes of an element, in the precision this is compiled in. */
static const uint32_t strides[WEFT_BUFFER_COUNT] = {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, owner, quantity, instead) \
  (each) * sizeof(element),
#include "buffers.def"
#undef WEFT_BUFFER
};

void weft_contents_init(weft_contents *contents) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    contents->buffers[id] =
        (weft_buffer_contents){.name = weft_buffer_infos[id].name, .stride = strides[id]};
  }
  contents->parts = 0;
  contents->given = false;
  contents->again = NULL;
}

/* Of what passes write only the count. */
static void *set_again(weft_contents *contents, weft_buffer_id id, uint64_t count) {
  weft_buffer_contents *table = &contents->buffers[id];
  const bool fits = table->data && table->count == count;
  const size_t bytes = (size_t)count * table->stride;
  table->filled = true;
  table->count = count;
  if (weft_buffer_infos[id].use == WEFT_USE_SCRATCH) return NULL;
  if (fits) return memset(table->data, 0, bytes);
  weft_free(table->data);
  table->data = NULL;
  WEFT_OWN_MEMORY(contents->again);
  return table->data = weft_alloc_lines((size_t)count, table->stride);
}

void *weft_contents_set(weft_contents *contents, weft_buffer_id id, uint64_t count) {
  weft_buffer_contents *table = &contents->buffers[id];
  if (contents->again) return set_again(contents, id, count);
  WEFT_CHECK(!table->data, "a table is set once");
  table->stride = strides[id]; /* in the precision of the caller */
  table->count = count;
  table->data = weft_alloc_lines((size_t)count, table->stride);
  return table->data;
}

void weft_contents_free(weft_contents *contents) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!contents->buffers[id].kept) weft_free(contents->buffers[id].data);
  }
  weft_contents_init(contents);
}
