/* pointcaches.c: positions of all vertices, frame after frame, and nothing else.
 *
 * PC2, little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float first frame, float
 * frames a sample, int32 samples; then samples times points times three floats.
 * MDD, big-endian: int32 frames, int32 points, a float of seconds for each frame; then frames times
 * points times three floats. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "export_internal.h"

/* The bytes of a word in their order. */
static unsigned char *put_word(unsigned char *at, uint32_t value, bool big_endian) {
  unsigned char bytes[4];
  weft_export_word(value, bytes);
  for (int k = 0; k < 4; ++k) *at++ = bytes[big_endian ? 3 - k : k];
  return at;
}

static void put_uint(FILE *file, uint32_t value, bool big_endian) {
  unsigned char bytes[4];
  put_word(bytes, value, big_endian);
  fwrite(bytes, 1, sizeof bytes, file);
}

static void put_float(FILE *file, float value, bool big_endian) {
  put_uint(file, weft_export_bits(value), big_endian);
}

static void put_points(const weft_export *c, const weft_vec3 *placed, bool big_endian) {
  enum { POINTS = 1024, POINT_BYTES = 12 };
  unsigned char bytes[POINTS * POINT_BYTES], *at = bytes;
  const uint32_t count = c->desc.source->vertex_count;
  for (uint32_t v = 0; v < count; ++v) {
    at = put_word(at, weft_export_bits(placed[v].x), big_endian);
    at = put_word(at, weft_export_bits(placed[v].y), big_endian);
    at = put_word(at, weft_export_bits(placed[v].z), big_endian);
    if (at - bytes < POINTS * POINT_BYTES && v + 1 < count) continue;
    fwrite(bytes, 1, (size_t)(at - bytes), weft_export_file(c));
    at = bytes;
  }
}

static uint32_t word_at(const unsigned char *at, bool big_endian) {
  uint32_t word = 0;
  for (int k = 0; k < 4; ++k) word |= (uint32_t)at[big_endian ? 3 - k : k] << 8 * k;
  return word;
}

static bool take_points(const weft_export *c, FILE *file, weft_vec3 *placed, bool big_endian) {
  for (uint32_t v = 0; v < c->desc.source->vertex_count; ++v) {
    unsigned char bytes[12];
    if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes) return false;
    for (int k = 0; k < 3; ++k) {
      const uint32_t word = word_at(bytes + 4 * k, big_endian);
      memcpy(&placed[v].x + k, &word, sizeof word);
    }
  }
  return true;
}

/* ---- PC2 ---- */

enum { PC2_SAMPLES_AT = 28 }; /* byte of the header */

weft_result weft_pc2_begin(weft_export *cache, weft_error *err) {
  FILE *file = weft_export_file(cache);
  (void)err;
  fwrite("POINTCACHE2", 1, 12, file);
  put_uint(file, 1, false);
  put_uint(file, cache->desc.source->vertex_count, false);
  put_float(file, (float)cache->desc.first_frame, false);
  put_float(file, 1, false);
  put_uint(file, 0, false);
  return WEFT_OK;
}

void weft_pc2_frame(weft_export *cache, const weft_vec3 *placed) {
  put_points(cache, placed, false);
}

weft_result weft_pc2_finish(weft_export *cache, weft_error *err) {
  FILE *file = weft_export_file(cache);
  if (fseeko(file, PC2_SAMPLES_AT, SEEK_SET) != 0) return weft_export_failed(cache, err);
  put_uint(file, cache->frames, false);
  return WEFT_OK;
}

bool weft_pc2_find(const weft_export *cache, FILE *older) {
  unsigned char header[32];
  const uint32_t points = cache->desc.source->vertex_count;
  return fread(header, 1, sizeof header, older) == sizeof header &&
         word_at(header + 16, false) == points;
}

bool weft_pc2_take(const weft_export *cache, FILE *older, weft_vec3 *placed) {
  return take_points(cache, older, placed, false);
}

/* ---- MDD ---- */

enum { MDD_HEADER = 8 };

static off_t mdd_points_at(uint32_t frames) { return MDD_HEADER + 4 * (off_t)frames; }

/* Times stand before the points, so there is room for as many as can come. */
static void put_mdd_header(const weft_export *c, FILE *file, uint32_t frames) {
  put_uint(file, frames, true);
  put_uint(file, c->desc.source->vertex_count, true);
  for (uint32_t k = 0; k < frames; ++k) {
    put_float(file, (float)((c->desc.first_frame + k) * c->desc.frame_seconds), true);
  }
}

weft_result weft_mdd_begin(weft_export *cache, weft_error *err) {
  (void)err;
  put_mdd_header(cache, weft_export_file(cache), cache->desc.frame_count);
  return WEFT_OK;
}

void weft_mdd_frame(weft_export *cache, const weft_vec3 *placed) {
  put_points(cache, placed, true);
}

/* Brings `count` bytes of a file forward, or into another, piece by piece. */
static bool move_bytes(FILE *file, off_t from, FILE *into, off_t to, off_t count) {
  enum { PIECE = 1 << 16 };
  char *piece = weft_alloc(PIECE, 1);
  off_t done = 0;
  while (done < count) {
    const size_t size = count - done < PIECE ? (size_t)(count - done) : PIECE;
    if (fseeko(file, from + done, SEEK_SET) != 0 || fread(piece, 1, size, file) != size) break;
    if (fseeko(into, to + done, SEEK_SET) != 0 || fwrite(piece, 1, size, into) != size) break;
    done += (off_t)size;
  }
  weft_free(piece);
  return done >= count;
}

/* In a file of its own, which takes the place of the one that a checkpoint counts on: that is whole
 * whenever the process is killed. */
static weft_result close_gap_aside(const weft_export *cache, off_t size, weft_error *err) {
  const uint32_t came = cache->frames;
  weft_output *whole;
  weft_result result = weft_output_open(weft_output_writes_to(cache->output), &whole, err);
  if (result != WEFT_OK) return result;
  FILE *into = weft_output_file(whole);
  put_mdd_header(cache, into, came);
  if (move_bytes(weft_export_file(cache), mdd_points_at(cache->desc.frame_count), into,
                 mdd_points_at(came), size)) {
    return weft_output_close(whole, err);
  }
  weft_output_abandon(whole);
  return weft_export_failed(cache, err);
}

/* Fewer frames came than there was room for. */
weft_result weft_mdd_finish(weft_export *cache, weft_error *err) {
  FILE *file = weft_export_file(cache);
  const uint32_t room = cache->desc.frame_count, came = cache->frames;
  const off_t size = 12 * (off_t)cache->desc.source->vertex_count * came;
  if (came == room) return WEFT_OK;
  if (weft_output_kept(cache->output)) return close_gap_aside(cache, size, err);
  bool moved = move_bytes(file, mdd_points_at(room), file, mdd_points_at(came), size);
  if (!moved || fseeko(file, 0, SEEK_SET) != 0) return weft_export_failed(cache, err);
  put_mdd_header(cache, file, came);
  moved = fflush(file) == 0 && ftruncate(fileno(file), mdd_points_at(came) + size) == 0;
  return moved ? WEFT_OK : weft_export_failed(cache, err);
}

bool weft_mdd_find(const weft_export *cache, FILE *older) {
  unsigned char header[MDD_HEADER];
  if (fread(header, 1, sizeof header, older) != sizeof header) return false;
  return word_at(header + 4, true) == cache->desc.source->vertex_count &&
         fseeko(older, mdd_points_at(word_at(header, true)), SEEK_SET) == 0;
}

bool weft_mdd_take(const weft_export *cache, FILE *older, weft_vec3 *placed) {
  return take_points(cache, older, placed, true);
}
