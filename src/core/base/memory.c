/* Memory with one way out: an allocation that fails calls the program's handler, or aborts. */
#define _DEFAULT_SOURCE /* madvise */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base.h"

/* Set before threads start. */
static struct {
  weft_out_of_memory handler;
  void *context;
} last_resort;

void weft_set_out_of_memory(weft_out_of_memory handler, void *context) {
  last_resort.handler = handler;
  last_resort.context = context;
}

/* The innermost weft_memory_try of this thread. */
typedef struct escape {
  jmp_buf way;
  size_t *missing;
  struct escape *outer;
} escape;
static _Thread_local escape *escapes;

bool weft_memory_try(void (*work)(void *context), void *context, size_t *missing) {
  escape own = {.missing = missing, .outer = escapes};
  escapes = &own;
  bool done = setjmp(own.way) == 0;
  if (done) work(context);
  escapes = own.outer;
  return done;
}

_Noreturn void weft_memory_is_out(size_t bytes) {
  if (escapes) {
    *escapes->missing = bytes;
    longjmp(escapes->way, 1);
  }
  if (last_resort.handler) last_resort.handler(bytes, last_resort.context);
  fprintf(stderr, "weft: out of memory: %zu more bytes could not be had\n", bytes);
  abort();
}

static _Noreturn void out_of_memory(size_t count, size_t size) {
  size_t bytes;
  weft_memory_is_out(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

/* Arrays of many megabytes are gone through from end to end, and with pages of 4 KiB a processor
 * looks up addresses as often as it reads. Only advice: what comes of it is the system's choice. */
static void prefer_large_pages(void *p, size_t bytes) {
#ifdef MADV_HUGEPAGE
  /* All small pages of the array: were some left out, it could no longer grow by moving its pages.
   */
  const uintptr_t large = (uintptr_t)2 << 20, page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t first = ((uintptr_t)p + large - 1) / large * large, before = (uintptr_t)p % page;
  if (first + large > (uintptr_t)p + bytes) return;
  (void)madvise((char *)p - before, (before + bytes + page - 1) / page * page, MADV_HUGEPAGE);
#else
  (void)p;
  (void)bytes;
#endif
}

uint64_t weft_memory_size(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < bytes) bytes = limit.rlim_cur;
  return bytes;
}

void *weft_alloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(count, size);
  void *p = calloc(bytes ? bytes : 1, 1);
  if (!p) out_of_memory(count, size);
  prefer_large_pages(p, bytes);
  return p;
}

/* Bytes; fewer are cleared before the system has looked at them. */
static const size_t min_given_back = (size_t)1 << 20;

/* Whole pages are given back, so that they come anew and 0 when they are first touched, by the
 * thread that touches them; what nobody touches takes no memory. */
static void clear(char *p, size_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  size_t before = (page - (uintptr_t)p % page) % page;
  size_t inside = bytes > before ? (bytes - before) / page * page : 0;
#ifdef __linux__
  bool given_back = inside >= min_given_back && madvise(p + before, inside, MADV_DONTNEED) == 0;
#else
  bool given_back = false; /* elsewhere pages may keep what was in them */
#endif
  if (!given_back) {
    memset(p, 0, bytes);
    return;
  }
  memset(p, 0, before);
  memset(p + before + inside, 0, bytes - before - inside);
}

void *weft_alloc_lines(size_t count, size_t size) {
  size_t bytes, whole;
  if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(count, size);
  if (__builtin_add_overflow(bytes, (size_t)WEFT_CACHE_LINE, &whole)) out_of_memory(count, size);
  whole = whole / WEFT_CACHE_LINE * WEFT_CACHE_LINE;
  void *p = aligned_alloc(WEFT_CACHE_LINE, whole);
  if (!p) out_of_memory(count, size);
  clear(p, whole);
  prefer_large_pages(p, whole);
  return p;
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
