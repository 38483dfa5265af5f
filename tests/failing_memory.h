/* failing_memory.h: an allocator that counts, fails when it is told to, and spoils what is freed,
 * so that nothing can be used afterwards or freed twice unnoticed. */
#ifndef WEFT_TESTS_FAILING_MEMORY_H
#define WEFT_TESTS_FAILING_MEMORY_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <weft/memory.h>

#include "cmocka_all.h"

static struct failing_memory {
  atomic_long blocks, asked; /* there are; since it was armed */
  long fails;                /* the number of the one that fails, from 1; 0: none */
  atomic_bool has_failed;
  atomic_size_t bytes, most; /* there are; at once since it was armed */
  size_t missing;            /* of the one that failed */
} failing_memory;

enum { FAILING_MARK = 0x57454654, FAILING_FRONT = 64 };

static inline void *failing_allocate(size_t bytes, size_t alignment, void *user) {
  (void)user;
  assert_true(alignment <= FAILING_FRONT && (alignment & (alignment - 1)) == 0);
  if (atomic_fetch_add(&failing_memory.asked, 1) + 1 == failing_memory.fails) {
    failing_memory.has_failed = true;
    failing_memory.missing = bytes;
    return NULL;
  }
  size_t whole = (bytes + 2 * FAILING_FRONT - 1) / FAILING_FRONT * FAILING_FRONT;
  unsigned char *p = aligned_alloc(FAILING_FRONT, whole);
  if (!p) return NULL;
  memset(p, 0xcd, whole);
  const size_t front[2] = {FAILING_MARK, bytes};
  memcpy(p, front, sizeof front);
  atomic_fetch_add(&failing_memory.blocks, 1);
  size_t now = atomic_fetch_add(&failing_memory.bytes, bytes) + bytes, most = failing_memory.most;
  while (now > most && !atomic_compare_exchange_weak(&failing_memory.most, &most, now)) continue;
  return p + FAILING_FRONT;
}

static inline void failing_release(void *memory, size_t bytes, void *user) {
  (void)user;
  unsigned char *p = (unsigned char *)memory - FAILING_FRONT;
  size_t front[2];
  memcpy(front, p, sizeof front);
  if (front[0] != FAILING_MARK)
    fail_msg("%p is freed and was not allocated, or is freed twice", memory);
  assert_int_equal(front[1], bytes);
  memset(p, 0xdd, bytes + FAILING_FRONT);
  atomic_fetch_sub(&failing_memory.blocks, 1);
  atomic_fetch_sub(&failing_memory.bytes, bytes);
  free(p);
}

static inline void failing_begin(void) {
  static const weft_allocator allocator = {failing_allocate, failing_release, NULL};
  weft_error err = {0};
  if (weft_set_allocator(&allocator, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static inline void failing_end(void) {
  weft_error err = {0};
  if (weft_set_allocator(NULL, &err) != WEFT_OK) fail_msg("%s", err.message);
}

/* The allocation of that number gets nothing; 0: all get something. */
static inline void failing_arm(long number) {
  failing_memory.asked = 0;
  failing_memory.has_failed = false;
  failing_memory.most = failing_memory.bytes;
  failing_memory.fails = number;
}

#endif
