/* export_internal.h: what a format is made of. */
#ifndef WEFT_IO_EXPORT_INTERNAL_H
#define WEFT_IO_EXPORT_INTERNAL_H

#include <weft_kit/export.h>

#include <errno.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "mesh_internal.h"
#include "output.h"

/* A cache has `frame`; a still has `still`, called once with the latest frame. What they write goes
 * to `output`, whose stream remembers a failed write, except where a still opens its own. */
typedef struct weft_export_writer {
  weft_export_format format;
  bool own_file; /* opens and closes a file itself */
  bool appends;  /* `finish` leaves the frames as they are, so that it can be tried with fewer */
  weft_result (*begin)(weft_export *cache, weft_error *err);
  void (*frame)(weft_export *cache, const weft_vec3 *placed);
  weft_result (*finish)(weft_export *cache, weft_error *err); /* what was not known before */
  weft_result (*still)(weft_export *cache, const weft_vec3 *placed, weft_error *err);
  void (*free)(weft_export *cache); /* `self` */
  /* Of a file that `frame` wrote, whole or not: to its first frame, and a frame. False where there
   * is none. */
  bool (*find)(const weft_export *cache, FILE *older);
  bool (*take)(const weft_export *cache, FILE *older, weft_vec3 *placed);
} weft_export_writer;

struct weft_export {
  weft_owned owned;
  weft_export_desc desc; /* with its defaults and a path of its own */
  const weft_export_writer *writer;
  weft_output *output;
  uint32_t frames;   /* so far */
  uint64_t *ends;    /* byte behind each of them, of a cache */
  size_t room;       /* of `ends` */
  weft_error why;    /* the first failure to write: what is good is completed, nothing more comes */
  weft_vec3 *latest; /* of a still */
  void *self;
};

/* All of them; one without a name ends the list. */
extern const weft_export_writer weft_export_writers[];

static inline FILE *weft_export_file(const weft_export *cache) {
  return weft_output_file(cache->output);
}

static inline weft_result weft_export_failed(const weft_export *cache, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: %s", weft_shown_path(cache->desc.path),
                   strerror(errno));
}

/* ---- numbers in files: words of four bytes, little-endian ---- */
static inline uint32_t weft_export_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline void weft_export_word(uint32_t value, unsigned char bytes[4]) {
  for (int k = 0; k < 4; ++k) bytes[k] = (unsigned char)(value >> 8 * k);
}
static inline void weft_export_put_uint(FILE *file, uint32_t value) {
  unsigned char bytes[4];
  weft_export_word(value, bytes);
  fwrite(bytes, 1, sizeof bytes, file);
}
static inline void weft_export_put_float(FILE *file, float value) {
  weft_export_put_uint(file, weft_export_bits(value));
}

/* ---- the formats ---- */
weft_result weft_pc2_begin(weft_export *cache, weft_error *err);
void weft_pc2_frame(weft_export *cache, const weft_vec3 *placed);
weft_result weft_pc2_finish(weft_export *cache, weft_error *err);
weft_result weft_mdd_begin(weft_export *cache, weft_error *err);
void weft_mdd_frame(weft_export *cache, const weft_vec3 *placed);
weft_result weft_mdd_finish(weft_export *cache, weft_error *err);
weft_result weft_usda_begin(weft_export *cache, weft_error *err);
void weft_usda_frame(weft_export *cache, const weft_vec3 *placed);
weft_result weft_usda_finish(weft_export *cache, weft_error *err);
void weft_usda_free(weft_export *cache);
bool weft_pc2_find(const weft_export *cache, FILE *older);
bool weft_pc2_take(const weft_export *cache, FILE *older, weft_vec3 *placed);
bool weft_mdd_find(const weft_export *cache, FILE *older);
bool weft_mdd_take(const weft_export *cache, FILE *older, weft_vec3 *placed);
bool weft_usda_find(const weft_export *cache, FILE *older);
bool weft_usda_take(const weft_export *cache, FILE *older, weft_vec3 *placed);
weft_result weft_ply_still(weft_export *cache, const weft_vec3 *placed, weft_error *err);
weft_result weft_glb_still(weft_export *cache, const weft_vec3 *placed, weft_error *err);
weft_result weft_gltf_still(weft_export *cache, const weft_vec3 *placed, weft_error *err);
weft_result weft_obj_still(weft_export *cache, const weft_vec3 *placed, weft_error *err);

#endif
