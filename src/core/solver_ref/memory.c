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
  memset(memory->saved, 0, sizeof memory->saved);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    weft_buffer_contents *table = &contents->buffers[id];
    memory->bytes[id] = memory->room[id] = table->count * table->stride;
    memory->stride[id] = table->stride;
    table->kept = contents->given && guard == 0 && table->data;
    memory->payload[id] = table->kept ? table->data : copy_guarded(table, guard);
  }
}

void weft_memory_destroy(weft_memory *memory) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    weft_free(memory->payload[id] - memory->guard);
    weft_free(memory->saved[id]);
  }
}

/* Of a list that is part of the state: what is in it. */
static size_t bytes_in_use(const weft_memory *memory, int id) {
  if (id != WEFT_BUFFER_SELF_CACHE) return (size_t)memory->bytes[id];
  uint32_t kept;
  memcpy(&kept, memory->payload[WEFT_BUFFER_SELF_CACHE_COUNT], sizeof kept);
  const uint64_t bytes = (uint64_t)kept * memory->stride[id];
  return (size_t)(bytes < memory->bytes[id] ? bytes : memory->bytes[id]);
}

void weft_memory_save(weft_memory *memory) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const size_t bytes = bytes_in_use(memory, id);
    if (!weft_buffer_saved((weft_buffer_id)id) || !memory->bytes[id]) continue;
    if (!memory->saved[id]) memory->saved[id] = weft_alloc_lines((size_t)memory->bytes[id], 1);
    memcpy(memory->saved[id], memory->payload[id], bytes);
  }
}

/* The count of a list comes before the list. */
void weft_memory_restore(weft_memory *memory) {
  const int count = WEFT_BUFFER_SELF_CACHE_COUNT;
  if (memory->bytes[count]) memcpy(memory->payload[count], memory->saved[count], sizeof(uint32_t));
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (memory->saved[id]) memcpy(memory->payload[id], memory->saved[id], bytes_in_use(memory, id));
  }
}

void weft_memory_unmoved(const weft_memory *memory, uint64_t first, uint64_t count, bool *unmoved) {
  const size_t stride = memory->stride[WEFT_BUFFER_X];
  const unsigned char *now = weft_memory_elements(memory, WEFT_BUFFER_X, first, count);
  const unsigned char *before = memory->saved[WEFT_BUFFER_X] + first * stride;
  for (uint64_t k = 0; k < count; ++k) {
    unmoved[k] = memcmp(now + k * stride, before + k * stride, stride) == 0;
  }
}

void weft_memory_resize(weft_memory *memory, const weft_self_room *room) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const uint64_t count = weft_self_room_count(room, (weft_buffer_id)id);
    const weft_buffer_contents table = {.stride = memory->stride[id], .count = count};
    const size_t before = (size_t)memory->bytes[id];
    if (!count) continue;
    weft_free(memory->payload[id] - memory->guard);
    memory->payload[id] = copy_guarded(&table, memory->guard);
    memory->bytes[id] = memory->room[id] = count * table.stride;
    if (!memory->saved[id]) continue;
    unsigned char *saved = weft_alloc_lines((size_t)memory->bytes[id], 1);
    memcpy(saved, memory->saved[id], before < memory->bytes[id] ? before : memory->bytes[id]);
    weft_free(memory->saved[id]);
    memory->saved[id] = saved;
  }
}

/* Of tables that come with frames. */
static void lengthen(weft_memory *memory, const weft_contents *tables) {
  unsigned char *longer[WEFT_BUFFER_COUNT] = {NULL};
  {
    WEFT_OWN_MEMORY(tables->again);
    for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
      const weft_buffer_contents *table = &tables->buffers[id];
      const uint64_t bytes = table->count * table->stride;
      const bool fits = memory->guard ? bytes == memory->bytes[id] : bytes <= memory->room[id];
      if (table->filled && table->data && !fits) longer[id] = copy_guarded(table, memory->guard);
    }
  }
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!longer[id]) continue;
    weft_free(memory->payload[id] - memory->guard);
    memory->payload[id] = longer[id];
    memory->room[id] = tables->buffers[id].count * tables->buffers[id].stride;
  }
}

void weft_memory_refill(weft_memory *memory, const weft_contents *tables) {
  lengthen(memory, tables);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &tables->buffers[id];
    if (!table->filled || !table->data) continue;
    memory->bytes[id] = table->count * table->stride;
    memcpy(memory->payload[id], table->data, (size_t)memory->bytes[id]);
  }
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
