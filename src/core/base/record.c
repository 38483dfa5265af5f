/* record.c: the bytes of a record, there and back. */
#include "record.h"

#include <math.h>

enum { NAME = 8, MARK = 0x01020304, SIZE_AT = NAME + 8, HEADER = SIZE_AT + 8, HASH = 8 };
enum { PIECE = 4096 }; /* bytes that are turned at once */

static void put(unsigned char *bytes, uint64_t value, size_t width) {
  for (size_t k = 0; k < width; ++k) bytes[k] = (unsigned char)(value >> 8 * k);
}

static uint64_t get(const unsigned char *bytes, size_t width) {
  uint64_t value = 0;
  for (size_t k = 0; k < width; ++k) value |= (uint64_t)bytes[k] << 8 * k;
  return value;
}

void weft_record_bytes(weft_record *r, void *bytes, size_t count) {
  if (!r->from) {
    weft_string_add_bytes(&r->written, bytes, count);
    return;
  }
  r->short_of = r->short_of || count > r->end - r->at;
  if (r->short_of) {
    memset(bytes, 0, count);
    return;
  }
  memcpy(bytes, r->from + r->at, count);
  r->at += count;
}

/* One of the machine's own. */
static uint64_t load(const unsigned char *item, size_t width) {
  uint64_t wide;
  uint32_t word;
  memcpy(width == sizeof wide ? (void *)&wide : &word, item, width);
  return width == sizeof wide ? wide : word;
}

static void store(unsigned char *item, uint64_t wide, size_t width) {
  const uint32_t word = (uint32_t)wide;
  memcpy(item, width == sizeof wide ? (const void *)&wide : &word, width);
}

static void turn(weft_record *r, void *items, size_t count, size_t width) {
  unsigned char piece[PIECE], *item = items;
  for (size_t left = count * width; left > 0;) {
    const size_t size = left < PIECE ? left : PIECE;
    for (size_t k = 0; k < size && !r->from; k += width) {
      put(piece + k, load(item + k, width), width);
    }
    weft_record_bytes(r, piece, size);
    for (size_t k = 0; k < size && r->from; k += width) {
      store(item + k, get(piece + k, width), width);
    }
    item += size;
    left -= size;
  }
}

void weft_record_words(weft_record *r, void *words, size_t count) {
  turn(r, words, count, sizeof(uint32_t));
}

void weft_record_longs(weft_record *r, void *longs, size_t count) {
  turn(r, longs, count, sizeof(uint64_t));
}

void weft_record_floats(weft_record *r, void *floats, size_t count) {
  const float *at = floats;
  weft_record_words(r, floats, count);
  for (size_t k = 0; k < count; ++k) r->odd = r->odd || !isfinite(at[k]);
}

void weft_record_doubles(weft_record *r, void *doubles, size_t count) {
  const double *at = doubles;
  weft_record_longs(r, doubles, count);
  for (size_t k = 0; k < count; ++k) r->odd = r->odd || !isfinite(at[k]);
}

/* ---- front and end ---- */

weft_record weft_record_begin(const char name[8], uint32_t version) {
  weft_record r = {0};
  uint32_t words[2] = {MARK, version};
  uint64_t size = 0; /* known at the end */
  weft_string_add_bytes(&r.written, name, NAME);
  weft_record_words(&r, words, 2);
  weft_record_longs(&r, &size, 1);
  return r;
}

void weft_record_end(weft_record *r, void **bytes, size_t *size) {
  put((unsigned char *)r->written.bytes + SIZE_AT, r->written.count + HASH, HASH);
  uint64_t hash = weft_hash_bytes(WEFT_HASH_SEED, r->written.bytes, r->written.count);
  weft_record_longs(r, &hash, 1);
  *bytes = r->written.bytes;
  *size = r->written.count;
  *r = (weft_record){0};
}

weft_result weft_record_open(weft_record *r, const char name[8], uint32_t version,
                             const void *bytes, size_t size, const char *what, weft_error *err) {
  const unsigned char *at = bytes;
  *r = (weft_record){.from = at, .at = HEADER, .end = size - HASH};
  if (size < HEADER + HASH || memcmp(at, name, NAME) != 0) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %zu bytes that do not begin with \"%.8s\"", what,
                     size, name);
  }
  const uint64_t mark = get(at + NAME, 4), written = get(at + NAME + 4, 4);
  const uint64_t whole = get(at + SIZE_AT, 8), hash = get(at + r->end, HASH);
  if (mark != MARK) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: its bytes are in another order", what);
  }
  if (written != version) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: of version %u, and this weft reads version %u",
                     what, (unsigned)written, version);
  }
  if (whole != size) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %zu bytes of %llu", what, size,
                     (unsigned long long)whole);
  }
  const uint64_t found = weft_hash_bytes(WEFT_HASH_SEED, bytes, r->end);
  if (found == hash) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT,
                   "%s: damaged: the hash of its bytes is %016llx, not %016llx", what,
                   (unsigned long long)found, (unsigned long long)hash);
}

weft_result weft_record_close(const weft_record *r, const char *what, weft_error *err) {
  if (!r->short_of && r->at == r->end) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: its numbers are %s than what they count", what,
                   r->short_of ? "fewer" : "more");
}
