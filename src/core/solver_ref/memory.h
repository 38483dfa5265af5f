/* memory.h: a backend's buffers on the heap, with guard bytes around each. */
#ifndef WEFT_REF_MEMORY_H
#define WEFT_REF_MEMORY_H

#include "backend.h"

typedef struct weft_memory {
  unsigned char *payload[WEFT_BUFFER_COUNT]; /* the first byte after the guard */
  uint64_t bytes[WEFT_BUFFER_COUNT];
  uint64_t room[WEFT_BUFFER_COUNT]; /* bytes that there are */
  uint32_t stride[WEFT_BUFFER_COUNT];
  uint32_t guard;
  unsigned char *saved[WEFT_BUFFER_COUNT]; /* see weft_backend.save; made by the first */
} weft_memory;

/* Without guard bytes, arrays that are given are kept. */
void weft_memory_create(weft_memory *memory, weft_contents *contents, uint32_t guard);
void weft_memory_destroy(weft_memory *memory);
unsigned char *weft_memory_elements(const weft_memory *memory, weft_buffer_id id, uint64_t first,
                                    uint64_t count);
/* See weft_backend. */
void weft_memory_save(weft_memory *memory);
void weft_memory_restore(weft_memory *memory);
void weft_memory_unmoved(const weft_memory *memory, uint64_t first, uint64_t count, bool *unmoved);
void weft_memory_resize(weft_memory *memory, const weft_self_room *room);
/* Takes all tables that are filled; memory that runs out does so before anything has happened. */
void weft_memory_refill(weft_memory *memory, const weft_contents *tables);
weft_buffer_id weft_memory_broken_guard(const weft_memory *memory);

#endif
