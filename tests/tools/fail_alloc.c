/* Loaded before a program (LD_PRELOAD): its allocation number FAIL_AT gets nothing, those of its
 * libraries counted too; how many there were is written to the file FAIL_COUNT. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* glibc's own names for its functions. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes);

static atomic_long calls;

static bool fails(void) {
  static atomic_long chosen = -1;
  if (chosen < 0) {
    const char *text = getenv("FAIL_AT");
    chosen = text ? atol(text) : 0;
  }
  if (atomic_fetch_add(&calls, 1) + 1 != chosen) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *p, size_t bytes) { return fails() ? NULL : __libc_realloc(p, bytes); }
void *memalign(size_t alignment, size_t bytes) {
  return fails() ? NULL : __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **p, size_t alignment, size_t bytes) {
  void *got = memalign(alignment, bytes);
  if (got) *p = got;
  return got ? 0 : ENOMEM;
}

__attribute__((destructor)) static void write_count(void) {
  const char *path = getenv("FAIL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}
