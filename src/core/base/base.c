/* Errors, log, hash, random numbers, clock. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

weft_result weft_fail(weft_error *err, weft_result code, const char *format, ...) {
  if (err) {
    char sentence[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    err->code = code;
    weft_printable(sentence, strlen(sentence), err->message, sizeof err->message);
  }
  return code;
}

weft_result weft_missing(weft_error *err, const char *function, const char *argument) {
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %s is NULL", function, argument);
}

_Noreturn void weft_check_failed(const char *file, int line, const char *condition,
                                 const char *sentence) {
  fprintf(stderr, "weft: %s:%d: %s (%s)\n", file, line, sentence, condition);
  abort();
}

/* The mutable globals of the library: where log lines and progress go. Set before threads start. */
static struct {
  weft_log_function function;
  void *user;
  weft_log_level up_to;
} log_state;

void weft_log_set(weft_log_function function, void *user, weft_log_level up_to) {
  log_state.function = function;
  log_state.user = user;
  log_state.up_to = up_to;
}

void weft_log(weft_log_level level, const char *format, ...) {
  if (!log_state.function || level > log_state.up_to) return;
  char line[2048], shown[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  weft_printable_lines(line, shown, sizeof shown);
  log_state.function(level, shown, log_state.user);
}

static struct {
  weft_progress_function function;
  void *user;
} progress_state;

void weft_progress_set(weft_progress_function function, void *user) {
  progress_state.function = function;
  progress_state.user = user;
}

void weft_progress(const char *what, uint64_t done, uint64_t total) {
  if (progress_state.function) progress_state.function(what, done, total, progress_state.user);
}

void weft_progress_end(void) { weft_progress("", 0, 0); }

uint64_t weft_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < count; ++i) {
    hash ^= p[i];
    hash *= UINT64_C(1099511628211);
  }
  return hash;
}

weft_rng weft_rng_seed(uint64_t seed) {
  weft_rng rng = {0, (seed << 1) | 1};
  weft_rng_u32(&rng);
  rng.state += UINT64_C(0x853c49e6748fea9b) ^ seed;
  weft_rng_u32(&rng);
  return rng;
}

uint32_t weft_rng_u32(weft_rng *rng) {
  uint64_t old = rng->state;
  rng->state = old * UINT64_C(6364136223846793005) + rng->inc;
  uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
  uint32_t turn = (uint32_t)(old >> 59);
  return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

float weft_rng_float(weft_rng *rng, float low, float high) {
  float unit = (float)(weft_rng_u32(rng) >> 8) * 0x1p-24f;
  return low + unit * (high - low);
}

double weft_clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
