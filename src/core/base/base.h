/* base.h: what every room stands on: memory, errors, log, hash, random numbers, clock. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <weft/log.h>
#include <weft/memory.h>
#include <weft/types.h>

#include "vec3.h"

/* ---- memory. These never return NULL, also for a size of 0; see scopes for what happens when
 * there is none. ---- */
enum { WEFT_CACHE_LINE = 64 };               /* bytes, on the processors people have */
void *weft_alloc(size_t count, size_t size); /* zero-filled; refuses count*size overflow */
void *weft_alloc_lines(size_t count,
                       size_t size); /* the same, from the beginning of a cache line */
void *weft_realloc(void *p, size_t count, size_t size); /* new bytes are not cleared */
char *weft_strdup(const char *s);

/* Bytes that this process can have at most: of the machine, or what its limit on address space
 * allows. */
uint64_t weft_memory_size(void);

/* Grows *items (capacity *capacity, element size) so that `need` elements fit; doubles. */
void weft_grow(void **items, size_t *capacity, size_t need, size_t size);

/* ---- scopes: memory that runs out is an error of the public function that is running.
 *
 * WEFT_GUARD stands at the head of a public function and opens a scope, which lists what its thread
 * allocates. An allocation that gets nothing leaves by longjmp for the innermost guard: there the
 * deferred releases run, last come first, what the scope lists is freed, and the function answers
 * WEFT_ERROR_MEMORY. A scope that ends in any other way hands its list to the scope around it.
 *
 * So a function needs no error path for memory. It must not let anything that was there before
 * point to what a guard may free: objects that change own their memory (weft_owned), and
 * WEFT_GUARD_CHANGE hands them whatever their functions allocate, also when memory runs out. The
 * object is lost then. What is not memory (files, locks, objects of a driver) is deferred. ---- */
typedef struct weft_chain {
  struct weft_chain *before, *after; /* NULL: in no list */
} weft_chain;

/* The memory of an object that changes while it lives, a member of it. */
typedef struct weft_owned {
  weft_chain blocks; /* begins and ends the ring */
  bool lost;
} weft_owned;

typedef struct weft_scope {
  jmp_buf way;
  weft_chain blocks;
  weft_owned *owner;
  struct weft_scope *outer;
  size_t missing; /* bytes */
  bool catches, open;
} weft_scope;

/* For the macros below. */
void weft_scope_open(weft_scope *scope, weft_owned *owner, bool catches);
void weft_scope_close(weft_scope *scope); /* also of one that is closed */
void weft_scope_failed(weft_scope *scope, weft_error *err);
weft_result weft_fail_lost(weft_error *err);

#define WEFT_GUARD_WITH(owner, catches, failed, leave)              \
  weft_scope weft_guard __attribute__((cleanup(weft_scope_close))); \
  weft_scope_open(&weft_guard, owner, catches);                     \
  if (setjmp(weft_guard.way)) {                                     \
    weft_scope_failed(&weft_guard, failed);                         \
    leave;                                                          \
  }

/* At the head of a public function that makes something or only looks. Takes its `err`. */
#define WEFT_GUARD(err) WEFT_GUARD_WITH(NULL, true, err, return WEFT_ERROR_MEMORY)
/* Of one that fills a struct of the caller's, which is all 0 where memory runs out. */
#define WEFT_GUARD_FILL(filled, err) \
  WEFT_GUARD_WITH(NULL, true, err, memset(filled, 0, sizeof *(filled)); return WEFT_ERROR_MEMORY)
/* Of one that has no result to say it with: a public function that called it says it. */
#define WEFT_GUARD_OR(value) WEFT_GUARD_WITH(NULL, !weft_guarded(), NULL, return value)
#define WEFT_GUARD_FILL_ONLY(filled) \
  WEFT_GUARD_WITH(NULL, !weft_guarded(), NULL, memset(filled, 0, sizeof *(filled)); return )
bool weft_guarded(void); /* whether a guard of this thread is open */
/* Of one that changes an object: `owned` is the object's. */
#define WEFT_GUARD_CHANGE(owned, err)            \
  if ((owned)->lost) return weft_fail_lost(err); \
  WEFT_GUARD_WITH(owned, true, err, return WEFT_ERROR_MEMORY)

/* From here on to the end of the block memory stays allocated, whatever becomes of the scopes
 * around it: of something that outlives them. Where memory runs out inside, it is freed. */
#define WEFT_KEEP_MEMORY() WEFT_OWN_MEMORY(&weft_kept_by_nobody)
/* From here on to the end of the block memory is that of an object. */
#define WEFT_OWN_MEMORY(owned)                                    \
  weft_scope weft_own __attribute__((cleanup(weft_scope_close))); \
  weft_scope_open(&weft_own, owned, false)
extern weft_owned weft_kept_by_nobody;
/* The same for what was allocated before. */
void weft_keep_memory(void *p);

/* An object begins to own what the scope lists; it goes, and leaves what it still owns alone; it
 * was lost, and all that it owns is released, the object too. */
void weft_owned_begin(weft_owned *owned);
/* It owns what another owned, too. */
void weft_owned_join(weft_owned *owned, weft_owned *other);
void weft_owned_end(weft_owned *owned);
void weft_owned_release(weft_owned *owned);
/* Bytes of what it owns. */
uint64_t weft_owned_bytes(const weft_owned *owned);

/* What is to be released where memory runs out, until it is said to be done with. */
typedef struct weft_deferred weft_deferred;
weft_deferred *weft_defer(void (*release)(void *what), void *what);
void weft_defer_end(weft_deferred *deferred); /* NULL is allowed */

/* Calls work in a scope of its own, whose memory `made` gets; false with the bytes that were
 * missing when memory runs out in it. For threads, which have no guard. */
bool weft_memory_try(void (*work)(void *context), void *context, weft_owned *made, size_t *missing);
/* What a thread made becomes part of the scope of this one. */
void weft_owned_hand_over(weft_owned *made);
/* What becomes of a false one, on the thread that may. */
_Noreturn void weft_memory_is_out(size_t bytes);

/* Without a guard, as in the program's own code, this is called with the bytes that were missing;
 * where there is none, or it returns, a sentence is printed and the process aborts. */
typedef void (*weft_out_of_memory)(size_t bytes, void *context);
void weft_memory_set_last_resort(weft_out_of_memory handler, void *context);

/* ---- text that grows as it is written ---- */
typedef struct weft_string {
  char *bytes; /* ends with a 0; NULL while nothing was added */
  size_t count, capacity;
} weft_string;
void weft_string_add(weft_string *string, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void weft_string_add_bytes(weft_string *string, const void *bytes, size_t count);
void weft_string_free(weft_string *string);

/* Text from elsewhere as it can be shown or put into JSON: valid UTF-8, what is not and what is a
 * control as \x1b. Cut with "..." where `size`, at least 8, does not suffice. Returns out. */
const char *weft_printable(const char *text, size_t length, char *out, size_t size);
/* The same, but ends of lines and tabs stay. */
void weft_printable_lines(const char *text, char *out, size_t size);

/* ---- names that stand in files ---- */
/* False for one that leads out of the folder it is in: from the root, by .. or to another place
 * altogether (http:). */
bool weft_name_stays(const char *name);
/* %20 as a blank. To be freed with weft_free. */
char *weft_uri_decode(const char *uri);

/* What a noun ends with after this count: "%u frame%s". */
const char *weft_plural(uint64_t count);
/* 12345678 as "12,345,678", in 32 bytes at most. */
void weft_group_digits(char *text, uint64_t value);

/* ---- errors ---- */
/* Stores code and printf-style sentence, made printable, in err (may be NULL) and returns code. */
weft_result weft_fail(weft_error *err, weft_result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For public functions: leaves with WEFT_ERROR_ARGUMENT, naming function and argument, where the
 * argument is NULL, or an array of `count` items is. Takes `err` of the function it stands in. */
#define WEFT_NEED(argument) \
  if (!(argument)) return weft_missing(err, __func__, #argument)
#define WEFT_NEED_ITEMS(items, count) \
  if (!(items) && (count) > 0) return weft_missing(err, __func__, #items)
weft_result weft_missing(weft_error *err, const char *function, const char *argument);

/* A mistake in weft itself: prints file, line and sentence, then aborts. Active in every build. */
#define WEFT_CHECK(condition, sentence) \
  ((condition) ? (void)0 : weft_check_failed(__FILE__, __LINE__, #condition, sentence))
_Noreturn void weft_check_failed(const char *file, int line, const char *condition,
                                 const char *sentence);

/* ---- log and progress: nothing but the program prints; the rest says it here, weft/log.h. On the
 * thread that called weft. ---- */
void weft_log(weft_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void weft_progress(const char *what, uint64_t done, uint64_t total); /* done == total: the end */
void weft_progress_end(void); /* also of what was cut short */

/* ---- 64-bit FNV-1a, the state hash (Fowler, Noll, Vo) ---- */
#define WEFT_HASH_SEED UINT64_C(14695981039346656037)
uint64_t weft_hash_bytes(uint64_t hash, const void *bytes, size_t count);

/* ---- one seeded generator: PCG32 (O'Neill 2014) ---- */
typedef struct weft_rng {
  uint64_t state, inc;
} weft_rng;
weft_rng weft_rng_seed(uint64_t seed);
uint32_t weft_rng_u32(weft_rng *rng);
float weft_rng_float(weft_rng *rng, float low, float high); /* [low, high) */

/* ---- clock ---- */
double weft_clock_seconds(void); /* monotonic */

/* Locale-independent decimal text to double: accepts [begin,end), returns the first character not
 * consumed (begin when nothing was). */
const char *weft_parse_double(const char *begin, const char *end, double *value);

/* Whether there is more before an ending, which is written small; ".OBJ" ends with ".obj". */
bool weft_ends_with(const char *path, const char *ending);
/* Whether so many bytes begin with those of a text. */
bool weft_begins_with(const char *bytes, size_t length, const char *text);

#endif
