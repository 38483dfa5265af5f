/* tables_data.c: making, filling and freeing tables. Compiled twice, see src/solver_f64/double.h.
 */
#include "solver.h"

/* Bytes of an element, in the precision this is compiled in. */
static const uint32_t strides[WEFT_BUFFER_COUNT] = {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, owner, quantity, instead) \
  (each) * sizeof(element),
#include "buffers.def"
#undef WEFT_BUFFER
};

void weft_tables_init(weft_tables *tables) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    tables->buffers[id] = (weft_table){weft_buffer_infos[id].name, strides[id], 0, NULL};
  }
  tables->parts = 0;
}

void *weft_tables_set(weft_tables *tables, weft_buffer_id id, uint64_t count) {
  weft_table *table = &tables->buffers[id];
  WEFT_CHECK(!table->data, "a table is set once");
  table->stride = strides[id]; /* in the precision of who sets it */
  table->count = count;
  table->data = weft_alloc((size_t)count, table->stride);
  return table->data;
}

void weft_tables_free(weft_tables *tables) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) weft_free(tables->buffers[id].data);
  weft_tables_init(tables);
}
