/* memory.c: buffers made from contents. */
#include "memory.h"

#include <string.h>

#include "base.h"

static const unsigned char guard_byte = 0xA5;

static unsigned char *copy_guarded(const weft_buffer_contents *table, uint32_t guard) {
  size_t bytes = (size_t)(table->count * table->stride);
  unsigned char *begin = weft_alloc_lines(bytes + 2 * (size_t)guard, 1);
  memset(begin, guard_byte, guard);
  memset(begin + guard + bytes, guard_byte, guard);
  if (table->data) memcpy(begin + guard, table->data, bytes);
  return begin + guard;
}

void weft_memory_create(weft_memory *memory, weft_contents *contents, uint32_t guard) {
  memory->guard = guard;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    weft_buffer_contents *table = &contents->buffers[id];
    memory->bytes[id] = table->count * table->stride;
    memory->stride[id] = table->stride;
    table->kept = contents->given && guard == 0 && table->data;
    memory->payload[id] = table->kept ? table->data : copy_guarded(table, guard);
  }
}

void weft_memory_destroy(weft_memory *memory) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) weft_free(memory->payload[id] - memory->guard);
}

unsigned char *weft_memory_elements(const weft_memory *memory, weft_buffer_id id, uint64_t first,
                                    uint64_t count) {
  WEFT_CHECK((first + count) * memory->stride[id] <= memory->bytes[id],
             "elements past the buffer's end");
  return memory->payload[id] + first * memory->stride[id];
}

weft_buffer_id weft_memory_broken_guard(const weft_memory *memory) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const unsigned char *before = memory->payload[id] - memory->guard;
    const unsigned char *behind = memory->payload[id] + memory->bytes[id];
    for (uint32_t k = 0; k < memory->guard; ++k) {
      if (before[k] != guard_byte || behind[k] != guard_byte) return (weft_buffer_id)id;
    }
  }
  return WEFT_BUFFER_COUNT;
}
