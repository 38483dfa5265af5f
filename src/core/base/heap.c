/* heap.c: where memory comes from: the C library, or the allocator of the program. */
#define _DEFAULT_SOURCE /* madvise */
#include "heap.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

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

static char *begin_of(weft_block *block) { return (char *)block + sizeof *block - block->lead; }

/* Of a new array, which is cleared. */
static char *from_library(size_t bytes, uint32_t lead) {
  char *begin = lead == WEFT_CACHE_LINE ? aligned_alloc(lead, bytes) : calloc(bytes, 1);
  if (!begin) return NULL;
  if (lead == WEFT_CACHE_LINE) clear(begin, bytes);
  prefer_large_pages(begin, bytes);
  return begin;
}

static char *from_program(size_t bytes, uint32_t lead) {
  const size_t alignment = lead == WEFT_CACHE_LINE ? lead : _Alignof(weft_block);
  char *begin = source.allocate(bytes, alignment, source.user);
  if (begin) memset(begin, 0, bytes);
  return begin;
}

weft_block *weft_heap_take(size_t bytes, uint32_t lead) {
  char *begin = source.allocate ? from_program(bytes, lead) : from_library(bytes, lead);
  if (!begin) return NULL;
  weft_block *block = (weft_block *)(begin + lead - sizeof *block);
  *block = (weft_block){.bytes = bytes, .lead = lead};
  atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  return block;
}

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

weft_block *weft_heap_grow(weft_block *block, size_t bytes) {
  WEFT_CHECK(block->lead == sizeof *block, "what begins with a cache line does not grow");
  char *begin = resize(block, bytes);
  if (!begin) return NULL;
  if (!source.allocate) prefer_large_pages(begin, bytes);
  weft_block *grown = (weft_block *)begin;
  grown->bytes = bytes;
  return grown;
}

void weft_heap_give(weft_block *block) {
  char *begin = begin_of(block);
  atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
  if (source.release) {
    source.release(begin, block->bytes, source.user);
  } else {
    free(begin);
  }
}
