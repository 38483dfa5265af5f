/* base.h: what every room stands on: memory, errors, log, hash, random numbers, clock. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stdarg.h>
#include <stdio.h>
#include <weft/types.h>

/* ---- memory: one way out. These never return NULL (except for a size of 0, where free() still
 * accepts the result); when memory is short they say so on stderr and abort. ---- */
enum { WEFT_CACHE_LINE = 64 };               /* bytes, on the processors people have */
void *weft_alloc(size_t count, size_t size); /* zero-filled; refuses count*size overflow */
void *weft_alloc_lines(size_t count,
                       size_t size); /* the same, from the beginning of a cache line */
void *weft_realloc(void *p, size_t count, size_t size); /* new bytes are not cleared */
char *weft_strdup(const char *s);
void weft_free(void *p);

/* Grows *items (capacity *capacity, element size) so that `need` elements fit; doubles. */
void weft_grow(void **items, size_t *capacity, size_t need, size_t size);

/* ---- errors ---- */
/* Stores code and printf-style sentence in err (may be NULL) and returns code. */
weft_result weft_fail(weft_error *err, weft_result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Misuse of the API: prints file, line and sentence, then aborts. Active in every build. */
#define WEFT_CHECK(condition, sentence) \
  ((condition) ? (void)0 : weft_check_failed(__FILE__, __LINE__, #condition, sentence))
_Noreturn void weft_check_failed(const char *file, int line, const char *condition,
                                 const char *sentence);

/* ---- log: nothing below src/cli prints; it logs, and the program decides where lines go ---- */
typedef enum weft_log_level {
  WEFT_LOG_ERROR = 0,
  WEFT_LOG_WARNING,
  WEFT_LOG_INFO,
  WEFT_LOG_DEBUG,
} weft_log_level;
typedef void (*weft_log_function)(weft_log_level level, const char *line, void *user);
void weft_log_set(weft_log_function function, void *user, weft_log_level most_verbose);
void weft_log(weft_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- progress: what takes long says how far it is; the program decides what to show ---- */
typedef void (*weft_progress_function)(const char *what, uint64_t done, uint64_t total, void *user);
void weft_progress_set(weft_progress_function function, void *user);
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

/* ---- vec3 for host-side geometry (cooking, metrics). Solver passes spell their arithmetic out. */
#include "vec3.h"
float weft_v3_length(weft_vec3 a);

/* A file written under a temporary name beside `path`, checked on close, then renamed over it:
 * a failed or interrupted write loses nothing. weft_output_close(NULL-safe) returns the verdict. */
typedef struct weft_output weft_output;
weft_result weft_output_open(const char *path, weft_output **out, weft_error *err);
/* Whether that would open: for before a long run. NULL: nothing is to be written. */
weft_result weft_output_check(const char *path, weft_error *err);
FILE *weft_output_file(weft_output *out); /* for fprintf/fwrite/libpng */
/* The name it is written under until it is closed, for another program to write to. */
const char *weft_output_writes_to(const weft_output *out);
weft_result weft_output_close(weft_output *out, weft_error *err); /* flush, check, rename */
void weft_output_abandon(weft_output *out);                       /* remove the temporary */

/* Locale-independent decimal text to double: accepts [begin,end), returns the first character not
 * consumed (begin when nothing was). */
const char *weft_parse_double(const char *begin, const char *end, double *value);

#endif
