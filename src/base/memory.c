/* Memory with one way out: an allocation that fails says so and aborts. */
#define _DEFAULT_SOURCE /* madvise */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base.h"

static _Noreturn void out_of_memory(size_t count, size_t size) {
  fprintf(stderr, "weft: out of memory (asked for %zu elements of %zu bytes)\n", count, size);
  abort();
}

/* Arrays of many megabytes are gone through from end to end, and with pages of 4 KiB a processor
 * looks up addresses as often as it reads. Only advice: what comes of it is the system's choice. */
static void prefer_large_pages(void *p, size_t bytes) {
#ifdef MADV_HUGEPAGE
  const uintptr_t page = (uintptr_t)2 << 20;
  uintptr_t begin = ((uintptr_t)p + page - 1) / page * page,
            end = ((uintptr_t)p + bytes) / page * page;
  if (end > begin) (void)madvise((char *)p + (begin - (uintptr_t)p), end - begin, MADV_HUGEPAGE);
#else
  (void)p;
  (void)bytes;
#endif
}

void *weft_alloc(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size ? size : 1);
  if (!p) out_of_memory(count, size);
  prefer_large_pages(p, count * size);
  return p;
}

void *weft_alloc_lines(size_t count, size_t size) {
  size_t bytes, whole;
  if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(count, size);
  if (__builtin_add_overflow(bytes, (size_t)WEFT_CACHE_LINE, &whole)) out_of_memory(count, size);
  whole = whole / WEFT_CACHE_LINE * WEFT_CACHE_LINE;
  void *p = aligned_alloc(WEFT_CACHE_LINE, whole);
  if (!p) out_of_memory(count, size);
  prefer_large_pages(p, whole);
  return memset(p, 0, whole);
}

void *weft_realloc(void *p, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(count, size);
  void *q = realloc(p, bytes ? bytes : 1);
  if (!q) out_of_memory(count, size);
  prefer_large_pages(q, bytes);
  return q;
}

char *weft_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = weft_alloc(n, 1);
  memcpy(copy, s, n);
  return copy;
}

void weft_free(void *p) { free(p); }

void weft_grow(void **items, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return;
  size_t grown = *capacity ? *capacity : 16;
  while (grown < need) {
    if (__builtin_mul_overflow(grown, (size_t)2, &grown)) out_of_memory(need, size);
  }
  *items = weft_realloc(*items, grown, size);
  *capacity = grown;
}
