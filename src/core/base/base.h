/* base.h: what every room stands on: memory, errors, log, hash, random numbers, clock. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <weft/log.h>
#include <weft/memory.h>
#include <weft/types.h>

#include "vec3.h"

/* ---- memory: one way out, weft/memory.h. These never return NULL (except for a size of 0, where
 * free() still accepts the result). ---- */
enum { WEFT_CACHE_LINE = 64 };               /* bytes, on the processors people have */
void *weft_alloc(size_t count, size_t size); /* zero-filled; refuses count*size overflow */
void *weft_alloc_lines(size_t count,
                       size_t size); /* the same, from the beginning of a cache line */
void *weft_realloc(void *p, size_t count, size_t size); /* new bytes are not cleared */
char *weft_strdup(const char *s);
void weft_free(void *p);

/* Bytes that this process can have at most: of the machine, or what its limit on address space
 * allows. */
uint64_t weft_memory_size(void);

/* Calls work; false with the bytes that were missing when memory runs out in it. What it has
 * allocated by then is lost. For threads, on which no handler may be called. */
bool weft_memory_try(void (*work)(void *context), void *context, size_t *missing);
/* What becomes of a false one, on the thread that may. */
_Noreturn void weft_memory_is_out(size_t bytes);

/* Grows *items (capacity *capacity, element size) so that `need` elements fit; doubles. */
void weft_grow(void **items, size_t *capacity, size_t need, size_t size);

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
