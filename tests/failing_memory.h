/* failing_memory.h: an allocator that counts, fails when it is told to, and spoils what is freed,
 * so that nothing can be used afterwards or freed twice unnoticed. */
#ifndef WEFT_TESTS_FAILING_MEMORY_H
#define WEFT_TESTS_FAILING_MEMORY_H

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/memory.h>

#include "base.h"
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

/* ---- a function at each of its allocations ---- */

/* What is called: it makes something, and frees what it made where it could. */
typedef struct trial {
  const char *name;
  weft_result (*run)(void *context, weft_error *err);
  void *context;
} trial;

static inline int open_files(void) {
  int count = 0;
  DIR *files = opendir("/proc/self/fd");
  assert_non_null(files);
  while (readdir(files)) ++count;
  closedir(files);
  return count;
}

/* From one to the next beyond the first hundred: by a hundredth. */
static inline long next_of(long number) { return number + 1 + number / 100; }

static inline void check_sentence(const trial *t, long number, weft_result result,
                                  const weft_error *err) {
  if (result != WEFT_ERROR_MEMORY || err->code != result) {
    fail_msg("%s: allocation %ld failed, and the result is %d: %s", t->name, number, result,
             err->message);
  }
  if (!strstr(err->message, "more bytes could not be had")) {
    fail_msg("%s: allocation %ld: %s", t->name, number, err->message);
  }
}

static inline void sweep(const trial *t) {
  long number = 0, failed = 0;
  for (number = 1;; number = next_of(number)) {
    const long blocks = failing_memory.blocks;
    const int files = open_files();
    weft_error err = {0};
    failing_arm(number);
    const weft_result result = t->run(t->context, &err);
    const bool has_failed = failing_memory.has_failed;
    failing_arm(0);
    if (failing_memory.blocks != blocks) {
      fail_msg("%s: allocation %ld: %ld blocks are left behind", t->name, number,
               failing_memory.blocks - blocks);
    }
    if (open_files() != files) fail_msg("%s: allocation %ld: a file is open", t->name, number);
    if (!has_failed && result != WEFT_OK) fail_msg("%s: %s", t->name, err.message);
    if (!has_failed) break;
    ++failed;
    check_sentence(t, number, result, &err);
  }
  print_message("%s: %ld allocations\n", t->name, number - 1);
  if (failed == 0) fail_msg("%s allocates nothing", t->name);
}

static inline void sweep_all(const trial *trials, size_t count) {
  for (size_t k = 0; k < count; ++k) sweep(&trials[k]);
}
#define SWEEP(trials) sweep_all(trials, sizeof(trials) / sizeof *(trials))

static inline int failing_setup(void **state) {
  (void)state;
  failing_begin();
  return 0;
}

static inline int failing_teardown(void **state) {
  (void)state;
  failing_end();
  return 0;
}

/* Says by a value that there was no memory. */
static inline weft_result said(bool done, weft_error *err) {
  if (!done && failing_memory.has_failed) {
    return weft_fail(err, WEFT_ERROR_MEMORY, "more bytes could not be had");
  }
  return done ? WEFT_OK : weft_fail(err, WEFT_ERROR_MESH, "nothing was done");
}
#define failing_test(test) cmocka_unit_test_setup_teardown(test, failing_setup, failing_teardown)

#endif
