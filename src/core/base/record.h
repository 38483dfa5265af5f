/* record.h: numbers as bytes that mean the same on every machine, for what is kept beyond a
 * process.
 *
 * A function says once what a record holds, and both writes and reads it: on a record that is read
 * it fills what it names. Little-endian; a name of eight letters, a mark of the byte order, a
 * version and the size stand in front, a hash of all bytes behind. */
#ifndef WEFT_RECORD_H
#define WEFT_RECORD_H

#include "base.h"

typedef struct weft_record {
  weft_string written;
  const unsigned char *from; /* what is read; NULL: it is written */
  size_t at, end;            /* of what is read */
  bool short_of;             /* more was asked for than there is: all of it is 0 */
  bool odd;                  /* a number was infinite or NaN, or what who asks cannot take */
} weft_record;

weft_record weft_record_begin(const char name[8], uint32_t version);
/* Completes what is written; to be freed with weft_free. */
void weft_record_end(weft_record *record, void **bytes, size_t *size);
/* The same for what is read. WEFT_ERROR_FORMAT, and a sentence that begins with `what`, for what is
 * cut, changed, of another version, of another byte order or something else. */
weft_result weft_record_open(weft_record *record, const char name[8], uint32_t version,
                             const void *bytes, size_t size, const char *what, weft_error *err);
/* The same where not all that was asked for is there, or more. */
weft_result weft_record_close(const weft_record *record, const char *what, weft_error *err);

/* Arrays of 4 and of 8 bytes each, of floats and of doubles, and plain bytes. */
void weft_record_words(weft_record *record, void *words, size_t count);
void weft_record_longs(weft_record *record, void *longs, size_t count);
void weft_record_floats(weft_record *record, void *floats, size_t count);
void weft_record_doubles(weft_record *record, void *doubles, size_t count);
void weft_record_bytes(weft_record *record, void *bytes, size_t count);
static inline void weft_record_flag(weft_record *record, bool *flag) {
  uint32_t word = *flag;
  weft_record_words(record, &word, 1);
  *flag = word != 0;
}
/* Whether so many elements of so many bytes can follow in what is read. */
static inline bool weft_record_has(const weft_record *record, uint64_t count, size_t size) {
  return !record->from || count <= (record->end - record->at) / size;
}

#endif
