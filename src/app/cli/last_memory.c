/* Memory that runs out in a library. Drivers and loaders of libraries crash, hang or go on with
 * half of their tables when they get none, some of them before main begins. So the program's own
 * malloc stands before theirs: what the system cannot give ends the process with the same sentence
 * and the same status as an allocation of weft's. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1 /* has a malloc of its own */
#endif
#endif
#if defined(__GLIBC__) || defined(__linux__)
#if !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED)
#define STANDS_BEFORE 1
#endif
#endif

#ifdef STANDS_BEFORE
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* The functions that would be called without these. */
static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*memalign)(size_t, size_t);
} next;

/* dlsym gives objects, and POSIX says that they may be functions. */
static void find(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

/* The first call comes before other threads are; calls of dlsym's own get nothing. */
static bool found(void) {
  static bool begun;
  if (begun) return next.memalign != NULL;
  begun = true;
  find("malloc", &next.malloc);
  find("calloc", &next.calloc);
  find("realloc", &next.realloc);
  find("memalign", &next.memalign);
  return next.memalign != NULL;
}

/* More than there is in all is a question, not want: who asks hears no. */
static void *given(void *p, size_t bytes) {
  static _Thread_local bool ends;
  if (p || bytes == 0 || ends || bytes > weft_memory_size()) return p;
  ends = true;
  weft_cli_out_of_memory(bytes, NULL);
}

#pragma GCC visibility push(default) /* or libraries would not see them */

void *malloc(size_t bytes) { return given(found() ? next.malloc(bytes) : NULL, bytes); }

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return given(found() ? next.calloc(count, size) : NULL, bytes);
}

void *realloc(void *p, size_t bytes) {
  return given(found() ? next.realloc(p, bytes) : NULL, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
  return given(found() ? next.memalign(alignment, bytes) : NULL, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **p, size_t alignment, size_t bytes) {
  const int before = errno;
  void *got = memalign(alignment, bytes);
  errno = before;
  if (!got && bytes != 0) return ENOMEM;
  *p = got;
  return 0;
}

#pragma GCC visibility pop
#endif
