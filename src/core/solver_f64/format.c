/* format.c: the elements of every buffer, scalar by scalar, for conversion from floats to doubles
 * and back. */
#include <string.h>

#include "base.h"
#include "f64.h"

/* A letter for each word: writes at most `room` of them, returns how many. */
static size_t expand(weft_buffer_id id, char *format, size_t room) {
  const weft_buffer_info *info = &weft_buffer_infos[id];
  size_t n = 0;
  for (uint32_t e = 0; e < info->each; ++e) {
    for (const char *c = info->scalars; *c; ++c) {
      for (uint32_t k = 0; k < weft_scalar_words(*c) && n + 1 < room; ++k) {
        format[n++] = weft_scalar_is_float(*c) ? 'f' : 'u';
      }
    }
  }
  format[n] = 0;
  return n;
}

void weft_f64_format(weft_buffer_id id, char format[WEFT_F64_SCALARS]) {
  size_t n = expand(id, format, WEFT_F64_SCALARS);
  if (4 * n == weft_buffer_infos[id].stride) return;
  weft_log(WEFT_LOG_ERROR, "buffers.def: the scalars of %s are not those of a %s",
           weft_buffer_infos[id].name, weft_buffer_infos[id].element);
  WEFT_CHECK(false, "a row of buffers.def has other scalars than its element");
}

static size_t aligned(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

uint32_t weft_f64_stride(const char *format) {
  size_t bytes = 0;
  for (const char *c = format; *c; ++c) {
    size_t size = *c == 'f' ? sizeof(double) : sizeof(uint32_t);
    bytes = aligned(bytes, size) + size;
  }
  return (uint32_t)aligned(bytes, strchr(format, 'f') ? sizeof(double) : sizeof(uint32_t));
}

/* One element; the direction is a constant in each caller. */
static inline void convert(const char *format, unsigned char *floats, unsigned char *doubles,
                           bool widen) {
  size_t at = 0;
  for (size_t k = 0; format[k]; ++k) {
    unsigned char *narrow = floats + 4 * k;
    at = format[k] == 'f' ? aligned(at, sizeof(double)) : at;
    unsigned char *wide = doubles + at;
    if (format[k] == 'u') {
      memcpy(widen ? wide : narrow, widen ? narrow : wide, sizeof(uint32_t));
      at += sizeof(uint32_t);
      continue;
    }
    float single;
    double twice;
    if (widen) {
      memcpy(&single, narrow, sizeof single);
      twice = (double)single;
      memcpy(wide, &twice, sizeof twice);
    } else {
      memcpy(&twice, wide, sizeof twice);
      single = (float)twice;
      memcpy(narrow, &single, sizeof single);
    }
    at += sizeof(double);
  }
}

void weft_f64_widen(const char *format, const void *floats, void *doubles, uint64_t count) {
  size_t narrow = 4 * strlen(format), wide = weft_f64_stride(format);
  for (uint64_t i = 0; i < count; ++i) {
    convert(format, (unsigned char *)(uintptr_t)floats + i * narrow,
            (unsigned char *)doubles + i * wide, true);
  }
}

void weft_f64_narrow(const char *format, const void *doubles, void *floats, uint64_t count) {
  size_t narrow = 4 * strlen(format), wide = weft_f64_stride(format);
  for (uint64_t i = 0; i < count; ++i) {
    convert(format, (unsigned char *)floats + i * narrow,
            (unsigned char *)(uintptr_t)doubles + i * wide, false);
  }
}
