/* Point caches: the positions of all vertices, frame after frame.
 *
 * PC2, little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float first frame, float
 * frames a sample, int32 samples; then samples times points times three floats.
 * MDD, big-endian as LightWave writes it and sometimes little-endian: int32 frames, int32 points, a
 * float of seconds for each frame; then frames times points times three floats.
 *
 * Frames are read when they are asked for. What a header counts is held against the length of the
 * file before anything is allocated. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <unistd.h>

#include "files.h"
#include "motion_internal.h"

typedef struct cache {
  char *path;
  int file;
  uint64_t length, first; /* bytes: of the file, before the first frame */
  bool big_endian;
  uint32_t points;
  float scale;
  unsigned char *bytes;    /* of one frame */
  weft_deferred *deferred; /* the file is closed */
} cache;

enum { PC2_HEADER = 32, MDD_HEADER = 8, POINT_BYTES = 12 };

static void close_file(void *self) {
  const cache *c = self;
  if (c->file >= 0) close(c->file);
}

static void close_cache(void *self) {
  cache *c = self;
  weft_defer_end(c->deferred);
  close_file(c);
  weft_free(c->path);
  weft_free(c->bytes);
  weft_free(c);
}

static uint32_t get_uint(const unsigned char *b, bool big_endian) {
  return big_endian
             ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3]
             : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | (uint32_t)b[0];
}

static float get_float(const unsigned char *b, bool big_endian) {
  uint32_t bits = get_uint(b, big_endian);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static weft_result read_at(const cache *c, uint64_t offset, void *bytes, size_t count,
                           weft_error *err) {
  for (size_t done = 0; done < count;) {
    ssize_t n = pread(c->file, (char *)bytes + done, count - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read: %s", c->path, strerror(errno));
    }
    if (n == 0) return weft_fail(err, WEFT_ERROR_FILE, "%s: became shorter while read", c->path);
    done += (size_t)n;
  }
  return WEFT_OK;
}

static weft_result read_frame(void *self, uint32_t frame, weft_vec3 *positions, weft_error *err) {
  cache *c = self;
  size_t size = POINT_BYTES * (size_t)c->points;
  weft_result result = read_at(c, c->first + (uint64_t)frame * size, c->bytes, size, err);
  if (result != WEFT_OK) return result;
  for (uint32_t v = 0; v < c->points; ++v) {
    const unsigned char *at = c->bytes + POINT_BYTES * (size_t)v;
    weft_vec3 p = {get_float(at, c->big_endian), get_float(at + 4, c->big_endian),
                   get_float(at + 8, c->big_endian)};
    positions[v] = weft_v3_scale(p, c->scale);
  }
  return WEFT_OK;
}

static weft_result open_cache(const weft_motion_desc *desc, cache **out, weft_error *err) {
  cache *c = weft_alloc(1, sizeof *c);
  c->path = weft_strdup(weft_shown_path(desc->motion));
  c->scale = desc->scale;
  c->file = -1;
  c->deferred = weft_defer(close_file, c);
  weft_result result = weft_file_open(desc->motion, &c->file, &c->length, err);
  if (result == WEFT_OK) {
    *out = c;
  } else {
    close_cache(c);
  }
  return result;
}

/* Whether a file has just these frames behind its header: no product here can overflow. */
static bool fits(const cache *c, uint64_t header, uint32_t points, uint32_t frames) {
  uint64_t size = POINT_BYTES * (uint64_t)points, rest = c->length - header;
  return c->length >= header && size > 0 && rest % size == 0 && rest / size == frames;
}

/* The sentence for a header that does not fit its file, or does not fit the mesh. */
static weft_result check_counts(const cache *c, const weft_motion_desc *desc, const weft_mesh *mesh,
                                uint64_t header, uint32_t points, uint32_t frames,
                                weft_error *err) {
  if (points == 0 || frames == 0) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: its header counts %u points and %u frames",
                     c->path, points, frames);
  }
  if (!fits(c, header, points, frames)) {
    double wanted = (double)header + (double)POINT_BYTES * points * frames;
    return weft_fail(err, WEFT_ERROR_FORMAT,
                     "%s: its header counts %u points and %u frames, which take %.0f bytes, and "
                     "the file has %llu; it %s",
                     c->path, points, frames, wanted, (unsigned long long)c->length,
                     (double)c->length < wanted ? "was cut short, or its header lies"
                                                : "is longer than its header says");
  }
  if (points != mesh->vertex_count) {
    return weft_fail(err, WEFT_ERROR_FORMAT,
                     "%s: it has %u points, and %s has %u vertices: a cache of another mesh",
                     c->path, points, weft_shown_path(desc->mesh), mesh->vertex_count);
  }
  return WEFT_OK;
}

static void become_source(cache *c, const char *kind, uint64_t header, uint32_t points,
                          weft_motion_source *source) {
  c->first = header;
  c->points = points;
  c->bytes = weft_alloc(points, POINT_BYTES);
  source->kind = kind;
  source->self = c;
  source->free = close_cache;
  source->frame = read_frame;
}

/* ---- PC2 ---- */

static weft_result check_pc2(const cache *c, const weft_motion_desc *desc, const weft_mesh *mesh,
                             const unsigned char *header, weft_error *err) {
  if (memcmp(header, "POINTCACHE2", 12) != 0) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: does not begin with POINTCACHE2; it is no PC2",
                     c->path);
  }
  int32_t version = (int32_t)get_uint(header + 12, false);
  if (version != 1) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: PC2 of version %d; version 1 is read", c->path,
                     version);
  }
  double start = (double)get_float(header + 20, false),
         rate = (double)get_float(header + 24, false);
  if (!isfinite(start) || !(rate >= 1e-3 && rate <= 1e3)) {
    return weft_fail(err, WEFT_ERROR_FORMAT,
                     "%s: its header starts at frame %g with %g frames a sample; a sample takes "
                     "0.001 to 1000",
                     c->path, start, rate);
  }
  return check_counts(c, desc, mesh, PC2_HEADER, get_uint(header + 16, false),
                      get_uint(header + 28, false), err);
}

weft_result weft_pc2_open(const weft_motion_desc *desc, weft_mesh *mesh, weft_motion_source *source,
                          weft_error *err) {
  cache *c;
  unsigned char header[PC2_HEADER];
  weft_result result = open_cache(desc, &c, err);
  if (result != WEFT_OK) return result;
  if (c->length < PC2_HEADER) {
    result = weft_fail(err, WEFT_ERROR_FORMAT, "%s: %llu bytes; the header of a PC2 alone has %d",
                       c->path, (unsigned long long)c->length, PC2_HEADER);
  }
  if (result == WEFT_OK) result = read_at(c, 0, header, sizeof header, err);
  if (result == WEFT_OK) result = check_pc2(c, desc, mesh, header, err);
  if (result == WEFT_OK) {
    source->file_start = (double)get_float(header + 20, false);
    source->file_step = (double)get_float(header + 24, false);
    result = weft_motion_even_times(desc->motion, get_uint(header + 28, false),
                                    source->file_step / desc->frames_per_second, source, err);
  }
  if (result == WEFT_OK) {
    become_source(c, "PC2 cache", PC2_HEADER, get_uint(header + 16, false), source);
  } else {
    close_cache(c);
  }
  return result;
}

/* ---- MDD ---- */

static weft_result read_times(const cache *c, uint32_t count, weft_motion_source *source,
                              weft_error *err) {
  unsigned char *bytes = weft_alloc(count, 4);
  double *times = weft_alloc(count, sizeof *times);
  weft_result result = read_at(c, MDD_HEADER, bytes, 4 * (size_t)count, err);
  for (uint32_t k = 0; k < count && result == WEFT_OK; ++k) {
    double seconds = (double)get_float(bytes + 4 * (size_t)k, c->big_endian);
    if (k == 0) source->file_start = seconds;
    times[k] = seconds - source->file_start;
    if (isfinite(times[k]) && (k == 0 || times[k] > times[k - 1])) continue;
    result = weft_fail(err, WEFT_ERROR_FORMAT,
                       "%s: frame %u is at %g s (byte %zu); times are finite and ascend", c->path,
                       k, seconds, MDD_HEADER + 4 * (size_t)k);
  }
  weft_free(bytes);
  if (result == WEFT_OK) {
    source->times = times;
    source->frame_count = count;
  } else {
    weft_free(times);
  }
  return result;
}

static bool fits_mdd(const cache *c, const unsigned char *header, bool big_endian) {
  uint32_t frames = get_uint(header, big_endian), points = get_uint(header + 4, big_endian);
  return fits(c, MDD_HEADER + 4 * (uint64_t)frames, points, frames);
}

static weft_result open_mdd(cache *c, const weft_motion_desc *desc, const weft_mesh *mesh,
                            weft_motion_source *source, weft_error *err) {
  if (c->length < MDD_HEADER) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %llu bytes; the header of an MDD alone has %d",
                     c->path, (unsigned long long)c->length, MDD_HEADER);
  }
  unsigned char header[MDD_HEADER];
  weft_result result = read_at(c, 0, header, sizeof header, err);
  if (result != WEFT_OK) return result;
  c->big_endian = fits_mdd(c, header, true) || !fits_mdd(c, header, false);
  uint32_t frames = get_uint(header, c->big_endian), points = get_uint(header + 4, c->big_endian);
  uint64_t before = MDD_HEADER + 4 * (uint64_t)frames;
  result = check_counts(c, desc, mesh, before, points, frames, err);
  if (result == WEFT_OK && frames > WEFT_MOTION_MAX_FRAMES) {
    result = weft_fail(err, WEFT_ERROR_FORMAT, "%s: %u frames; at most %d", c->path, frames,
                       WEFT_MOTION_MAX_FRAMES);
  }
  if (result == WEFT_OK) result = read_times(c, frames, source, err);
  if (result == WEFT_OK) become_source(c, "MDD cache", before, points, source);
  return result;
}

weft_result weft_mdd_open(const weft_motion_desc *desc, weft_mesh *mesh, weft_motion_source *source,
                          weft_error *err) {
  cache *c;
  weft_result result = open_cache(desc, &c, err);
  if (result != WEFT_OK) return result;
  result = open_mdd(c, desc, mesh, source, err);
  if (result != WEFT_OK) close_cache(c);
  return result;
}
