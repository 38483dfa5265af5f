/* Memory: from the C library or the allocator of the program. */
#define _DEFAULT_SOURCE /* madvise */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory_internal.h"

/* Set before threads start. Without functions: the C library. */
static weft_allocator source;
static atomic_size_t blocks; /* that are there */

weft_result weft_set_allocator(const weft_allocator *allocator, weft_error *err) {
  if (allocator) {
    WEFT_NEED(allocator->allocate);
    WEFT_NEED(allocator->release);
  }
  const size_t left = atomic_load(&blocks);
  if (left) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "weft_set_allocator: %zu block%s of memory %s left from the other allocator",
                     left, weft_plural(left), left == 1 ? "is" : "are");
  }
  source = allocator ? *allocator : (weft_allocator){0};
  return WEFT_OK;
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

/* ---- what stands in front ---- */

static weft_block *block_of(void *p) { return (weft_block *)((char *)p - sizeof(weft_block)); }

static char *begin_of(weft_block *block) { return (char *)block + sizeof *block - block->lead; }

static void *hand_out(char *begin, size_t bytes, uint32_t lead) {
  weft_block *block = block_of(begin + lead);
  *block = (weft_block){.bytes = bytes, .lead = lead};
  atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  return block + 1;
}

static void release(weft_block *block) {
  char *begin = begin_of(block);
  atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
  if (source.release) {
    source.release(begin, block->bytes, source.user);
  } else {
    free(begin);
  }
}

/* The whole for so many items, rounded up; leaves where that cannot be counted. */
static size_t whole_of(size_t count, size_t size, size_t lead) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(count, size);
  if (__builtin_add_overflow(bytes, lead, &bytes)) out_of_memory(count, size);
  if (lead == WEFT_CACHE_LINE && __builtin_add_overflow(bytes, lead - 1, &bytes))
    out_of_memory(count, size);
  return lead == WEFT_CACHE_LINE ? bytes / lead * lead : bytes;
}

/* ---- giving and taking ---- */

void *weft_alloc(size_t count, size_t size) {
  const size_t bytes = whole_of(count, size, sizeof(weft_block));
  char *begin = source.allocate ? source.allocate(bytes, _Alignof(weft_block), source.user)
                                : calloc(bytes, 1);
  if (!begin) out_of_memory(count, size);
  if (source.allocate) {
    memset(begin, 0, bytes);
  } else {
    prefer_large_pages(begin, bytes);
  }
  void *p = hand_out(begin, bytes, sizeof(weft_block));
  weft_block_enter(block_of(p));
  return p;
}

void *weft_alloc_lines(size_t count, size_t size) {
  const size_t bytes = whole_of(count, size, WEFT_CACHE_LINE);
  char *begin = source.allocate ? source.allocate(bytes, WEFT_CACHE_LINE, source.user)
                                : aligned_alloc(WEFT_CACHE_LINE, bytes);
  if (!begin) out_of_memory(count, size);
  if (source.allocate) {
    memset(begin, 0, bytes);
  } else {
    clear(begin, bytes);
    prefer_large_pages(begin, bytes);
  }
  void *p = hand_out(begin, bytes, WEFT_CACHE_LINE);
  weft_block_enter(block_of(p));
  return p;
}

/* Its link is not in the ring meanwhile: other threads may change those beside it. */
static char *resize(weft_block *block, size_t bytes) {
  char *old = begin_of(block);
  if (!source.allocate) return realloc(old, bytes);
  char *begin = source.allocate(bytes, _Alignof(weft_block), source.user);
  if (!begin) return NULL;
  const size_t before = block->bytes;
  memcpy(begin, old, before < bytes ? before : bytes);
  source.release(old, before, source.user);
  return begin;
}

void *weft_realloc(void *p, size_t count, size_t size) {
  const size_t bytes = whole_of(count, size, sizeof(weft_block));
  if (!p) return weft_alloc(count, size);
  weft_block *block = block_of(p);
  WEFT_CHECK(block->lead == sizeof *block, "what begins with a cache line does not grow");
  weft_chain place = {NULL, NULL};
  weft_chain_replace(&block->link, &place);
  char *begin = resize(block, bytes);
  weft_block *grown = begin ? (weft_block *)begin : block;
  if (begin) grown->bytes = bytes;
  weft_chain_replace(&place, &grown->link);
  if (!begin) out_of_memory(count, size);
  if (!source.allocate) prefer_large_pages(begin, bytes);
  return grown + 1;
}

char *weft_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = weft_alloc(n, 1);
  memcpy(copy, s, n);
  return copy;
}

void weft_free(void *p) {
  if (!p) return;
  weft_block_leave(block_of(p));
  release(block_of(p));
}

void weft_grow(void **items, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return;
  size_t grown = *capacity ? *capacity : 16;
  while (grown < need) {
    if (__builtin_mul_overflow(grown, (size_t)2, &grown)) out_of_memory(need, size);
  }
  *items = weft_realloc(*items, grown, size);
  *capacity = grown;
}
