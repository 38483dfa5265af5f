/* motion_rig.h: files of motion made by a test, in a folder of its own. */
#ifndef WEFT_TESTS_MOTION_RIG_H
#define WEFT_TESTS_MOTION_RIG_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft_kit/motion.h>

#include "cmocka_all.h"

static char folder[64];
static char paths[64][128];

/* The path of a file in the folder; 64 at a time. */
static inline const char *in_folder(const char *name) {
  static unsigned turn;
  char *path = paths[turn++ % 64];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/weft-motion-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

/* ---- bytes ---- */

typedef struct bytes {
  unsigned char data[1 << 16];
  size_t count;
} bytes;

static inline void put_uint(bytes *b, uint32_t value, bool big_endian) {
  for (int k = 0; k < 4; ++k) {
    b->data[b->count++] = (unsigned char)(value >> 8 * (big_endian ? 3 - k : k));
  }
}

static inline void put_float(bytes *b, float value, bool big_endian) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_uint(b, bits, big_endian);
}

static inline void write_bytes(const char *path, const void *data, size_t count) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, count, file), count);
  assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text) {
  write_bytes(path, text, strlen(text));
}

/* ---- answers ---- */

static inline weft_motion *load(const weft_motion_desc *desc) {
  weft_motion *motion;
  weft_error err = {0};
  if (weft_motion_load(desc, &motion, &err) != WEFT_OK) fail_msg("%s", err.message);
  return motion;
}

static inline void refused(const weft_motion_desc *desc, weft_result code, const char *words) {
  weft_motion *motion = (weft_motion *)&code;
  weft_error err = {0};
  weft_result result = weft_motion_load(desc, &motion, &err);
  assert_null(motion);
  if (result != code || err.code != code || !strstr(err.message, words) ||
      strchr(err.message, '\n')) {
    fail_msg("%s: %d \"%s\" lacks \"%s\"", desc->motion, (int)result, err.message, words);
  }
}

static inline void at(weft_motion *motion, double seconds, weft_vec3 *positions) {
  weft_error err = {0};
  if (weft_motion_at(motion, seconds, positions, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static inline void near_point(weft_vec3 p, double x, double y, double z, double tolerance) {
  double d = fmax(fabs((double)p.x - x), fmax(fabs((double)p.y - y), fabs((double)p.z - z)));
  if (!(d <= tolerance)) {
    fail_msg("(%.9g, %.9g, %.9g) is %g away from (%.9g, %.9g, %.9g)", (double)p.x, (double)p.y,
             (double)p.z, d, x, y, z);
  }
}

#endif
